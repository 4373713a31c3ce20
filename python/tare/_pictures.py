"""Pictures from a description, as the program draws them as SVG (src/tare/render/pictures): panels with axes, rules, marks and notes; charts of rows."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np

from ._drawing import DARK, GRID, _look, axes


def grid(ax: Any, axis: Any = "both") -> None:
    ax.grid(True, axis=axis, color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)


def _line(stroke: dict[str, Any]) -> dict[str, Any]:
    dash = tuple(float(length) for length in stroke["dash"].split())
    return {"color": stroke["colour"], "linewidth": stroke["width"], "linestyle": (0, dash) if dash else "-"}


def _axis(ax: Any, which: str, axis: dict[str, Any]) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    if axis["log"]:
        getattr(ax, f"set_{which}scale")("log")
        getattr(ax, f"{which}axis").set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}" if n >= 1 else f"{n:g}"))
        getattr(ax, f"{which}axis").set_minor_formatter(NullFormatter())
    getattr(ax, f"set_{which}lim")(axis["factor"] * axis["low"], axis["factor"] * axis["high"])
    getattr(ax, f"set_{which}label")(axis["title"])


def _mark(ax: Any, mark: dict[str, Any], across: float, up: float) -> None:
    x, y, low, high = across * np.array(mark["x"]), *(up * np.array(mark[key]) for key in ("y", "low", "high"))
    label = mark["label"] or "_nolegend_"
    if mark["area"]:
        ax.fill_between(x, low, high, color=mark["area"], label=label)
        return
    dot, line = mark["dot"], mark["line"]
    if dot and mark["size"]:
        ax.scatter(x, y, s=(2 * (dot["radius"] + 4 * np.sqrt(mark["size"]))) ** 2, facecolors="none", edgecolors=dot["colour"], label=label)
        return
    if dot and len(low):
        ax.vlines(x, low, high, color=dot["colour"], linewidth=1)
    looks = _look(dot) | {"markersize": 2 * dot["radius"]} if dot else {}
    ax.plot(x, y, **(looks | (_line(line) if line else {"linestyle": "none"})), label=label)


def _panel(ax: Any, panel: dict[str, Any]) -> None:
    across, up = panel["x"]["factor"], panel["y"]["factor"]
    _axis(ax, "x", panel["x"])
    _axis(ax, "y", panel["y"])
    for rule in panel["rules"]:
        if rule["low"] is not None:
            ax.axhspan(up * max(rule["low"], panel["y"]["low"]), up * rule["high"], color=rule["area"])
        draw, factor = (ax.axvline, across) if rule["vertical"] else (ax.axhline, up)
        draw(factor * rule["at"], **_line(rule["line"]), label=rule["label"] or "_nolegend_")
    for mark in panel["marks"]:
        _mark(ax, mark, across, up)
    for note in panel["notes"]:
        ax.annotate(note["words"], (across * note["x"], up * note["y"]), xytext=(8, 8), textcoords="offset points")
    grid(ax)


def draw(found: dict[str, Any], ax: Any = None, size: tuple[float, float] = (5.2, 4.2)) -> Any:
    """In these Axes, one for each panel, or in new ones for the only panel. Axes without a panel stay empty."""
    all_axes = list(ax) if isinstance(ax, (list, tuple, np.ndarray)) else [axes(ax, size)]
    for where, panel in zip(all_axes, found["panels"]):
        _panel(where, panel)
        where.set_title(panel["title"], fontsize="small")
    for where in all_axes[len(found["panels"]):]:
        where.set_axis_off()
    words = [found["source"], found["about"], f"n = {found['n']:,}", found["panels"][0]["title"]]
    all_axes[0].set_title("\n".join(word for word in words if word), fontsize="small")
    all_axes[0].legend(fontsize="small")
    return np.array(all_axes) if len(all_axes) > 1 else all_axes[0]


class Row(NamedTuple):
    """One line of a chart of rows: a value with its interval, and how its mark looks."""

    label: str
    value: float
    low: float
    high: float
    look: dict[str, Any]


def row_axis(ax: Any, labels: Sequence[str], title: str) -> None:
    """Rows from the top to the bottom, with their names."""
    ax.set_yticks(range(len(labels)), labels)
    ax.invert_yaxis()
    ax.set_xlabel(title)


def draw_rows(ax: Any, rows: Sequence[Row], title: str) -> Any:
    """Values with their intervals on one axis, and the line at 0."""
    for i, row in enumerate(rows):
        ax.errorbar(row.value, i, xerr=[[row.value - row.low], [row.high - row.value]], capsize=3, **(row.look | {"linestyle": "none"}))
    ax.axvline(0, color=DARK, linestyle="--", linewidth=1.5)
    row_axis(ax, [row.label for row in rows], title)
    ax.grid(True, axis="x", color=GRID, linewidth=0.6)
    return ax
