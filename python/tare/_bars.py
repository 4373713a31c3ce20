"""The reliability diagram as bars: one per bin, Guo et al. 2017."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ._drawing import BAND, BAR, COUNT, CURVE, DARK, GROUND, MONOTONE, OVER, REFERENCES, UNDER, UNDER_GROUND
from ._plot_common import columns_of, curve_of, unit_axes, words_of
from ._results import Estimate, Measurement


def _short(value: float, _: Any = None) -> str:
    """1, 10, 100, 1k, 10k, 1M."""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"


def fill_strip(strip: Any, e: Estimate, word: str, rows: str, where: tuple[np.ndarray, np.ndarray]) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    count, (left, right) = columns_of(e)[2], where
    strip.bar(left, count, right - left, align="edge", color=COUNT, edgecolor=DARK, linewidth=0.7 if len(count) <= 100 else 0)
    strip.set_yscale("log")
    low = float(np.floor(np.log10(count.min()) + 1e-12))
    high = max(float(np.ceil(np.log10(count.max()) - 1e-12)), low + 1)
    strip.set_ylim(10.0**low / 2, 10.0**high)  # a bin of one row can be seen
    powers = np.arange(low, high + 1, max(1, int(np.ceil((high - low) / 3))))
    strip.yaxis.set_major_locator(FixedLocator([10.0**power for power in powers]))
    strip.yaxis.set_minor_locator(NullLocator())
    strip.yaxis.set_major_formatter(FuncFormatter(_short))
    unit_axes(strip, word, rows)


def _draw_band(ax: Any, m: Measurement, e: Estimate) -> None:
    """Where the bars of a calibrated model end, 95 of 100 times."""
    band = m.bands.get(e.name, [])
    if len(band) != len(e.per_bin) or e.class_index is not None:
        return
    low, high = np.array(band).T
    score = columns_of(e)[3]
    middle = (low + high) / 2
    for width, colour, label in ((3.6, GROUND, None), (1.6, BAND, "95 of 100, if calibrated")):
        ax.errorbar(score, middle, yerr=(high - low) / 2, fmt="none", ecolor=colour, elinewidth=width, capthick=width,
                    capsize=3 if len(score) <= 60 else 1.5, label=label, zorder=3)


def _draw_curve(ax: Any, m: Measurement, e: Estimate) -> None:
    """The isotonic fit: flat over each of its blocks, where there are scores."""
    blocks = next((x.per_bin for x in m if x.name == MONOTONE and x.class_index == e.class_index and x.per_bin), None)
    if blocks is None:
        return
    reference = next((x for x in m if x.name == REFERENCES[0] and x.class_index == e.class_index and x.per_bin), e)
    first, last = reference.per_bin[0].lower, reference.per_bin[-1].upper
    steps = [(max(b.lower, first), min(b.upper, last), b.mean_label) for b in blocks if b.upper > first and b.lower < last]
    x = np.array([edge for left, right, _ in steps for edge in (left, right)])
    y = np.repeat([rate for _, _, rate in steps], 2)
    ax.plot(x, y, color=GROUND, linewidth=3.6, zorder=2.5)
    ax.plot(x, y, color=CURVE, linewidth=1.8, label="isotonic fit (CORP)", zorder=2.6)


def _pale(count: np.ndarray) -> np.ndarray:
    """How strongly bars are drawn: at 100 rows fully."""
    return np.clip(np.sqrt(count / 100), 0.25, 1)


def extents(m: Measurement, e: Estimate) -> tuple[np.ndarray, np.ndarray]:
    """Where the rows of each bin are; without a curve its edges."""
    lower, upper, _, score, _ = columns_of(e)
    curve = curve_of(m, e)
    if curve is None:
        return lower, upper
    first, last = (np.array([getattr(c, k) for c in curve.cells]) for k in ("first", "last"))
    left, right = lower.copy(), upper.copy()
    for i, (low, high) in enumerate(zip(lower, upper)):
        inside = ((last > low) | ((last == 0) & (low == 0))) & (first <= high)
        if inside.any():
            left[i], right[i] = max(first[inside].min(), low), min(last[inside].max(), high)
    thin = right - left < 0.005
    left[thin], right[thin] = score[thin] - 0.0025, score[thin] + 0.0025
    return left, right


def draw_bars(ax: Any, m: Measurement, e: Estimate, band: bool, curve: bool, ref_line: bool, points: Mapping[str, Any]) -> None:
    _, _, count, score, label = columns_of(e)
    lower, upper = extents(m, e)
    width, shared, alpha = upper - lower, np.minimum(score, label), _pale(count)
    line = 0.7 if len(lower) <= 100 else 0
    score_word, mean_word, rate = words_of(m)
    for bar, strength in zip(ax.bar(lower, shared, width, align="edge", color=BAR, label=rate, edgecolor=DARK, linewidth=line), alpha):
        bar.set_alpha(float(strength))
    over = score > label
    for rows, hatch, ink, ground, words in ((over, "///", OVER, GROUND, f"{score_word} above it"),
                                            (~over, "xxx", UNDER, UNDER_GROUND, f"{score_word} below it")):
        if rows.any():
            bars = ax.bar(lower[rows], np.abs(score - label)[rows], width[rows], bottom=shared[rows], align="edge", facecolor=ground,
                          hatch=hatch, edgecolor=ink, linewidth=line, label=words)
            for bar, strength in zip(bars, alpha[rows]):
                bar.set_alpha(float(strength))
    ax.hlines(label, lower, upper, color=DARK, linewidth=2, alpha=alpha)
    if ref_line:
        ax.plot([0, 1], [0, 1], "--", color=DARK, linewidth=1.5, label="perfectly calibrated")
    if band:
        _draw_band(ax, m, e)
    if curve:
        _draw_curve(ax, m, e)
    look: dict[str, Any] = dict(marker="o", linestyle="none", markerfacecolor=GROUND, markeredgecolor=DARK, zorder=3.5,
                                markersize=5 if len(score) <= 60 else 2.5, label=f"{rate} at its {mean_word}")
    if not {"color", "c"}.isdisjoint(points):
        del look["markeredgecolor"]
    ax.plot(score, label, **(look | dict(points)))
    unit_axes(ax, score_word, rate)
    ax.set_ylim(0, 1)
