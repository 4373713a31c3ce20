"""CalibratedClassifier: any scikit-learn classifier with repaired probabilities."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch, _safe_indexing, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_method_params, _check_sample_weight, _num_samples, check_is_fitted, has_fit_parameter

from ._calibrators import Calibrator, Uncalibrated, calibrator
from ._errors import Error, FitWarning
from ._responses import RESPONSES, response_of

if TYPE_CHECKING:
    from typing_extensions import Self

# What method="auto" chooses from: quick for any number of classes, and never a probability of 0.
_CANDIDATES = ("temperature", "platt", "beta")


def _folds(scores: np.ndarray, codes: np.ndarray, count: int = 5) -> np.ndarray:
    """A fold for every row at random, alike in classes. Rows take their turn by their content: their order is no matter."""
    key = np.empty(len(codes))
    key[np.lexsort((*scores.reshape(len(scores), -1).T, codes))] = np.random.default_rng(1).random(len(codes))
    out = np.empty(len(codes), dtype=int)
    out[np.lexsort((key, codes))] = np.arange(len(codes)) % count
    return out


class CalibratedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A scikit-learn classifier whose probabilities are repaired by a calibrator of the table.

    Parameters
    ----------
    estimator : classifier, optional
        LogisticRegression() if not given.
    method : str or Calibrator
        A name such as ``"temperature"``, ``"isotonic"`` or ``"sigmoid"`` (``"platt"``), or an unfitted calibrator with options of its own. ``"auto"`` takes what
        has the lowest out-of-fold Brier score, as :func:`tare.compare` does: temperature, platt, beta, or nothing at all.
    cv : int, cross-validation generator, iterable of splits, or "prefit"
        The calibrator is fitted on pooled out-of-fold predictions, the estimator on all rows. ``"prefit"``: the estimator is
        fitted already, and all rows of ``fit`` calibrate it; they must not be those it was trained on. So it is with a
        ``FrozenEstimator``.
    response : {"predict_proba", "decision_function"}
        What the calibrator is given: probabilities, or scores that it takes for logits. Never guessed.

    Attributes
    ----------
    estimator_ : the fitted classifier.
    calibrator_ : the fitted calibrator; its ``method`` says which, ``"uncalibrated"`` if the classifier was best left alone.
    selection_ : dict, with ``method="auto"`` only: the out-of-fold Brier score of every candidate.
    classes_ : array of shape (K,)
    """

    def __init__(self, estimator: Any = None, *, method: str | Calibrator = "auto", cv: Any = 5,
                 response: str = "predict_proba") -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.response = response

    def _base(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _calibrator(self) -> Calibrator | None:
        if self.response not in RESPONSES:
            raise Error(f"response is {self.response!r}", "bad_option", f"it is {' or '.join(RESPONSES)}")
        kind = RESPONSES[self.response]
        if isinstance(self.method, str) and self.method == "auto":
            return None
        if not isinstance(self.method, Calibrator):
            return calibrator(self.method, kind)
        if self.method.input != kind:
            raise Error(f"{self.method!r} takes {self.method.input}, but {self.response} gives {kind}", "bad_option",
                        f"construct it with input={kind!r}")
        return clone(self.method)

    def _scores(self, fitted: Any, X: Any, classes: np.ndarray) -> np.ndarray:
        """One column per class of `classes`; (n,) for two classes and decision_function. A class that the estimator has not
        seen gets probability 0, or a score far below the others."""
        raw = np.asarray(response_of(fitted, self.response, X), dtype=np.float64)
        seen = np.searchsorted(classes, fitted.classes_)
        if raw.ndim == 1:
            if len(seen) == len(classes):
                return raw
            raw = np.column_stack([np.zeros_like(raw), raw])
        if len(seen) == len(classes):
            return raw
        absent = 0.0 if self.response == "predict_proba" else raw.min() - 40
        out = np.full((len(raw), len(classes)), absent)
        out[:, seen] = raw
        return out

    def _routed(self, base: Any, weight: Any, fit_params: dict[str, Any]) -> Any:
        """Which parameters go to the estimator and to the splitter: as was requested, where metadata are routed."""
        from sklearn import get_config

        if get_config().get("enable_metadata_routing", False):
            return process_routing(self, "fit", **({} if weight is None else {"sample_weight": weight}), **fit_params)
        mine = dict(fit_params)
        if weight is not None and has_fit_parameter(base, "sample_weight"):
            mine["sample_weight"] = weight
        return Bunch(estimator=Bunch(fit=mine), splitter=Bunch(split={}))

    def get_metadata_routing(self) -> Any:
        """Parameters of ``fit`` go to the estimator and to the splitter, as they request."""
        fitting = MethodMapping().add(caller="fit", callee="fit")
        splitting = MethodMapping().add(caller="fit", callee="split")
        router = MetadataRouter(owner=self).add_self_request(self).add(estimator=self._base(), method_mapping=fitting)
        return router.add(splitter=self.cv, method_mapping=splitting)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fits estimator and calibrator. Weights are frequencies: 2 means the row twice."""
        if y is None:
            raise ValueError(f"requires y to be passed, but the target y is None; {type(self).__name__} needs it")
        X, y, sample_weight = indexable(X, y, sample_weight)
        y = np.asarray(y) if not hasattr(y, "to_numpy") else y.to_numpy()
        if _num_samples(y) == 0:
            raise Error("there are no rows", "bad_input", "at least two classes are needed")
        check_classification_targets(y)
        if y.ndim == 2 and y.shape[1] == 1:
            from sklearn.exceptions import DataConversionWarning

            warnings.warn("A column-vector y was passed when a 1d array was expected.", DataConversionWarning, stacklevel=2)
            y = y.ravel()
        if type_of_target(y) not in ("binary", "multiclass"):
            raise Error(f"y is of type {type_of_target(y)}", "unsupported", "one class per row is needed")
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X)
        map_ = self._calibrator()
        base = self._base()
        prefit = isinstance(self.cv, str) and self.cv == "prefit" or isinstance(base, FrozenEstimator)
        routed = self._routed(base, sample_weight, fit_params)
        if prefit:
            check_is_fitted(base)
            self.classes_ = base.classes_
        else:
            self.classes_ = np.unique(y)
        codes = np.searchsorted(self.classes_, y)
        strange = np.setdiff1d(y, self.classes_)
        if len(strange):
            raise Error(f"y holds {strange[0]!r}, a class that the estimator does not know", "bad_input")
        if len(self.classes_) < 2:
            raise Error(f"y holds one class only: {self.classes_[0]!r}", "bad_input", "at least two classes are needed")
        if prefit:
            self.estimator_ = base
            scores, rows, fold = self._scores(base, X, self.classes_), np.arange(len(y)), np.zeros(len(y), dtype=int)
        else:
            scores, rows, fold = self._out_of_fold(base, X, y, routed)
            self.estimator_ = clone(base).fit(X, y, **routed.estimator.fit)
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)[rows]
        if map_ is None:
            map_ = self._best(scores, codes[rows], weight, rows, fold)
        self.calibrator_ = map_ if isinstance(map_, Uncalibrated) else map_.fit(scores, codes[rows], weight)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _out_of_fold(self, base: Any, X: Any, y: Any, routed: Any) -> tuple[np.ndarray, ...]:
        """Scores of rows by estimators that have not seen them, which rows they are, and of which fold."""
        blocks, rows = [], []
        for train, test in check_cv(self.cv, y, classifier=True).split(X, y, **routed.splitter.split):
            params = _check_method_params(X, params=routed.estimator.fit, indices=train)
            one = clone(base).fit(_safe_indexing(X, train), y[train], **params)
            blocks.append(self._scores(one, _safe_indexing(X, test), self.classes_))
            rows.append(np.asarray(test))
        return np.concatenate(blocks), np.concatenate(rows), np.repeat(np.arange(len(rows)), [len(r) for r in rows])

    def _best(self, scores: np.ndarray, codes: np.ndarray, weight: Any, rows: np.ndarray, fold: np.ndarray) -> Any:
        """The candidate with the lowest Brier score on folds that it was not fitted on. The folds are those of `cv`; where that
        gives only one, the rows are dealt into five."""
        kind = RESPONSES[self.response]
        if fold.max() == 0:
            fold = _folds(scores, codes)
        truth = np.eye(len(self.classes_))[codes]

        def loss(p: np.ndarray) -> float:
            return float(np.average(((p - truth) ** 2).sum(axis=1), weights=weight))

        best: Any = Uncalibrated(kind)
        if weight is not None and not weight.sum() > 0:
            return calibrator(_CANDIDATES[0], kind)  # which says what is wrong
        self.selection_ = {best.method: loss(best.predict_proba(scores))}
        for name in _CANDIDATES:
            p = np.empty(truth.shape)
            try:
                for f in np.unique(fold):
                    judged = fold == f
                    train = ~np.isin(rows, rows[judged])
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore", FitWarning)
                        one = calibrator(name, kind).fit(scores[train], codes[train], None if weight is None else weight[train])
                    p[judged] = one.predict_proba(scores[judged])
            except Error:  # too few rows
                continue
            self.selection_[name] = loss(p)
            if self.selection_[name] < self.selection_[best.method] * (1 - 1e-12):  # rounding decides nothing
                best = calibrator(name, kind)
        return best

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated probabilities, one column per class of ``classes_``."""
        check_is_fitted(self)
        return self.calibrator_.predict_proba(self._scores(self.estimator_, X, self.classes_))

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of :meth:`predict_proba`; -inf where that is 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """The class with the largest calibrated probability."""
        check_is_fitted(self)
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = get_tags(self._base())
        tags.input_tags.sparse = base.input_tags.sparse
        tags.input_tags.pairwise = base.input_tags.pairwise
        tags.input_tags.allow_nan = base.input_tags.allow_nan
        return tags
