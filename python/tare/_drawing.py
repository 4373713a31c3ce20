"""What all pictures share: colours, markers, and where to draw."""

from __future__ import annotations

from typing import Any

from ._calls import TABLES

_COLOURS: dict[str, dict[str, str]] = TABLES["palette"]["colours"]


def _colour(role: str) -> str:
    """As the program draws it on white."""
    return _COLOURS[role]["light"]


BAR, DARK, OVER, UNDER, UNDER_GROUND, CURVE, BAND = map(_colour, ("bar", "ink", "over", "under", "under_ground", "isotonic", "bracket"))
GRID, GROUND, COUNT, FOUND, BETTER, CHANCE, BEFORE, AFTER = map(_colour, ("grid", "ground", "count", "found", "better", "chance", "before", "after"))
FILL, SMOOTH, DIM = map(_colour, ("band", "curve", "dim"))  # of a curve, the curve, and what is beside the point

_MARKS = {"disc": "o", "square": "s", "triangle": "^", "diamond": "D", "fall": "v", "cross": "x", "plus": "+"}
_OPEN = {"ring": "o", "open_square": "s", "open_triangle": "^", "open_diamond": "D", "open_fall": "v"}


def _look(row: dict[str, str]) -> dict[str, Any]:
    """A look of the palette as matplotlib's keywords for a line."""
    dash = tuple(float(length) for length in row["dash"].split())
    out: dict[str, Any] = {"color": row["colour"], "linestyle": (0, dash) if dash else "-", "marker": (_MARKS | _OPEN)[row["mark"]]}
    if row["mark"] in _OPEN:
        out["markerfacecolor"] = GROUND
    return out


_LOOKS = {row["name"]: _look(row["look"]) for row in TABLES["estimators"]}
_SERIES = [_look(row) for row in TABLES["palette"]["series"]]


def style_of_estimator(estimator: str) -> dict[str, Any]:
    """How lines and marks of an estimator look in every picture."""
    return dict(_LOOKS[estimator])


def series_style(i: int) -> dict[str, Any]:
    """How the i-th of other series looks: models, kinds of evidence."""
    return dict(_SERIES[i % len(_SERIES)])


REFERENCES: list[str] = [row["name"] for row in TABLES["estimators"] if row["reference"]]  # whose bins a diagram shows; first the usual
MONOTONE: str = next(row["name"] for row in TABLES["estimators"] if row["monotone"])  # whose blocks are the isotonic curve


def axes(ax: Any, size: tuple[float, float]) -> Any:
    """Those that were given, or new ones with room for all that is written around them."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]
