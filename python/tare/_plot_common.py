"""What pictures of a measurement share: which estimate is drawn, its bins, its words, its title."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._calls import measure
from ._drawing import GRID
from ._errors import Error
from ._results import Estimate, Measurement
from ._rows import Curve


def measurement_of(what: Any, data: dict[str, Any]) -> Measurement:
    if isinstance(what, Measurement):
        if data:
            raise Error(f"both a measurement and {next(iter(data))} were given", "bad_option",
                        "pass one of them; a measurement has its own bins, names and data")
        return what
    return measure(what, **data) if what is not None else measure(**data)


def line_of(m: Measurement, estimator: str, norm: int | None, class_index: int | str | None) -> Estimate:
    """The estimate whose bins are drawn; classwise without a class: the one with the largest error beyond noise."""
    found = [e for e in m if e.name == estimator and norm in (None, e.norm) and e.per_bin]
    if class_index is not None:
        found = [e for e in found if class_index in (e.class_index, e.class_name)]
    if not found:
        raise Error(f"there are no bins of {estimator} to draw", "undefined",
                    "ece_ew, ece_em, sweep_em and their relatives have bins; measure them first")
    found = [e for e in found if e.norm == found[0].norm]
    return max(found, key=lambda e: float(e) - (e.floor or 0))


def curve_of(m: Measurement, e: Estimate) -> Curve | None:
    """The calibration curve of the rows that an estimate is about."""
    return m.curve if e.class_index is None else m.class_curves.get(e.class_index)


def words_of(m: Measurement) -> tuple[str, str, str]:
    """Score, its mean, and the share of hits."""
    if m.input.reduction == "top_label":
        return "confidence", "mean confidence", "accuracy"
    one = "class 1" if m.input.reduction == "positive" else "the class"
    return f"probability of {one}", "mean probability", "observed rate"


def columns_of(e: Estimate) -> tuple[np.ndarray, ...]:
    return tuple(np.array([b[k] for b in e.per_bin]) for k in ("lower", "upper", "count", "mean_score", "mean_label"))


def title_of(m: Measurement, e: Estimate, name: str | None) -> str:
    norm = f" (l{e.norm})" if e.norm else ""
    head = f"{e.name}{norm} {100 * float(e):.2f}%"
    if e.floor_high is not None:
        head += f"; by chance up to {100 * e.floor_high:.2f}%"
    cls = f", class {e.class_index if e.class_name is None else e.class_name}" if e.class_index is not None else ""
    shown = name if name is not None else m.name
    return (f"{shown}\n" if shown else "") + f"{head}\nn = {m.n:,}, {m.input.reduction}{cls}"


def unit_axes(ax: Any, x: str, y: str) -> None:
    ax.set_xlim(0, 1)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(True, color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
