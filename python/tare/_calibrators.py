"""Calibrators with the habits of scikit-learn, one class per row of the table."""

from __future__ import annotations

import inspect
import json
import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _tare
from ._arrays import as_array
from ._calls import TABLES
from ._errors import Error, FitWarning

if TYPE_CHECKING:
    from typing_extensions import Self

# Names that people know; a method that is not here is called like its table entry (my_method: MyMethod).
_CLASS_NAMES = {
    "temperature": "TemperatureScaling", "vector": "VectorScaling", "matrix": "MatrixScaling",
    "dirichlet": "DirichletCalibration", "ensemble_temperature": "EnsembleTemperature", "histogram": "HistogramBinning",
    "isotonic": "IsotonicCalibration", "bbq": "BBQ", "platt": "PlattScaling", "beta": "BetaCalibration",
}
# What each option is called here, its default, and its meaning.
_OPTIONS: dict[str, tuple[str, Any, str]] = {
    "bins": ("bins", TABLES["defaults"]["bins"], "int\n        Number of bins."),
    "binning": ("binning", "width", '{"width", "mass"}\n        Bins of equal width, or with equally many rows.'),
    "shape": ("shape", "linear", '{"linear", "step"}\n        Between the blocks: interpolate, or stay.'),
    "lambda": ("lambda_", None, "float, optional\n        Weight of the squared off-diagonal entries."),
    "mu": ("mu", None, "float, optional\n        Weight of the squared intercepts."),
    "smooth_targets": ("smooth_targets", False, "bool\n        Platt's targets of 1999 instead of 0 and 1."),
    "share_rows": ("share_rows", False, "bool\n        Every step on all rows, as the authors' program does."),
    "prior": ("prior", None, "list of float, optional\n        Shares of the classes that the model was calibrated for. With them, labels "
                             "are neither\n        needed nor used."),
    "max_iterations": ("max_iterations", 0, "int\n        Stop an iterative fit here; 0 is the method's own limit."),
}
_INPUTS = ("logits", "probs", "confidences")


