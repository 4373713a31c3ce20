"""ReliabilityDisplay; it is in :mod:`tare.plot`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._calls import _BINS, measure
from ._drawing import MONOTONE, REFERENCES
from ._errors import ArgumentError, Error, nearest
from ._responses import class_codes, response_of
from ._results import Measurement

_OPTIONS = ("style", "axis", "estimator", "norm", "class_index", "counts", "curve", "band")


class ReliabilityDisplay:
    """A reliability diagram with scikit-learn's spelling, as its CalibrationDisplay; see :func:`reliability`.

    Attributes: ``measurement``, ``name``, and after plotting ``ax_`` and ``figure_``.
    """

    def __init__(self, measurement: Measurement, *, name: str | None = None) -> None:
        self.measurement = measurement
        self.name = name

    def plot(self, ax: Any = None, *, name: str | None = None, ref_line: bool = True, **kwargs: Any) -> "ReliabilityDisplay":
        """Draws it; ``kwargs`` are options of :func:`reliability`, and others are matplotlib's, for the points."""
        mine = {k: v for k, v in kwargs.items() if k in _OPTIONS}
        points = {k: v for k, v in kwargs.items() if k not in _OPTIONS}
        self._check(points)
        from .plot import reliability

        self.ax_ = reliability(self.measurement, ax=ax, name=name or self.name, ref_line=ref_line, points=points, **mine)
        self.figure_ = self.ax_.figure
        return self

    @staticmethod
    def _check(points: dict[str, Any]) -> None:
        from matplotlib.lines import Line2D

        for word in points:
            if not hasattr(Line2D, f"set_{word}") and word not in ("c", "ls", "lw", "ms", "mfc", "mec", "mew", "scalex", "scaley", "data"):
                near = nearest(word, (*_OPTIONS, "n_bins", "strategy", "name", "ref_line", "ax", "color", "marker", "label"))
                raise ArgumentError(f"ReliabilityDisplay got an unexpected keyword argument '{word}'", "bad_option",
                                    f"did you mean {near}?" if near else f"it has {', '.join(_OPTIONS)} and what matplotlib's plot has")

    @classmethod
    def from_predictions(cls, y_true: Any, y_prob: Any = None, *, n_bins: int = _BINS, strategy: str = "uniform", pos_label: Any = None,
                         name: str | None = None, ref_line: bool = True, ax: Any = None, sample_weight: Any = None, logits: Any = None,
                         probs: Any = None, classes: Any = None, reduction: str | None = None, bins: int | None = None,
                         **kwargs: Any) -> "ReliabilityDisplay":
        """From true classes and predictions.

        Parameters
        ----------
        y_true : array of shape (n,)
            The true classes.
        y_prob : array of shape (n,) or (n, K)
            Probabilities: of the positive class, or of every class; ``logits=`` instead where they are scores.
        n_bins : int
            Number of bins.
        strategy : {"uniform", "quantile"}
            Bins of equal width (``ece_ew``), or with equally many rows (``ece_em``).
        pos_label : optional
            The class that ``y_prob`` of shape (n,) is about; the larger of the two if not given.
        name : str, optional
            What the model is called.
        ref_line : bool
            Draw the diagonal.
        ax : matplotlib Axes, optional
        sample_weight, classes, reduction
            As ``weights``, ``classes`` and ``reduction`` of :func:`tare.measure`.
        **kwargs
            Options of :func:`reliability`; others are matplotlib's, for the points.
        """
        if strategy not in ("uniform", "quantile"):
            raise Error(f"strategy is {strategy!r}", "bad_option", "it is uniform (bins of equal width) or quantile (of equal mass)")
        probs = y_prob if probs is None else probs
        if pos_label is not None and classes is None:
            found = np.unique(np.asarray(y_true))
            if pos_label not in found or len(found) > 2:
                raise Error(f"pos_label is {pos_label!r}, and y_true holds {', '.join(map(repr, found.tolist()[:5]))}", "bad_option", "it is one of two classes")
            classes = [*(c for c in found.tolist() if c != pos_label), pos_label] if len(found) == 2 else None
        kind = {"uniform": "ece_ew", "quantile": "ece_em"}[strategy]
        m = measure(logits=logits, probs=probs, labels=y_true, weights=sample_weight, bins=n_bins if bins is None else bins, reduction=reduction,
                    classes=classes, name=name, estimators=[*REFERENCES, *([kind] if kind not in REFERENCES else []), MONOTONE])
        return cls(m, name=name).plot(ax, ref_line=ref_line, **{"estimator": kind, **kwargs})

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, n_bins: int = _BINS, strategy: str = "uniform", pos_label: Any = None,
                       name: str | None = None, ref_line: bool = True, ax: Any = None, sample_weight: Any = None,
                       reduction: str | None = None, bins: int | None = None, **kwargs: Any) -> "ReliabilityDisplay":
        """From a fitted classifier with ``predict_proba``; arguments as in :meth:`from_predictions`."""
        codes = class_codes(y, estimator.classes_)
        probs = np.asarray(response_of(estimator, "predict_proba", X))
        if pos_label is not None:
            at = class_codes([pos_label], estimator.classes_)[0]
            if len(estimator.classes_) != 2:
                raise Error("pos_label is for two classes", "bad_option", "of several, name one with class_index, and reduction='classwise'")
            codes, probs = (codes == at).astype(int), probs[:, at]
        return cls.from_predictions(codes, probs, n_bins=n_bins if bins is None else bins, strategy=strategy, ref_line=ref_line, ax=ax,
                                    name=type(estimator).__name__ if name is None else name, sample_weight=sample_weight,
                                    reduction=reduction, **kwargs)
