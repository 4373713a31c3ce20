"""What all calibrators have in common: the habits of scikit-learn."""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _device, _tare
from ._arrays import as_array, callers_level, fold, is_tensor, like
from ._calls import TABLES
from ._errors import Error, FitWarning
from ._options import one_of, threads, value_of

if TYPE_CHECKING:
    from typing_extensions import Self

# What is known about each option, by its name in the table.
OPTIONS: dict[str, dict[str, Any]] = {entry["known"]: entry for entry in TABLES["options"]["fit"]}
_INPUTS = ("logits", "probs", "confidences")


class Calibrator:
    """What all calibrators have in common; the classes below differ in ``method`` and in their options.

    They are estimators of scikit-learn where that is installed. ``classes_`` are the classes in the order of the columns, ``model_``
    is what was fitted.
    """

    method: str = ""
    _options: dict[str, str] = {}  # name in Python: name in the table
    input: str
    threads: int | None
    classes_: np.ndarray
    n_features_in_: int
    model_: Any
    provenance_: dict[str, str]  # of a file that `tare fit --cv` or `tare compare --save` wrote

    def __init__(self, input: str, **options: Any) -> None:
        self.input = input
        for name, known in self._options.items():
            setattr(self, name, options.get(name, OPTIONS[known]["default"]))
        self.threads = options.get("threads")

    # scikit-learn's contract

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the constructor, by name."""
        return {name: getattr(self, name) for name in ("input", *self._options, "threads")}

    def set_params(self, **params: Any) -> Self:
        """Sets arguments of the constructor; the next fit uses them."""
        for name, value in params.items():
            if name not in self.get_params():
                raise Error(f"{type(self).__name__} has no parameter {name!r}", "bad_option",
                            f"it has {', '.join(self.get_params())}")
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.target_tags.required = not self._needs_no_labels()
        tags.input_tags.positive_only = self.input != "logits"
        return tags

    def __repr__(self) -> str:
        default = {name: OPTIONS[known]["default"] for name, known in self._options.items()} | {"threads": None}
        shown = [f"{k}={v!r}" for k, v in self.get_params().items() if k == "input" or np.ndim(v) or v != default[k]]
        return f"{type(self).__name__}({', '.join(shown)})"

    # the work

    def _rows(self, x: Any) -> np.ndarray:
        one_of("input", self.input, _INPUTS)
        return as_array(x, self.input)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, classes: Any = None, ignore_index: Any = None) -> Self:
        """Fits the map on rows that the classifier was not trained on.

        Parameters
        ----------
        X : array of shape (n, K) or (n,)
            What was declared as ``input``.
        y : array of shape (n,)
            The true classes: 0 to K-1, or their names; hits (1) and misses (0) where the input is confidences. Only prior_shift
            with a ``prior`` does without.
        sample_weight : array of shape (n,), optional
            Frequencies: 2 means the row twice. Where they sum to less than there are rows, they are shares, and scaled.
        classes, ignore_index : optional
            The names of the classes in the order of the columns, and a label whose rows are left out, as for :func:`measure`.
        """
        if self._on_device() and y is not None and _device.takes(X, y, classes):
            _device.refuse_weights(X, sample_weight)
        if self._on_device() and y is not None and sample_weight is None and _device.takes(X, y, classes):
            return self._keep(_tare.load(_device.fitted(self.method, X, y, ignore_index, 0), "X"))
        truth = "correct" if self.input == "confidences" else "labels"
        x = self._rows(X)
        if x.ndim == 2 and x.shape[1] == 0:
            raise Error(f"X has 0 feature(s) (shape={x.shape}) while a minimum of 1 is required.", "bad_input", "one column for each class")
        if y is None and not self._needs_no_labels():
            raise Error(f"{type(self).__name__} requires y to be passed, but the target y is None", "bad_input",
                        "give the labels; without them there is PriorShift with a prior")
        if getattr(y, "ndim", 1) == 2 and y.shape[1] == 1 and x.ndim < 3:
            self._warn_of_columns()
        if classes is None and truth == "labels" and y is not None:
            classes = _numbers_as_names(x, y)
        weights = None if sample_weight is None else as_array(sample_weight, "sample_weight")
        if weights is not None and weights.size and not weights.any():
            raise Error("sample_weight: all weights are zero", "bad_input", "at least one prediction must count")
        data = fold(labelled=False, source="X", classes=classes, ignore_index=ignore_index, **{self.input: X, truth: y},
                    weights=None if weights is None else shares(weights))
        return self._learn(data)

    @staticmethod
    def _warn_of_columns() -> None:
        try:
            from sklearn.exceptions import DataConversionWarning as kind
        except ImportError:
            return
        warnings.warn("A column-vector y was passed when a 1d array was expected; y.ravel() has that shape.", kind, stacklevel=callers_level())

    def _needs_no_labels(self) -> bool:
        return getattr(self, "prior", None) is not None

    def _checked_options(self) -> dict[str, Any]:
        out = {}
        for name, known in self._options.items():
            value = getattr(self, name)
            if OPTIONS[known]["kind"] == "bool" and not isinstance(value, (bool, np.bool_)):
                raise Error(f"{name} is {value!r}, not True or False", "bad_option")
            out[known] = value_of(OPTIONS[known], value)
        return out

    def _on_device(self) -> bool:
        return self.input == "logits" and self.method in _device.METHODS

    def _learn(self, data: dict[str, Any]) -> Self:
        return self._keep(_tare.fit(self.method, data, self._checked_options(), threads(self.threads)), data.get("names"))

    def _keep(self, model: Any, names: Any = None) -> Self:
        status, note = model.report["status"], model.report["note"]
        if status != "converged":
            warnings.warn(f"{self.method}: {status}: {note}", FitWarning, stacklevel=callers_level())
        self._set_model(model, names)
        return self

    def _set_model(self, model: Any, names: Any = None) -> None:
        self.__dict__.pop("provenance_", None)
        if model.provenance:
            self.provenance_ = model.provenance
        self.model_ = model
        self.classes_ = np.arange(model.classes) if names is None else _array_of(names)
        self.n_features_in_ = model.columns

    def _fitted(self) -> Any:
        if not hasattr(self, "model_"):
            try:
                from sklearn.exceptions import NotFittedError as kind
            except ImportError:
                raise Error(f"this {type(self).__name__} is not fitted", "bad_input", "call fit first") from None
            raise kind(f"this {type(self).__name__} is not fitted: call fit first")
        return self.model_

    def _probabilities(self, x: np.ndarray) -> np.ndarray:
        """Of the shape of the input, or with two columns where it has one number per row."""
        model = self._fitted()
        many = x.ndim > 1 and x.shape[-1] > 1
        if x.ndim > 2:  # positions of a sequence
            return self._probabilities(x.reshape(-1, x.shape[-1])).reshape(*x.shape[:-1], -1)
        columns = x.shape[1] if x.ndim == 2 else 1
        if columns != model.columns and max(columns, model.columns) > 2 and x.ndim:
            raise Error(f"X has {columns} features, but {type(self).__name__} is expecting {model.columns} features as input", "bad_input",
                        f"it was fitted on {self.input} of {model.columns} classes, one column for each" + ("; Reshape your data with x.reshape(1, -1) if it is one row" if x.ndim == 1 else ""))
        both = self.input != "confidences" and not many
        rows = x.shape[0] if x.ndim else 1
        out: np.ndarray = np.empty((rows, 2) if both else x.shape if x.ndim == 2 else (rows,))
        if rows:
            model.apply({self.input: x, "source": "X"}, out, threads(self.threads))
        return out.reshape(-1) if self.input == "confidences" else out

    def predict_proba(self, X: Any) -> Any:
        """Calibrated probabilities: (n, K), two columns where the input has one number per row. Of confidences: (n,).

        They are what the input is: of a tensor a tensor, on its device, in float32 or float64; of a frame of pandas or polars a
        frame whose columns are the classes; else an array.
        """
        model = self._fitted()
        if self._on_device() and _device.takes_rows(X) and X.shape[-1] == model.columns:
            return _device.applied(model.json(), X)
        return like(X, self._probabilities(self._rows(X)), self.classes_)

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithm of :meth:`predict_proba`; -inf where that is 0."""
        self._fitted()
        with np.errstate(divide="ignore"):
            return like(X, np.log(self._probabilities(self._rows(X))), self.classes_)

    def predict(self, X: Any) -> Any:
        """The most probable class, by its name; the lowest index on a tie."""
        self._fitted()
        p = self._probabilities(self._rows(X))
        found = (p > 0.5).astype(int) if self.input == "confidences" else self.classes_[p.argmax(axis=-1)]
        return like(X, found, None)

    @property
    def parameters_(self) -> dict[str, Any]:
        """What was fitted, by the names of the saved form: ``{"temperature": 2.39}``."""
        return self._fitted().parameters

    @property
    def report_(self) -> dict[str, Any]:
        """How the fit ended: status, iterations, gradient, log loss before and after."""
        return self._fitted().report

    # keeping

    def to_json(self) -> str:
        """The saved form of the command line: versioned, no code; beside it options and names of classes that are not the usual."""
        text = self._fitted().json()
        default = {name: OPTIONS[known]["default"] for name, known in self._options.items()} | {"threads": None}
        options = {name: _plain(getattr(self, name)) for name, usual in default.items() if np.ndim(getattr(self, name)) or getattr(self, name) != usual}
        names = _plain(self.classes_)
        more = {"options": options} if options else {}
        more |= {"classes": names} if names != list(range(len(names))) else {}
        return json.dumps(json.loads(text) | more, indent=2) + "\n" if more else text

    def save(self, path: Any) -> None:
        """Writes the JSON that ``tare apply`` and :func:`load` read."""
        _tare.write_file(os.fspath(path), self.to_json())  # whole or not at all

    def export(self, path: Any, **options: Any) -> None:
        """Writes the map for another program: ``.onnx``, ``.hpp`` or ``.sql``; the options are those of :func:`tare.export.write`."""
        from .export import write

        write(self, path, **options)

    def to_torch(self) -> Any:
        """The map as a module of torch: rows in, calibrated probabilities out, of the same type and device.

        It is differentiable where the map is: steps have slope 0. That of temperature scaling is a
        :class:`tare.torch.TemperatureScaling`, which can be trained further.
        """
        self._fitted()
        try:
            from ._torch_maps import module_of
        except ImportError:
            raise Error("to_torch() needs torch, which is not installed", "unsupported", "pip install 'tare[torch]'") from None
        return module_of(self)

    @classmethod
    def load(cls, path: Any) -> Self:
        """Reads what :meth:`save` or ``tare fit -o`` wrote; the file must hold this method."""
        from ._calibrators import load

        out = load(path)
        if not isinstance(out, cls):
            raise Error(f"{os.fspath(path)} holds {out.method}, not {cls.method}", "bad_input", "tare.load() reads every method")
        return out

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if "model_" in state:
            state["model_"] = state["model_"].json()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "model_" in state:
            self.model_ = _tare.load(state["model_"], "pickle")