class Calibrator:
    """What all calibrators have in common; the classes below differ in ``method`` and in their options."""

    method: str = ""
    _options: dict[str, str] = {}  # name in Python: name in the table

    def __init__(self, input: str, **options: Any) -> None:
        self.input = input
        for name in options:
            if name not in self._options and name != "threads":
                raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument '{name}'")
        for name, known in self._options.items():
            setattr(self, name, options.get(name, _OPTIONS[known][1]))
        self.threads = options.get("threads")

    # scikit-learn's contract, without importing it

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
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(estimator_type="classifier", target_tags=TargetTags(required=True), transformer_tags=None,
                    regressor_tags=None, classifier_tags=ClassifierTags(), input_tags=InputTags())

    def __repr__(self) -> str:
        default = {name: _OPTIONS[known][1] for name, known in self._options.items()} | {"threads": None}
        shown = [f"{k}={v!r}" for k, v in self.get_params().items() if k == "input" or np.ndim(v) or v != default[k]]
        return f"{type(self).__name__}({', '.join(shown)})"

    # the work

    def _fold(self, x: Any) -> dict[str, np.ndarray]:
        if self.input not in _INPUTS:
            raise Error(f"input is {self.input!r}", "bad_option", f"it is {', '.join(_INPUTS[:2])} or {_INPUTS[2]}")
        return {self.input: as_array(x, self.input)}

    def _threads(self) -> int | None:
        return None if self.threads is None else int(self.threads)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fits the map on rows that the classifier was not trained on.

        Parameters
        ----------
        X : array of shape (n, K) or (n,)
            What was declared as ``input``.
        y : array of shape (n,)
            The true classes, 0 to K-1; hits (1) and misses (0) where the input is confidences. Only prior_shift with a
            ``prior`` does without.
        sample_weight : array of shape (n,), optional
            Frequencies: 2 means the row twice.
        """
        truth = "correct" if self.input == "confidences" else "labels"
        data = self._fold(X)
        if y is not None:
            data[truth] = as_array(y, truth)
        if sample_weight is not None:
            data["weights"] = as_array(sample_weight, "sample_weight")
        return self._learn(data)

    def _learn(self, data: dict[str, Any]) -> Self:
        options = {known: getattr(self, name) for name, known in self._options.items()}
        if options.get("prior") is not None:
            options["prior"] = [float(p) for p in options["prior"]]
        model = _tare.fit(self.method, data, options, self._threads())
        status, note = model.report["status"], model.report["note"]
        if status != "converged":
            warnings.warn(f"{self.method}: {status}: {note}", FitWarning, stacklevel=3)
        self._set_model(model)
        return self

    def _set_model(self, model: Any) -> None:
        self.model_ = model
        self.classes_ = np.arange(model.classes)
        self.n_features_in_ = model.columns

    def _fitted(self) -> Any:
        if not hasattr(self, "model_"):
            try:
                from sklearn.exceptions import NotFittedError as kind
            except ImportError:
                raise Error(f"this {type(self).__name__} is not fitted", "bad_input", "call fit first") from None
            raise kind(f"this {type(self).__name__} is not fitted: call fit first")
        return self.model_

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated probabilities: (n, K), two columns where the input has one number per row. Of confidences: (n,)."""
        model = self._fitted()
        data = self._fold(X)
        x = data[self.input]
        out: np.ndarray = np.empty(x.shape if x.ndim == 2 else (x.shape[0],) if x.ndim else ())
        model.apply(data, out, self._threads())
        if self.input == "confidences":
            return out.reshape(-1)
        return out if out.ndim == 2 and out.shape[1] > 1 else np.column_stack([1 - out.reshape(-1), out.reshape(-1)])

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class; the lowest index on a tie."""
        p = self.predict_proba(X)
        return (p > 0.5).astype(int) if p.ndim == 1 else self.classes_[p.argmax(axis=1)]

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
        """The saved form of the command line: versioned, no code."""
        return self._fitted().json()

    def save(self, path: Any) -> None:
        """Writes the JSON that ``tare apply`` and :func:`load` read."""
        _tare.write_file(os.fspath(path), self.to_json())  # whole or not at all

    @classmethod
    def load(cls, path: Any) -> Self:
        """Reads what :meth:`save` or ``tare fit -o`` wrote; the file must hold this method."""
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


def _class(row: dict[str, Any]) -> type[Calibrator]:
    name = _CLASS_NAMES.get(row["name"]) or "".join(w.capitalize() for w in row["name"].split("_"))
    options = {_OPTIONS[known][0]: known for known in row["options"]}
    either = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [inspect.Parameter("input", either)] +
        [inspect.Parameter(o, inspect.Parameter.KEYWORD_ONLY, default=_OPTIONS[known][1]) for o, known in options.items()] +
        [inspect.Parameter("threads", inspect.Parameter.KEYWORD_ONLY, default=None)])
    meanings = "".join(f"\n    {o} : {_OPTIONS[known][2]}" for o, known in options.items())
    title = row["title"][0].upper() + row["title"][1:]
    keeps = " The predicted class never changes." if row["keeps_top_label"] else ""
    doc = f"""{title}: {row["summary"]}.

    {row["citation"]}.{keeps}

    Parameters
    ----------
    input : {{"logits", "probs", "confidences"}}
        What it is given; never guessed.{meanings}
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """
    return type(name, (Calibrator,), {"method": row["name"], "_options": options, "__signature__": signature, "__doc__": doc,
                                      "__module__": "tare"})


CALIBRATORS: dict[str, type[Calibrator]] = {row["name"]: _class(row) for row in TABLES["calibrators"]}


def load(path: Any) -> Calibrator:
    """A saved calibrator, of the class of its method."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as why:
        raise Error(f"cannot read {os.fspath(path)}: {why}", "io") from why
    model = _tare.load(text, os.fspath(path))
    out = CALIBRATORS[model.method](json.loads(text)["input"])
    out._set_model(model)
    return out


def calibrator(method: str, input: str, **options: Any) -> Calibrator:
    """The calibrator of that name in the table: ``calibrator("temperature", "logits")``."""
    if method not in CALIBRATORS:
        import difflib

        near = difflib.get_close_matches(method, CALIBRATORS, 1)
        raise Error(f"there is no calibrator '{method}'", "bad_option",
                    f"did you mean {near[0]}?" if near else f"there are {', '.join(CALIBRATORS)}")
    return CALIBRATORS[method](input, **options)
