"""Pictures that are about one question each; they are in :mod:`tare.plot`."""

from __future__ import annotations

import json
from typing import Any, Callable

from . import _tare
from ._arrays import fold
from ._calls import _BINS, TABLES, _name, _streamed, measure
from ._drawing import CHANCE, DIM, axes, style_of_estimator
from ._errors import Error
from ._options import names, spoken, whole
from ._options import reduction as _reduction
from ._options import threads as _threads
from ._pictures import draw, grid, row_axis
from ._progress import progress_of
from ._results import Measurement

_USUAL_NORM = {row["name"]: row["usual_norm"] for row in TABLES["estimators"]}


def _data(file: Any = None, /, *, logits: Any = None, probs: Any = None, confidences: Any = None, labels: Any = None, correct: Any = None,
          predictions: Any = None, weights: Any = None, classes: Any = None, ignore_index: Any = None, split: Any = None, reading: Any = None,
          reduction: Any = None, bins: Any = _BINS, name: Any = None, seed: Any = 1, threads: Any = None, progress: Any = None,
          sizes: Any = None, estimators: Any = None, norm: Any = 1) -> tuple[Any, dict[str, Any]]:
    """The fold and the options of a picture, as the library takes them."""
    options = {"reduction": _reduction(reduction), "estimators": names(estimators), "norm": whole("norm", norm), "progress": progress,
               "sizes": [whole("sizes", n) for n in (sizes if hasattr(sizes, "__iter__") else [] if sizes is None else [sizes])],
               "seed": whole("seed", seed), "threads": _threads(threads), "bins": whole("bins", bins)}
    file, split, arrays = _streamed(file, dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct,
                                               predictions=predictions, weights=weights), options, split)
    given = fold(file, split, classes=classes, ignore_index=ignore_index, group=None, group_bins=None, source=_name(name), reading=reading, **arrays)
    return given, options


_spoken_data = spoken(_data)


def _asked(call: Callable[..., str], what: Any, given: dict[str, Any], *wanted: str) -> dict[str, Any]:
    fold_, options = _spoken_data(what, **given) if what is not None else _spoken_data(**given)
    with progress_of(options["progress"]) as told:
        options["progress"] = told
        return json.loads(call(fold_, **{key: options[key] for key in ("reduction", "threads", *wanted)}))


def estimators(what: Any = None, /, *, ax: Any = None, norm: int | None = None, **data: Any) -> Any:
    """One line for each estimator: its value, what chance shows, its interval, and the corrected value.

    Parameters
    ----------
    what : Measurement or path, optional
        What to draw; otherwise data, as for :func:`tare.measure`. With ``bias=True`` the corrected values are drawn, too.
    ax : matplotlib Axes, optional
    norm : {1, 2}, optional
        Of estimators that have both; if not given each in the norm it is usually quoted in.

    Returns
    -------
    matplotlib Axes
    """
    m = what if isinstance(what, Measurement) else measure(what, **data) if what is not None else measure(**data)
    rows = {row["name"]: row for row in TABLES["estimators"]}
    lines = [e for e in m if rows[e.name]["error"] and not rows[e.name]["score"] and e.class_index is None and e.value is not None
             and (e.norm is None or e.norm == (norm or _USUAL_NORM[e.name]))]
    if not lines:
        raise Error("no error of calibration was measured here", "undefined", "measure one that has this norm")
    lines.sort(key=lambda e: not rows[e.name]["reported"])
    ax = axes(ax, (7, 0.3 * len(lines) + 1.6))
    same = [x for e in lines if rows[e.name]["estimand"] for x in (e.value, e.high, e.floor_high) if x is not None]
    end = 104 * max(same or [e.value for e in lines] or [0.01]) or 1
    for i, e in enumerate(lines):
        look = style_of_estimator(e.name) | {"linestyle": "none"}
        if e.floor_high is not None:
            ax.barh(i, min(100 * e.floor_high, end), 0.6, color=CHANCE, label="chance: 95 of 100 calibrated models" if i == 0 else None)
        if e.floor is not None:
            ax.vlines(100 * e.floor, i - 0.3, i + 0.3, color=DIM, linewidth=1.2)
        if e.low is not None and e.high is not None:
            ax.errorbar(50 * (e.low + e.high), i, xerr=50 * (e.high - e.low), fmt="none", ecolor=look["color"], capsize=3)
        if e.corrected is not None:
            ax.vlines(100 * e.corrected, i - 0.38, i + 0.38, color=look["color"], linewidth=2.6)
        value = 100 * float(e)
        beyond = value > end
        ax.plot(end if beyond else value, i, clip_on=False, **(look | ({"marker": ">"} if beyond else {})))
        ax.annotate(f"{value:.2f}%", (1.02, i), xycoords=("axes fraction", "data"), va="center", fontsize="small")
    ax.set_xlim(0, end)
    row_axis(ax, [e.name + (f" (l{e.norm})" if e.norm else "") for e in lines], "error, %; grey: by chance")
    if m.name:
        ax.set_title(m.name, fontsize="small")
    grid(ax, "x")
    return ax


def rejection(what: Any = None, /, *, ax: Any = None, **data: Any) -> Any:
    """Accuracy among the most confident share of the rows, with the interval of each share and what the model claims.

    Parameters
    ----------
    what : path or State, optional
        The data; otherwise arrays, as for :func:`tare.measure`.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
    """
    return draw(_asked(_tare.rejection, what, data), ax)


def detectable(what: Any = None, /, *, ax: Any = None, **data: Any) -> Any:
    """The smallest error that the test finds, against the number of rows, and where these data stand.

    Parameters
    ----------
    what : path or State, optional
        The data; otherwise arrays, as for :func:`tare.measure`; ``sizes`` are other numbers of rows.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
    """
    return draw(_asked(_tare.detectable, what, data, "bins", "sizes", "seed", "progress"), ax)


def bins(what: Any = None, /, *, ax: Any = None, **data: Any) -> Any:
    """Binned errors against the number of bins and, on random parts of the data, against the number of rows.

    Parameters
    ----------
    what : path or State, optional
        The data; otherwise arrays, as for :func:`tare.measure`; ``estimators``, ``norm`` (1) and ``bins`` choose what is drawn,
        ``sizes`` the numbers of rows.
    ax : two matplotlib Axes, optional
        One for the bins and one for the rows.

    Returns
    -------
    array of two matplotlib Axes
    """
    import matplotlib.pyplot as plt

    found = _asked(_tare.bin_choice, what, data, "estimators", "bins", "norm", "sizes", "seed", "progress")
    return draw(found, ax if ax is not None else plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")[1])