def shares(weights: np.ndarray) -> np.ndarray:
    """Weights whose mean is 1 where they sum to less than there are rows: these are no frequencies."""
    rows = int(np.count_nonzero(weights > 0)) if weights.ndim == 1 and weights.dtype.kind == "f" else 0
    total = float(weights.sum(dtype=np.float64)) if rows else 0.0
    return weights * (rows / total) if rows and 0 < total < rows * (1 - 1e-9) else weights


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, tuple) else value


def _array_of(names: Any) -> np.ndarray:
    array = np.asarray(names)
    if array.ndim != 1 or array.dtype.kind not in "biufUO" or array.dtype.kind == "U" and not all(isinstance(n, str) for n in names):
        array = np.empty(len(names), dtype=object)
        array[:] = names
    return array


def _numbers_as_names(x: np.ndarray, y: Any) -> Any:
    """As many different whole numbers as there are classes, but others than 0 to K-1: they are names, in ascending order."""
    k = 2 if x.ndim < 2 or x.shape[-1] == 1 else x.shape[-1]
    if not hasattr(y, "dtype") and not isinstance(y, (list, tuple)):
        return None
    labels = np.asarray(y) if not is_tensor(y) else as_array(y, "labels")
    if labels.dtype.kind == "f" and labels.size and np.isfinite(labels).all() and (labels != np.round(labels)).any():
        raise Error("Unknown label type: continuous. y holds numbers that are not whole", "bad_input", "classes are labels, not measurements")
    if labels.dtype.kind not in "iu" or labels.size == 0 or (labels.min() >= 0 and labels.max() < k):
        return None
    found = np.unique(labels)
    return found.tolist() if len(found) == k else None


class Uncalibrated:
    """Leaves probabilities as they are, and makes probabilities of scores: what is best where no repair helps."""

    method = "uncalibrated"

    def __init__(self, input: str) -> None:
        self.input = input

    def fit(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Self:
        """There is nothing to fit."""
        return self

    def predict_proba(self, X: Any) -> Any:
        """The probabilities that were given, or the softmax of the scores."""
        x = np.asarray(as_array(X, self.input), dtype=np.float64)
        if self.input == "confidences":
            return like(X, x, None)
        if self.input == "logits":
            x = np.column_stack([np.zeros_like(x), x]) if x.ndim == 1 else x
            x = np.exp(x - x.max(axis=-1, keepdims=True))
        elif x.ndim == 1:
            x = np.column_stack([1 - x, x])
        return like(X, x / x.sum(axis=-1, keepdims=True), None)

    def __repr__(self) -> str:
        return f"Uncalibrated(input={self.input!r})"
