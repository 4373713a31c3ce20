"""Estimators as scorers, for cross_val_score and GridSearchCV.

A scorer is larger for better models, so errors are negated, as scikit-learn does: ``tare.metrics.neg_ece_ew``,
``tare.metrics.neg_brier``, ``tare.metrics.accuracy``. :func:`scorer` makes one with options. A log loss that is infinite is a score of
-inf. ``sample_weight`` says how much rows count beside each other, whatever their sum.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import as_array
from ._calls import _DATA, TABLES
from ._errors import Error, estimator_hint
from ._estimators import ESTIMATORS
from ._options import understood
from ._responses import RESPONSES, class_codes, response_of

if TYPE_CHECKING:
    from typing_extensions import Self

_ROWS = {row["name"]: row for row in TABLES["estimators"]}
_LOSSES = {name for name, row in _ROWS.items() if row["error"] or row["score"]}


class Scorer:
    """Calls ``estimator.predict_proba`` and one estimator of the table; made by :func:`scorer`. Can be pickled."""

    def __init__(self, name: str, options: dict[str, Any], response: str) -> None:
        self.name = name
        self.options = options
        self.response = response

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        scores = np.asarray(response_of(estimator, self.response, X))
        labels = class_codes(y, estimator.classes_)
        weights = None
        if sample_weight is not None:
            weights = as_array(sample_weight, "sample_weight").astype(np.float64)
            total, rows = float(weights.sum()), int(np.count_nonzero(weights))
            weights = weights * (rows / total) if total > 0 else weights
        try:
            value = ESTIMATORS[self.name](**{RESPONSES[self.response]: scores}, labels=labels, weights=weights, **self.options)
        except Error as why:
            if why.code == "undefined" and "infinite" in why.message:
                return -np.inf
            raise
        return -value if self.name in _LOSSES else value

    # metadata routing

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """Is ``sample_weight`` to be passed on to this scorer? With ``sklearn.set_config(enable_metadata_routing=True)``."""
        self._requests().score.add_request(param="sample_weight", alias=sample_weight)
        return self

    def get_metadata_routing(self) -> Any:
        """What this scorer asks for."""
        return self._requests()

    def _requests(self) -> Any:
        if not hasattr(self, "_metadata_request"):
            from sklearn.utils.metadata_routing import MetadataRequest

            self._metadata_request = MetadataRequest(owner=self)
            self._metadata_request.score.add_request(param="sample_weight", alias=None)
        return self._metadata_request

    def __getstate__(self) -> dict[str, Any]:
        return dict(self.__dict__)

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
        Those of the function of that name: ``bins``, ``norm``, ``reduction``, ``threads``.

    Note
    ----
    Choose models by a proper score (``brier``, ``nll``). An error of calibration can be lowered by throwing information away.
    """
    if name not in ESTIMATORS:
        raise Error(f"there is no estimator '{name}'", "bad_option", estimator_hint(name, ESTIMATORS))
    if response not in RESPONSES:
        raise Error(f"response is {response!r}", "bad_option", "it is predict_proba or decision_function")
    allowed = [p for p in inspect.signature(ESTIMATORS[name]).parameters if p not in (*_DATA, "classes", "ignore_index")]
    return Scorer(name, understood("scorer", options, allowed), response)


SCORERS: dict[str, Scorer] = {("neg_" if name in _LOSSES else "") + name: scorer(name) for name in ESTIMATORS}
globals().update(SCORERS)
__all__ = ["scorer", "Scorer", "SCORERS", *SCORERS]


def __getattr__(name: str) -> Any:
    known = [*SCORERS, "scorer"]
    bare = name.removeprefix("neg_")
    hint = f"did you mean {'neg_' + bare if 'neg_' + bare in SCORERS else bare}?" if bare in ESTIMATORS else estimator_hint(bare, known)
    raise AttributeError(f"module 'tare.metrics' has no attribute '{name}'" + ("" if name.startswith("_") or "there are" in hint else f"; {hint}"))


def __dir__() -> list[str]:
    return __all__
