"""Estimators as scorers, for cross_val_score and GridSearchCV.

A scorer is larger for better models, so errors are negated, as scikit-learn does: ``tare.metrics.neg_ece_ew``,
``tare.metrics.neg_brier``, ``tare.metrics.accuracy``. :func:`scorer` makes one with options.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._calls import ESTIMATORS, TABLES
from ._errors import Error

_ROWS = {row["name"]: row for row in TABLES["estimators"]}
_LOSSES = {name for name, row in _ROWS.items() if row["error"] or row["score"]}


class Scorer:
    """Calls ``estimator.predict_proba`` and one estimator of the table; made by :func:`scorer`. Can be pickled."""

    def __init__(self, name: str, options: dict[str, Any], response: str) -> None:
        self.name = name
        self.options = options
        self.response = response

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        scores = np.asarray(getattr(estimator, self.response)(X))
        classes = np.asarray(estimator.classes_)
        labels = np.searchsorted(classes, np.asarray(y))
        if np.any(classes[np.minimum(labels, len(classes) - 1)] != np.asarray(y)):
            raise Error("y holds a class that the estimator does not know", "bad_input", "were all classes in its training data?")
        kind = "probs" if self.response == "predict_proba" else "logits"
        value = ESTIMATORS[self.name](**{kind: scores}, labels=labels, weights=sample_weight, **self.options)
        return -value if self.name in _LOSSES else value

    def __repr__(self) -> str:
        options = "".join(f", {k}={v!r}" for k, v in self.options.items())
        return f"tare.metrics.scorer({self.name!r}{options})"


def scorer(name: str, *, response: str = "predict_proba", **options: Any) -> Scorer:
    """The estimator ``name`` as a scorer.

    Parameters
    ----------
    name : str
        An estimator: ``"ece_ew"``, ``"sweep_em"``, ``"brier"``, …
    response : {"predict_proba", "decision_function"}
        What to ask the classifier for; the second is taken for logits.
    **options
        Those of the function of that name: ``bins``, ``norm``, ``reduction``.

    Note
    ----
    Choose models by a proper score (``brier``, ``nll``). An error of calibration can be lowered by throwing information away.
    """
    if name not in ESTIMATORS:
        raise Error(f"there is no estimator '{name}'", "bad_option", f"there are {', '.join(ESTIMATORS)}")
    if response not in ("predict_proba", "decision_function"):
        raise Error(f"response is {response!r}", "bad_option", "it is predict_proba or decision_function")
    return Scorer(name, options, response)


SCORERS: dict[str, Scorer] = {("neg_" if name in _LOSSES else "") + name: scorer(name) for name in ESTIMATORS}
globals().update(SCORERS)
__all__ = ["scorer", "Scorer", "SCORERS", *SCORERS]


def __dir__() -> list[str]:
    return __all__
