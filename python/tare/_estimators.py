"""One function per estimator of the table."""

from __future__ import annotations

import inspect
from typing import Any, Callable

from . import _tare
from ._arrays import fold
from ._calls import _BINS, _DATA, TABLES
from ._options import norms, reduction, refuse_positional, threads, understood, whole


def _estimator(row: dict[str, Any]) -> Callable[..., float]:
    """The function of one row of the table, with the keywords that mean something to it."""
    options: dict[str, Any] = {"reduction": None}
    if row["bins"]:
        options["bins"] = _BINS
    if row["norms"]:
        options["norm"] = row["norms"][0]
    options["threads"] = None
    keyword = inspect.Parameter.KEYWORD_ONLY
    signature = inspect.Signature(
        [inspect.Parameter(name, keyword, default=default)
         for name, default in [*((d, None) for d in _DATA), ("classes", None), ("ignore_index", None), *options.items()]],
        return_annotation=float)
    known = frozenset(signature.parameters)

    def estimate(*args: Any, **given: Any) -> float:
        refuse_positional(row["name"], args, 0)
        if not given.keys() <= known:
            given = understood(row["name"], given, signature.parameters)
        chosen = options | {k: v for k, v in given.items() if k in options}
        if "norm" in options:
            norms(chosen["norm"])
        data = fold(reduce_to=chosen["reduction"] or "", **{name: x for name, x in given.items() if name not in options})
        return _tare.estimate(data, name=row["name"], reduction=reduction(chosen["reduction"]), norm=chosen.get("norm", 2),
                              bins=whole("bins", chosen.get("bins", _BINS)), threads=threads(chosen["threads"]))

    norm = "" if not row["norms"] else (
        "\n    norm : {1, 2}\n        Average the absolute gap (1) or its square, with the root of the mean (2)."
        if len(row["norms"]) == 2 else "\n    norm : {2}\n        The only one it exists for.")
    estimate.__name__ = estimate.__qualname__ = row["name"]
    estimate.__module__ = "tare"
    estimate.__signature__ = signature  # type: ignore[attr-defined]
    estimate.__doc__ = f"""{row["title"]}: {row["summary"]}.

    {row["citation"]}. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------{norm}{chr(10) + "    bins : int" + chr(10) + "        Number of bins." if row["bins"] else ""}
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """
    return estimate


ESTIMATORS: dict[str, Callable[..., float]] = {row["name"]: _estimator(row) for row in TABLES["estimators"]}
