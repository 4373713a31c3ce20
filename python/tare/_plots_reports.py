"""Pictures of bias, groups and watches; they are in :mod:`tare.plot`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._calls import bbc, measure
from ._drawing import DARK, FOUND, GRID, GROUND, axes, style_of_estimator, series_style
from ._errors import Error
from ._pictures import Row, draw_rows
from ._results import BiasReport, Groups, Measurement, TestReport, WatchReport


def bias(what: BiasReport | Any = None, /, *, ax: Any = None, norm: int = 2, **data: Any) -> Any:
    """How far estimators are from the true error: over n, or at a single n with the spread of one estimate.

    Parameters
    ----------
    what : BiasReport or path, optional
        What to draw; otherwise data or a truth, as for :func:`tare.bbc`.
    ax : matplotlib Axes, optional
    norm : {1, 2}
        Of estimators that have it.

    Returns
    -------
    matplotlib Axes
    """
    report = what if isinstance(what, BiasReport) else bbc(what, **data) if what is not None else bbc(**data)
    lines: dict[str, list[Any]] = {}
    for row in sorted(report, key=lambda r: r.n):
        if row.bias is not None and row.norm in (None, norm):
            lines.setdefault(row.estimator, []).append(row)
    if not lines:
        raise Error(f"there is no bias in norm {norm} to draw", "undefined", "norm is 1 or 2, as it was simulated")
    sizes = sorted({row.n for rows in lines.values() for row in rows})
    ax = axes(ax, (6.2, 4.4) if len(sizes) > 1 else (6.2, 0.35 * len(lines) + 1.6))
    truth = report.true_error.get(norm)
    ax.set_title(f"bias of estimators, norm {norm}" + ("" if truth is None else f"; true error {100 * truth:.2f}%"), fontsize="medium")
    ax.grid(True, color=GRID, linewidth=0.6)
    if len(sizes) == 1:
        one = {name: (100 * rows[0].bias, 100 * (rows[0].sd or 0)) for name, rows in lines.items()}
        return draw_rows(ax, [Row(name, value, value - sd, value + sd, style_of_estimator(name)) for name, (value, sd) in one.items()],
                         f"bias ± sd of one estimate at n = {sizes[0]:,}, percentage points")
    _over_sizes(ax, lines, sizes)
    return ax


def _over_sizes(ax: Any, lines: dict[str, list[Any]], sizes: list[int]) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    for name, rows in lines.items():
        ax.plot([r.n for r in rows], [100 * r.bias for r in rows], label=name, markersize=4, **style_of_estimator(name))
    ax.axhline(0, color=DARK, linestyle="--", linewidth=1.5)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(FixedLocator(sizes))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))
    ax.set_xlabel("n")
    ax.set_ylabel("bias, percentage points")
    ax.legend(fontsize="small")


def groups(what: Any = None, /, *, ax: Any = None, most: int = 20, **data: Any) -> Any:
    """The mean gap of every group with its interval, the strongest evidence first.

    Parameters
    ----------
    what : Groups, Measurement, TestReport or path, optional
        What to draw; otherwise data with ``group``, as for :func:`tare.measure`.
    ax : matplotlib Axes, optional
    most : int
        No more groups than these.

    Returns
    -------
    matplotlib Axes
    """
    found = what if isinstance(what, Groups) else what.groups if isinstance(what, (Measurement, TestReport)) else (
        measure(what, **data) if what is not None else measure(**data)).groups
    if found is None:
        raise Error("there are no groups to draw", "undefined", "say which group each row is of: measure(..., group=...)")
    lines = list(found)[:most]
    several = len({g.column for g in lines}) > 1
    rows = [Row((f"{g.column}: " if several else "") + g.group + (" (off)" if g.found else ""), 100 * g.gap,
                100 * (g.gap if g.low is None else g.low), 100 * (g.gap if g.high is None else g.high),
                {"marker": "s" if g.found else "o", "color": DARK, "markerfacecolor": FOUND if g.found else GROUND}) for g in lines]
    title = "mean score less share of hits, percentage points"
    return draw_rows(axes(ax, (6.2, 0.3 * len(lines) + 1.6)), rows, title if several else f"{lines[0].column}: {title}")


def watch(what: WatchReport, /, *, ax: Any = None) -> Any:
    """The three kinds of evidence day by day, each over its alarm.

    Parameters
    ----------
    what : WatchReport
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
    """
    if not len(what):
        raise Error("there is no day to draw", "undefined", "add a day to the watch first")
    from matplotlib.ticker import NullLocator

    ax = axes(ax, (6.2, 4.2))
    limits = what.to_dict()["limits"]
    for i, (key, word) in enumerate((("evidence", "lost: evidence"), ("detector", "lately: detector"), ("reference_evidence", "changed: evidence"))):
        over = [np.clip((day[key] or 0) / limits[key], 1e-4, 1e4) for day in what]
        ax.plot(range(1, len(what) + 1), over, label=f"{word} / {limits[key]:g}", markersize=4, **series_style(i))
    ax.axhline(1, color=DARK, linewidth=1.5)
    ax.annotate("alarm", (len(what) + 0.5, 1), va="bottom", ha="right")
    ax.set_yscale("log")
    ax.set_ylim(1e-4, 1e4)
    ax.yaxis.set_minor_locator(NullLocator())
    ax.set_xlim(0.5, len(what) + 0.5)
    ax.set_xlabel(f"day, since {what.to_dict()['reference']['name']}")
    ax.set_ylabel("over its alarm")
    ax.grid(True, color=GRID, linewidth=0.6)
    ax.legend(fontsize="small")
    return ax
