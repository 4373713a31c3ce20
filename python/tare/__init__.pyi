# Made by docs/python_reference.py from the tables of the library; do not edit.
from os import PathLike
from typing import Any, Literal, Protocol, Sequence

import numpy.typing as npt

from . import metrics as metrics
from . import plot as plot
from . import torch as torch
from ._calibrators import Calibrator as Calibrator
from ._calibrators import calibrator as calibrator
from ._calibrators import load as load
from ._classifier import CalibratedClassifier as CalibratedClassifier
from ._errors import Error as Error
from ._errors import FitWarning as FitWarning
from ._results import BiasReport as BiasReport
from ._results import Comparison as Comparison
from ._results import Estimate as Estimate
from ._results import Groups as Groups
from ._results import Measurement as Measurement
from ._results import Report as Report
from ._results import Range as Range
from ._results import Result as Result
from ._results import TestReport as TestReport
from ._results import Verdict as Verdict
from ._results import WatchReport as WatchReport
from ._state import State as State
from ._watch import Watch as Watch
from ._watch import watch as watch

class _DLPack(Protocol):
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> Any: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

class _Dataset(Protocol):
    def get_fragments(self, filter: Any = None) -> Any: ...

_ArrayLike = npt.ArrayLike | _DLPack | _ArrowStream | _ArrowArray | Sequence[Any]
_Classes = Sequence[Any] | npt.NDArray[Any]
_Groups = str | _ArrayLike | dict[str, Any] | Any

__version__: str

def measure(file: str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None = None, /, *, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, group: _Groups | None = None, group_bins: int | None = None, split: Literal["test", "val"] | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2, "both"] = "both", estimators: str | Sequence[str] | None = None, intervals: bool = True, name: str | None = None, seed: int = 1, threads: int | None = None) -> Measurement: ...

def test(file: str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None = None, /, *, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, group: _Groups | None = None, group_bins: int | None = None, split: Literal["test", "val"] | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, statistics: str | Sequence[str] | None = None, bins: int = 15, norm: Literal[1, 2] = 2, resamples: int = 999, alpha: float = 0.05, detectable: bool = True, power: float = 0.95, seed: int = 1, threads: int | None = None) -> TestReport: ...

def bbc(file: str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None = None, /, *, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, split: Literal["test", "val"] | None = None, model: str | None = None, perfect: bool = False, beta: Sequence[float] | None = None, curve: str | None = None, n: int | Sequence[int] | None = None, replicates: int = 1000, estimators: str | Sequence[str] | None = None, bins: int = 15, norm: Literal[1, 2, "both"] = "both", reduction: Literal["top_label", "positive", "classwise"] | None = None, scores: Literal["beta", "empirical"] = "empirical", fitted_curve: Literal["aic", "isotonic"] = "aic", saturated: Literal["censor", "shift"] = "censor", seed: int = 1, threads: int | None = None) -> BiasReport: ...

def compare(file: str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None = None, /, *, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, weights: _ArrayLike | None = None, val_logits: _ArrayLike | None = None, val_probs: _ArrayLike | None = None, val_confidences: _ArrayLike | None = None, val_labels: _ArrayLike | None = None, val_correct: _ArrayLike | None = None, val_weights: _ArrayLike | None = None, test_logits: _ArrayLike | None = None, test_probs: _ArrayLike | None = None, test_confidences: _ArrayLike | None = None, test_labels: _ArrayLike | None = None, test_correct: _ArrayLike | None = None, test_weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, group: _Groups | None = None, group_bins: int | None = None, methods: str | Sequence[str] | None = None, estimators: str | Sequence[str] | None = None, criterion: Literal["brier", "nll"] = "brier", folds: int = 5, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, resamples: int = 1000, seed: int = 1, threads: int | None = None) -> Comparison: ...

def report(file: str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None = None, /, *, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, val_logits: _ArrayLike | None = None, val_probs: _ArrayLike | None = None, val_labels: _ArrayLike | None = None, val_weights: _ArrayLike | None = None, test_logits: _ArrayLike | None = None, test_probs: _ArrayLike | None = None, test_labels: _ArrayLike | None = None, test_weights: _ArrayLike | None = None, ignore_index: int | None = None, group: _Groups | None = None, group_bins: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, bias: bool = True, classes: bool | _Classes = True, replicates: int = 1000, methods: str | Sequence[str] | None = None, criterion: Literal["brier", "nll"] = "brier", folds: int = 5, seed: int = 1, threads: int | None = None) -> Report: ...
def ece_ew(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2] = 1, threads: int | None = None) -> float: ...
def ece_em(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2] = 1, threads: int | None = None) -> float: ...
def debias_ew(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[2] = 2, threads: int | None = None) -> float: ...
def debias_em(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[2] = 2, threads: int | None = None) -> float: ...
def sweep_ew(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, norm: Literal[1, 2] = 1, threads: int | None = None) -> float: ...
def sweep_em(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, norm: Literal[1, 2] = 1, threads: int | None = None) -> float: ...
def rank_poly(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, norm: Literal[2] = 2, threads: int | None = None) -> float: ...
def rank_sign(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, norm: Literal[1] = 1, threads: int | None = None) -> float: ...
def lb_ew(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2] = 1, threads: int | None = None) -> float: ...
def lb_em(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2] = 1, threads: int | None = None) -> float: ...
def mce_ew(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, threads: int | None = None) -> float: ...
def mce_em(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, threads: int | None = None) -> float: ...
def kde(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, norm: Literal[1, 2] = 1, threads: int | None = None) -> float: ...
def smece(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float: ...
def ks(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float: ...
def corp(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float: ...
def brier(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, threads: int | None = None) -> float: ...
def nll(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float: ...
def accuracy(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float: ...
def confidence(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float: ...

class TemperatureScaling(Calibrator):
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, threads: int | None = None) -> None: ...

class VectorScaling(Calibrator):
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, threads: int | None = None) -> None: ...

class MatrixScaling(Calibrator):
    lambda_: float | None
    mu: float | None
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, lambda_: float | None = None, mu: float | None = None, max_iterations: int = 0, threads: int | None = None) -> None: ...

class DirichletCalibration(Calibrator):
    lambda_: float | None
    mu: float | None
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, lambda_: float | None = None, mu: float | None = None, max_iterations: int = 0, threads: int | None = None) -> None: ...

class EnsembleTemperature(Calibrator):
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, threads: int | None = None) -> None: ...

class HistogramBinning(Calibrator):
    bins: int
    binning: Literal["width", "mass"]
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, bins: int = 15, binning: Literal["width", "mass"] = "width", threads: int | None = None) -> None: ...

class IsotonicCalibration(Calibrator):
    shape: Literal["linear", "step"]
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, shape: Literal["linear", "step"] = "linear", threads: int | None = None) -> None: ...

class BBQ(Calibrator):
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, threads: int | None = None) -> None: ...

class PlattScaling(Calibrator):
    smooth_targets: bool
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, smooth_targets: bool = False, max_iterations: int = 0, threads: int | None = None) -> None: ...

class BetaCalibration(Calibrator):
    smooth_targets: bool
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, smooth_targets: bool = False, max_iterations: int = 0, threads: int | None = None) -> None: ...

class ScalingBinning(Calibrator):
    bins: int
    share_rows: bool
    smooth_targets: bool
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, bins: int = 15, share_rows: bool = False, smooth_targets: bool = False, max_iterations: int = 0, threads: int | None = None) -> None: ...

class PriorShift(Calibrator):
    prior: Sequence[float] | None
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, prior: Sequence[float] | None = None, max_iterations: int = 0, threads: int | None = None) -> None: ...
