"""Pictures of calibrators and of several models; they are in :mod:`tare.plot`."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Mapping

from . import _tare
from ._calls import _name
from ._curves import draw_diagonal, set_axes
from ._drawing import AFTER, BEFORE, GROUND, axes, series_style
from ._errors import Error
from ._pictures import draw, grid
from ._plots_analysis import _spoken_data as _given
from ._rows import Curve


def _model(calibrator: Any) -> str:
    """The saved form of a fitted calibrator, or of the file of one."""
    if hasattr(calibrator, "_fitted"):
        text: str = calibrator._fitted().json()
        return text
    if isinstance(calibrator, (str, os.PathLike)):
        with open(calibrator, encoding="utf-8") as file:
            return file.read()
    raise Error(f"{type(calibrator).__name__} is no fitted calibrator", "bad_option", "pass one, or the file that its save() wrote")


def map(calibrator: Any, what: Any = None, /, *, ax: Any = None, **data: Any) -> Any:
    """What a fitted calibrator makes of every score, over the hit rates of the data.

    Parameters
    ----------
    calibrator : fitted calibrator or path
        Of :mod:`tare`, or a file that ``save`` or ``tare fit`` wrote.
    what : path, optional
        The data; otherwise arrays, as for :func:`tare.measure`. With ``reduction="classwise"`` one line for each of the largest classes.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
    """
    fold, options = _given(what, **data) if what is not None else _given(**data)
    found = json.loads(_tare.calibrator_map(_model(calibrator), fold, reduction=options["reduction"], bins=options["bins"], threads=options["threads"]))
    return draw(found, ax, (5.2, 5.2))


def _curves(found: dict[str, Any], looks: list[dict[str, Any]], ax: Any) -> Any:
    ax = axes(ax, (5.2, 5.2))
    curves = [Curve._of(row) for row in found["curves"]]
    kind = set_axes(ax, curves, "auto")
    draw_diagonal(ax, curves)
    ax.set_xlabel("score, %" if kind == "linear" else f"score, % ({kind} axis)")
    ax.set_ylabel("hit rate, %")
    grid(ax)
    for row, curve, look in zip(found["curves"], curves, looks):
        few = curve.basis == "values"
        x = [c.mean_score for c in curve.cells]
        ax.plot(x, [c.rate if few else c.curve for c in curve.cells], markevery=1 if few else max(1, len(x) // 12), markersize=4, label=row["name"], **look)
        for side in ("low", "high"):
            edge = [(at, getattr(piece, side)) for piece in curve.band for at in (piece.from_, piece.to)]
            if curve.basis != "none" and edge:
                ax.plot(*zip(*edge), ":", color=look["color"], linewidth=0.9)
    ax.set_title("dotted: 95% band of each whole curve", fontsize="small")
    ax.legend(fontsize="small", loc="upper left")
    return ax


def before_after(calibrator: Any, what: Any = None, /, *, ax: Any = None, **data: Any) -> Any:
    """The calibration curve before and after a calibrator, each with its band. Arguments as in :func:`map`."""
    fold, options = _given(what, **data) if what is not None else _given(**data)
    found = json.loads(_tare.before_after(_model(calibrator), fold, reduction=options["reduction"], threads=options["threads"]))
    return _curves(found, [{"color": BEFORE, "marker": "o", "markerfacecolor": GROUND, "linestyle": "--"}, {"color": AFTER, "marker": "o"}], ax)


def models(what: Mapping[str, Mapping[str, Any] | Any] | Iterable[Any], /, *, ax: Any = None, reduction: str | None = None) -> Any:
    """The calibration curves of several models in one diagram, each with its band.

    Parameters
    ----------
    what : dict, or list of paths
        Data of each model by its name: a path, or the arrays, as for :func:`tare.measure`: ``{"a": {"probs": p, "labels": y}}``.
    ax : matplotlib Axes, optional
    reduction : {"top_label", "positive"}, optional

    Returns
    -------
    matplotlib Axes
    """
    named = dict(what) if isinstance(what, Mapping) else {os.fspath(path): path for path in what}
    names: list[str] = []
    folds: list[Any] = []
    options: dict[str, Any] = {"reduction": "", "threads": None}
    for name, given in named.items():
        fold, options = _given(reduction=reduction, **given) if isinstance(given, Mapping) else _given(given, reduction=reduction)
        names.append(_name(name))
        folds.append(fold)
    if not 1 <= len(names) <= 8:
        raise Error(f"{len(names)} curves cannot be told apart", "unsupported", "draw one to 8")
    found = json.loads(_tare.curves(names, folds, reduction=options["reduction"], threads=options["threads"]))
    return _curves(found, [series_style(i) for i in range(len(names))], ax)
