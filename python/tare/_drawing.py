"""What all pictures share: colours, markers, and where to draw."""

from __future__ import annotations

from typing import Any

from ._calls import TABLES

BAR, DARK, OVER, UNDER, UNDER_GROUND, CURVE, BAND = "#6f9bc8", "#222222", "#b22222", "#1f4e79", "#dbe9f6", "#7b3294", "#b35900"
MARKERS = "osD^vP*X"
LINES = ("-", "--", ":", "-.")
COLOURS = ("#1f4e79", "#b35900", "#7b3294", "#b22222", "#222222", "#1a7f5a")
REFERENCES: list[str] = [row["name"] for row in TABLES["estimators"] if row["reference"]]  # whose bins a diagram shows; first the usual
MONOTONE: str = next(row["name"] for row in TABLES["estimators"] if row["monotone"])  # whose blocks are the isotonic curve


def axes(ax: Any, size: tuple[float, float]) -> Any:
    """Those that were given, or new ones with room for all that is written around them."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]
