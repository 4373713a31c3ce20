"""Pictures of several measurements or calibrators at once; they are in :mod:`tare.plot`."""

from __future__ import annotations

from typing import Any, Iterable, Mapping

from ._drawing import BETTER, DARK, GROUND, REFERENCES, axes, series_style
from ._pictures import Row, draw_rows
from ._plot_common import columns_of, line_of, unit_axes, words_of
from ._errors import Error
from ._results import Comparison, Measurement


def compare(what: Comparison | Mapping[str, Measurement] | Iterable[Measurement], /, *, ax: Any = None,
            criterion: str = "brier", estimator: str = REFERENCES[0]) -> Any:
    """Several at once.

    Parameters
    ----------
    what : Comparison, dict or list of Measurement
        A comparison of calibrators is drawn as differences of ``criterion`` to the uncalibrated model, with their intervals;
        measurements as calibration curves over each other, by the keys of the dict or by the names they were measured with.
    ax : matplotlib Axes, optional
    criterion : {"brier", "nll", "debias_em_squared"}
    estimator : str
        Whose bins the curves go through.

    Returns
    -------
    matplotlib Axes
    """
    if isinstance(what, Comparison):
        return _differences(what, ax, criterion)
    named = dict(what) if isinstance(what, Mapping) else {m.name or f"model {i + 1}": m for i, m in enumerate(what)}
    return _curves(named, ax, estimator)


def _differences(comparison: Comparison, ax: Any, criterion: str) -> Any:
    rows = [(m.method, d) for m in comparison for d in [m.difference(criterion)] if d is not None]
    if not rows:
        raise Error(f"the comparison has no differences of {criterion}", "undefined", "brier, nll and debias_em_squared have them")
    marks = {"better": "v", "worse": "^", "noise": "o"}
    lines = [Row(method + (" (winner)" if method == comparison.winner else ""), d.value, d.low, d.high,
                 {"marker": marks[d.change], "color": DARK, "markerfacecolor": BETTER if d.change == "better" else GROUND}) for method, d in rows]
    return draw_rows(axes(ax, (6, 0.4 * len(rows) + 1.5)), lines, f"{criterion}: difference to the uncalibrated model, left is better")


def _curves(measurements: Mapping[str, Measurement], ax: Any, estimator: str) -> Any:
    ax = axes(ax, (5.2, 5.2))
    ax.plot([0, 1], [0, 1], "--", color=DARK, linewidth=1.5, label="perfectly calibrated")
    for i, (name, m) in enumerate(measurements.items()):
        e = line_of(m, estimator, None, None)
        _, _, _, score, label = columns_of(e)
        ax.plot(score, label, markersize=5, **series_style(i), label=f"{name}: {e.name} {100 * float(e):.2f}%")
        _, mean_word, rate = words_of(m)
        unit_axes(ax, mean_word, rate)
    ax.set_ylim(0, 1)
    ax.legend(loc="upper left", fontsize="small")
    return ax
