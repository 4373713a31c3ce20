"""Pictures that are about one question each; they are in :mod:`tare.plot`."""

from __future__ import annotations

import json
from typing import Any, Callable

import numpy as np

from . import _tare
from ._arrays import fold
from ._calls import _BINS, TABLES, _name, _streamed, measure
from ._drawing import CHANCE, DARK, DIM, FILL, GRID, GROUND, SMOOTH, axes, look_of
from ._errors import Error
from ._options import names, spoken, whole
from ._options import reduction as _reduction
from ._options import threads as _threads
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


def _titled(ax: Any, found: dict[str, Any], words: str) -> None:
    source = found["input"].get("source")
    ax.set_title((f"{source}\n" if source else "") + f"{words}\nn = {found['input']['n']:,}", fontsize="small")


def _grid(ax: Any, axis: Any = "both") -> None:
    ax.grid(True, axis=axis, color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)


def _sizes(ax: Any) -> None:
    """A logarithmic axis of whole numbers, written out."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))
    ax.xaxis.set_minor_formatter(NullFormatter())


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
        look = look_of(e.name) | {"linestyle": "none"}
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
    ax.set_yticks(range(len(lines)), [e.name + (f" (l{e.norm})" if e.norm else "") for e in lines])
    ax.invert_yaxis()
    ax.set_xlabel("error, %; grey: by chance")
    if m.name:
        ax.set_title(m.name, fontsize="small")
    _grid(ax, "x")
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
    found = _asked(_tare.rejection, what, data)
    share, accuracy, low, high, claimed = (100 * np.array([p[k] for p in found["points"]]) for k in ("share", "accuracy", "low", "high", "claimed"))
    ax = axes(ax, (5.2, 4.2))
    ax.fill_between(share, low, high, color=FILL, label="95% interval of each share")
    ax.plot(share, claimed, "--", color=DARK, linewidth=1.5, label="claimed: mean score")
    ax.plot(share, accuracy, color=SMOOTH, linewidth=2, label="accuracy")
    wide = share >= 5
    ax.set_ylim(max(0, min(accuracy.min(), claimed.min(), low[wide].min()) - 1), 100)
    ax.set_xlim(0, 100)
    ax.set_xlabel("share of the rows kept, the most confident first, %")
    ax.set_ylabel("accuracy of these rows, %")
    _titled(ax, found, f"all rows: accuracy {accuracy[-1]:.2f}%, claimed {claimed[-1]:.2f}%")
    _grid(ax)
    ax.legend(fontsize="small")
    return ax


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
    found = _asked(_tare.detectable, what, data, "bins", "sizes", "seed", "progress")
    known = [p for p in found["points"] if p["tce"]]
    if not known:
        raise Error("no error would be found at any of these sizes", "undefined", "pass larger sizes")
    ax = axes(ax, (5.2, 4.2))
    estimate = found["estimate"]
    if estimate["value"]:
        if estimate["low"] is not None and estimate["high"] is not None:
            ax.axhspan(100 * max(estimate["low"], 1e-9), 100 * estimate["high"], color=CHANCE)
        ax.axhline(100 * estimate["value"], color=DARK, linestyle="--", linewidth=1.3, label=f"estimated error: {100 * estimate['value']:.2f}%")
    ax.plot([p["n"] for p in known], [100 * p["tce"] for p in known], color=SMOOTH, marker="o", markersize=4, linewidth=2,
            label=f"smallest error that {found['statistic']} finds")
    for p in known:
        if p["here"]:
            ax.plot(p["n"], 100 * p["tce"], marker="o", markersize=11, markerfacecolor=GROUND, markeredgecolor=DARK, markeredgewidth=2)
            ax.annotate(f"you are here: {100 * p['tce']:.2f}%", (p["n"], 100 * p["tce"]), xytext=(8, 8), textcoords="offset points")
    errors = [100 * p["tce"] for p in known]
    ax.set_yscale("log")
    ax.set_ylim(min(errors) / 1.3, max(errors) * 1.3)
    _sizes(ax)
    ax.set_xlabel("n")
    ax.set_ylabel("true error (norm 2), %")
    _titled(ax, found, f"power {100 * found['power']:g}%, level {100 * found['alpha']:g}%")
    _grid(ax)
    ax.legend(fontsize="small")
    return ax


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
    left, right = ax if ax is not None else plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")[1]
    for line in found["lines"]:
        look = look_of(line["estimator"])
        for where, points, at in ((left, line["by_bins"], "bins"), (right, line["by_rows"], "rows")):
            x, value = [p[at] for p in points], [100 * p["value"] for p in points]
            where.plot(x, value, markersize=4, label=line["estimator"], **(look | {"linestyle": "-"}))
            where.plot(x, [np.nan if p["floor"] is None else 100 * p["floor"] for p in points], ":", color=look["color"],
                       label=f"{line['estimator']}, by chance")
    for where, mark, words in ((left, found["bins"], "number of bins"), (right, found["input"]["n"], "number of rows")):
        _sizes(where)
        where.axvline(mark, color=DARK, linestyle=":", linewidth=1)
        where.set_xlabel(words)
        where.set_ylim(bottom=0)
        _grid(where)
    left.set_ylabel("error, %")
    left.legend(fontsize="small")
    _titled(left, found, "all rows, other bins")
    right.set_title(found["reason"] or f"{found['bins']} bins, parts of the rows", fontsize="small")
    return np.array([left, right])
