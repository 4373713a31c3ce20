# Made by docs/python_reference.py from the tables of the library; do not edit.
from os import PathLike
from typing import Any, Callable, Literal, Mapping, Protocol, Sequence

import numpy.typing as npt

from . import export as export
from . import metrics as metrics
from . import plot as plot
from . import spark as spark
from . import torch as torch
from ._calls import verdict as verdict
from ._catalogue import Catalogue as Catalogue
from ._catalogue import Entry as Entry
from ._catalogue import list as list
from ._catalogue import paper as paper
from ._calibrators import Calibrator as Calibrator
from ._calibrators import calibrator as calibrator
from ._calibrators import load as load
from ._classifier import CalibratedClassifier as CalibratedClassifier
from ._errors import Error as Error
from ._errors import FitWarning as FitWarning
from ._results import Bias as Bias
from ._results import BiasReport as BiasReport
from ._results import Bin as Bin
from ._results import Comparison as Comparison
from ._results import Correction as Correction
from ._results import Day as Day
from ._results import Detectable as Detectable
from ._results import Difference as Difference
from ._results import Estimate as Estimate
from ._results import Group as Group
from ._results import Groups as Groups
from ._results import Input as Input
from ._results import Measurement as Measurement
from ._results import Method as Method
from ._results import Range as Range
from ._results import Report as Report
from ._results import Result as Result
from ._results import Row as Row
from ._results import TestReport as TestReport
from ._results import TestResult as TestResult
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

def measure(file: str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None = None, /, *, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, group: _Groups | None = None, group_bins: int | None = None, split: Literal["test", "val"] | None = None, reading: Mapping[str, Any] | None = None, name: str | None = None, progress: bool | Callable[[str, int, int], object] | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2, "both"] = "both", estimators: str | Sequence[str] | None = None, intervals: bool = True, seed: int = 1, threads: int | None = None, bias: bool = False) -> Measurement:
    """Every estimator on one fold, with its noise floor, an interval where a valid one exists, and a verdict.

    What the numbers are is declared by the keyword, never guessed from their values.

    Parameters
    ----------
    file : path, optional
        An ``.npz``, ``.safetensors``, ``.csv`` or ``.jsonl`` file (text also ``.gz``) whose names say what it holds, instead of
        arrays; an HDF5 (``.h5``) or Excel (``.xlsx``) file; a ``.state`` file, or a :class:`State`; or a table: Parquet files (one, a list, a
        directory), a pyarrow dataset, or whatever has ``__arrow_c_stream__``. A table, or an HDF5 file of more than 1 GiB, is read in batches into a state, so that it may be larger than memory; ``probs="p"``, ``probs=["p_0", "p_1"]`` and
        ``labels="y"`` then name columns, of a file its arrays or columns.
    logits, probs : array of shape (n, K) or (n,), optional
        Scores before the softmax, or probabilities; of shape (n,) the log-odds or the probability of class 1.
        More axes, as (batch, time, K), become rows; a list of arrays is a list of batches.
    labels : array of shape (n,), optional
        The true class of each row: 0 to K-1, or its name, where classes have names: text, categories, booleans, other numbers.
    confidences, correct, predictions : array of shape (n,), optional
        Instead of the above: the confidence of the predicted class, with ``correct`` (1 for a hit, 0 for a miss) or with
        ``predictions`` and ``labels``.
    weights : array of shape (n,), optional
        Frequencies: 2 means the row twice.
    classes : list, optional
        The names of the classes in the order of the columns. If not given: the columns of a frame where labels are among them,
        the categories of a categorical column, else what ``labels`` hold, in ascending order.
    ignore_index : int, optional
        Rows with this label are left out, as torch does with -100.
    group : array of shape (n,), dict of arrays or frame, optional
        For which group is it wrong? The group of each row: text or numbers; several columns by their names. Of a file the name of
        its column, or a list of names. The answer is in ``groups``.
    group_bins : int, optional
        So many ranges of groups that are numbers, with as many rows each.
    split : {"test", "val"}, optional
        Which half of a file that holds both (test).
    reading : dict, optional
        How a file is read, by the names of the program's options:
        ``format``, ``positive``, ``first_label``, ``percent``, ``renormalize``, ``no_header``, ``delimiter``, ``drop_missing``,
        ``options``, ``answers``, ``id``, ``length_normalized``, ``filter``, ``scorer``, ``confidence_from``.
    name : str, optional
        What the model is called, in tables and pictures.
    progress : bool or function, optional
        Show how far the work is, with tqdm; if not given in terminals and notebooks, where tqdm is installed. A function is called
        with (stage, done, total).
    reduction : {"top_label", "positive", "classwise"}, optional
        How K classes become a yes-or-no question: top_label (the predicted class, hit or miss; the default for K > 2), positive
        (class 1 of 2; the default for two classes) or classwise (each class against the rest).
    bins : int
        Number of bins.
    norm : {1, 2, "both"}
        Average the absolute gap (1), its square (2), or show both.
    estimators : list of str, optional
        Only these, by the names of ``tare list``.
    intervals : bool
        False: skip all resampling: no noise floor, no interval, no verdict.
    seed : int
        Seed of the resampling; the same seed gives the same bits.
    threads : int, optional
        ``OMP_NUM_THREADS`` or all cores if not given. The answer does not depend on it.
    bias : bool
        The bias of each estimator of the true error on data like these, and its value corrected for it (some seconds of
        simulation; not classwise).

    Note
    ----
    ``y_true``, ``y_prob``, ``sample_weight``, ``n_bins``, ``n_jobs`` and ``random_state`` are understood as ``labels``, ``probs``,
    ``weights``, ``bins``, ``threads`` and ``seed``, here and in the functions below.

    Returns
    -------
    Measurement
    """

def test(file: str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None = None, /, *, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, group: _Groups | None = None, group_bins: int | None = None, split: Literal["test", "val"] | None = None, reading: Mapping[str, Any] | None = None, progress: bool | Callable[[str, int, int], object] | None = None, statistics: str | Sequence[str] | None = None, alpha: float = 0.05, resamples: int = 999, detectable: bool = True, power: float = 0.95, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2] = 2, seed: int = 1, threads: int | None = None) -> TestReport:
    """Is it miscalibrated, and could this n have told?

    Labels are redrawn from the scores many times; the p-value is the share of redrawings whose statistic is at least as
    extreme as the one observed. Data, ``classes``, ``ignore_index``, ``group`` and ``progress`` are those of
    :func:`measure`.

    Parameters
    ----------
    statistics : list of str, optional
        Only these, by the names of ``tare list``; if not given the tests, and debias_em, sweep_em, ks.
    alpha : float
        The level: how often a calibrated model may be rejected.
    resamples : int
        Redrawings of the labels.
    detectable : bool
        False: skip the search for the smallest error this n could detect.
    power : float
        How often that error must be found.
    reduction : {"top_label", "positive", "classwise"}, optional
        top_label (the default for K > 2) or positive (for two classes).
    bins : int
        Number of bins of binned estimators.
    norm : {1, 2}
        Norm of estimators that have one.
    seed : int
        Seed of the redrawings; the same seed gives the same bits.
    threads : int, optional
        ``OMP_NUM_THREADS`` or all cores if not given. The answer does not depend on it.

    Returns
    -------
    TestReport
    """

def bbc(file: str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None = None, /, *, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, split: Literal["test", "val"] | None = None, reading: Mapping[str, Any] | None = None, progress: bool | Callable[[str, int, int], object] | None = None, scores: Literal["empirical", "beta"] = "empirical", fitted_curve: Literal["aic", "isotonic"] = "aic", saturated: Literal["censor", "shift"] = "censor", reduction: Literal["top_label", "positive"] | None = None, n: int | Sequence[int] | None = None, replicates: int = 1000, estimators: str | Sequence[str] | None = None, bins: int = 15, norm: Literal[1, 2, "both"] = "both", seed: int = 1, threads: int | None = None, model: str | None = None, perfect: bool = False, beta: Sequence[float] | None = None, curve: str | None = None) -> BiasReport:
    """Bias by construction: how biased is each estimator, at this n, on scores like these?

    With data, a distribution of scores and a calibration curve are fitted to them, samples are drawn from that known truth,
    and the measured value is corrected. With ``model``, or ``beta`` and ``curve``, the truth is named instead.

    Parameters
    ----------
    scores : {"empirical", "beta"}
        empirical: the data's own scores, resampled, or beta: a distribution fitted to them, as in the paper.
    fitted_curve : {"aic", "isotonic"}
        aic: the best of 13 curves, or isotonic: the best one that never falls.
    saturated : {"censor", "shift"}
        Scores within 2^-20 of 0 or 1: censor, or shift as the paper does.
    reduction : {"top_label", "positive"}, optional
        top_label (the default for K > 2) or positive (for two classes).
    n : list of int, optional
        Sizes of the samples; with data: their own n alone, and these beside it; if not given 200,500,1000,5000.
    replicates : int
        Samples per size.
    estimators : list of str, optional
        Only these; if not given all that estimate the true error.
    bins : int
        Number of bins of binned estimators.
    norm : {1, 2, "both"}
        Average the absolute gap (1), its square (2), or both.
    seed : int
        Seed; the same seed gives the same bits.
    threads : int, optional
        ``OMP_NUM_THREADS`` or all cores if not given. The answer does not depend on it.
    model : str, optional
        A network of Roelofs et al. 2022, by the names of ``tare list``.
    perfect : bool
        The same scores, perfectly calibrated.
    beta : list of float, optional
        Scores from a Beta distribution; uniform if only ``curve`` is given.
    curve : str, optional
        Hit rates: FAMILY:x,y, such as logit_logit:0.1,0.8 or power:2.

    Returns
    -------
    BiasReport
    """

def compare(file: str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None = None, /, *, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, weights: _ArrayLike | None = None, val_logits: _ArrayLike | None = None, val_probs: _ArrayLike | None = None, val_confidences: _ArrayLike | None = None, val_labels: _ArrayLike | None = None, val_correct: _ArrayLike | None = None, val_weights: _ArrayLike | None = None, test_logits: _ArrayLike | None = None, test_probs: _ArrayLike | None = None, test_confidences: _ArrayLike | None = None, test_labels: _ArrayLike | None = None, test_correct: _ArrayLike | None = None, test_weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, group: _Groups | None = None, group_bins: int | None = None, reading: Mapping[str, Any] | None = None, progress: bool | Callable[[str, int, int], object] | None = None, methods: str | Sequence[str] | None = None, estimators: str | Sequence[str] | None = None, criterion: Literal["brier", "nll"] = "brier", folds: int = 5, reduction: Literal["top_label", "positive"] | None = None, bins: int = 15, resamples: int = 1000, seed: int = 1, threads: int | None = None) -> Comparison:
    """Every calibrator, fitted on validation data and judged on test data, in one table; names a winner.

    With one fold only (``logits`` or ``probs``, and ``labels``) all numbers are those of out-of-fold predictions. Bare
    ``confidences`` with ``correct`` are a problem of two classes, hit or miss. The winner is
    chosen on the validation data alone, by a proper score: never by ECE, never on the test data.

    Parameters
    ----------
    file : path, optional
        A file with ``val_*`` and ``test_*`` arrays, or with one fold.
    group, group_bins : optional
        As for :func:`measure`, of the rows that are judged: ``comparison["platt"].groups`` shows them after each method.
    methods : list of str, optional
        Only these calibrators, by the names of ``tare list``.
    estimators : list of str, optional
        Columns of the table: NAME, NAME:1 or NAME:2; if not given ece_ew:1, rank_sign:1, rank_poly:2, sweep_em:2, debias_em:2.
    criterion : {"brier", "nll"}
        Proper score that chooses the winner: brier or nll.
    folds : int
        Folds of the cross-validation that chooses it.
    reduction : {"top_label", "positive"}, optional
        top_label or positive, as in ``tare measure``.
    bins : int
        Number of bins.
    resamples : int
        Resamples of the paired intervals.
    seed : int
        Seed of folds and resampling.
    threads : int, optional
        ``OMP_NUM_THREADS`` or all cores if not given. The answer does not depend on it.

    Returns
    -------
    Comparison
    """

def report(file: str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None = None, /, *, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, val_logits: _ArrayLike | None = None, val_probs: _ArrayLike | None = None, val_labels: _ArrayLike | None = None, val_weights: _ArrayLike | None = None, test_logits: _ArrayLike | None = None, test_probs: _ArrayLike | None = None, test_labels: _ArrayLike | None = None, test_weights: _ArrayLike | None = None, ignore_index: int | None = None, group: _Groups | None = None, group_bins: int | None = None, reading: Mapping[str, Any] | None = None, classes: bool | _Classes = True, title: str | None = None, progress: bool | Callable[[str, int, int], object] | None = None, reduction: Literal["top_label", "positive"] | None = None, bins: int = 15, methods: str | Sequence[str] | None = None, criterion: Literal["brier", "nll"] = "brier", folds: int = 5, replicates: int = 1000, bias: bool = True, seed: int = 1, threads: int | None = None) -> Report:
    """Everything as one HTML page that needs nothing else.

    Data are those of :func:`measure`, or two folds as for :func:`compare`: then every calibrator is shown before and after.

    Parameters
    ----------
    classes : bool or list
        Measure every class against the rest; a list names them, as for :func:`measure`.
    title : str, optional
        What the page calls the model; if not given the name of the file.
    reduction : {"top_label", "positive"}, optional
        top_label (the default for K > 2) or positive (for two classes).
    bins : int
        Number of bins.
    methods : list of str, optional
        Only these calibrators, by the names of ``tare list``.
    criterion : {"brier", "nll"}
        Proper score that chooses the winner: brier or nll.
    folds : int
        Folds of the cross-validation that chooses it.
    replicates : int
        Simulated samples for the bias, fewer from n = 20,000 on.
    bias : bool
        False: skip the simulation of the bias.
    seed : int
        Seed of all that is drawn; the same seed gives the same page.
    threads : int, optional
        ``OMP_NUM_THREADS`` or all cores if not given. The answer does not depend on it.

    Returns
    -------
    Report
    """

def ece_ew(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2] = 1, threads: int | None = None) -> float:
    """ECE, equal-width bins: mean gap between confidence and accuracy over bins of equal width.

    Guo et al. 2017, Eq. 3. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {1, 2}
        Average the absolute gap (1) or its square, with the root of the mean (2).
    bins : int
        Number of bins.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def ece_em(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2] = 1, threads: int | None = None) -> float:
    """ECE, equal-mass bins: mean gap between confidence and accuracy over bins of equal counts.

    Roelofs et al. 2022, Eq. 3. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {1, 2}
        Average the absolute gap (1) or its square, with the root of the mean (2).
    bins : int
        Number of bins.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def debias_ew(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[2] = 2, threads: int | None = None) -> float:
    """debiased error, equal-width bins: squared gap less its own noise, over bins of equal width.

    Bröcker 2012; Ferro and Fricker 2012; Kumar et al. 2019. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {2}
        The only one it exists for.
    bins : int
        Number of bins.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def debias_em(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[2] = 2, threads: int | None = None) -> float:
    """debiased error, equal-mass bins: squared gap less its own noise, over bins of equal counts.

    Bröcker 2012; Ferro and Fricker 2012; Kumar et al. 2019. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {2}
        The only one it exists for.
    bins : int
        Number of bins.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def sweep_ew(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, norm: Literal[1, 2] = 1, threads: int | None = None) -> float:
    """monotonic sweep, equal-width bins: mean gap over the largest number of equal-width bins whose rates still rise.

    Roelofs et al. 2022, Algorithm 1. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {1, 2}
        Average the absolute gap (1) or its square, with the root of the mean (2).
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def sweep_em(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, norm: Literal[1, 2] = 1, threads: int | None = None) -> float:
    """monotonic sweep, equal-mass bins: mean gap over the largest number of equal-mass bins whose rates still rise.

    Roelofs et al. 2022, Algorithm 1. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {1, 2}
        Average the absolute gap (1) or its square, with the root of the mean (2).
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def rank_poly(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, norm: Literal[2] = 2, threads: int | None = None) -> float:
    """leave-one-out error by polynomials in rank: squared gap that the other rows predict, by smooth curves in the rank of the score.

    this project, docs/methods/rank_poly.md. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {2}
        The only one it exists for.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def rank_sign(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, norm: Literal[1] = 1, threads: int | None = None) -> float:
    """leave-one-out mean gap by the sign of polynomials in rank: mean gap, counted in the direction that the other rows predict: noise adds nothing to it.

    this project, docs/methods/rank_sign.md. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {2}
        The only one it exists for.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def lb_ew(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2] = 1, threads: int | None = None) -> float:
    """label-binned error, equal-width bins: distance of every score from its bin's accuracy, bins of equal width.

    Roelofs et al. 2022, Eq. 5. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {1, 2}
        Average the absolute gap (1) or its square, with the root of the mean (2).
    bins : int
        Number of bins.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def lb_em(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, norm: Literal[1, 2] = 1, threads: int | None = None) -> float:
    """label-binned error, equal-mass bins: distance of every score from its bin's accuracy, bins of equal counts.

    Roelofs et al. 2022, Eq. 5. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {1, 2}
        Average the absolute gap (1) or its square, with the root of the mean (2).
    bins : int
        Number of bins.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def mce_ew(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, threads: int | None = None) -> float:
    """MCE, equal-width bins: largest gap between confidence and accuracy over bins of equal width.

    Guo et al. 2017, Eq. 5. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    bins : int
        Number of bins.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def mce_em(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, threads: int | None = None) -> float:
    """MCE, equal-mass bins: largest gap between confidence and accuracy over bins of equal counts.

    Guo et al. 2017, Eq. 5, on equal-mass bins. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    bins : int
        Number of bins.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def kde(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, norm: Literal[1, 2] = 1, threads: int | None = None) -> float:
    """kernel density error: mean gap between confidence and accuracy, both from kernel densities; no bins.

    Zhang, Kailkhura and Han 2020. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    norm : {1, 2}
        Average the absolute gap (1) or its square, with the root of the mean (2).
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def smece(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float:
    """smooth ECE: gap between confidence and accuracy after smoothing as wide as the gap itself; no bins.

    Błasiok and Nakkiran 2023. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def ks(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float:
    """KS calibration error: largest distance between cumulative confidence and cumulative accuracy; no bins.

    Gupta et al. 2021. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def corp(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float:
    """CORP miscalibration: Brier score lost against the best monotone recalibration of the same scores.

    Dimitriadis, Gneiting and Jordan 2021. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def brier(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, bins: int = 15, threads: int | None = None) -> float:
    """Brier score: mean squared error of the probabilities; rewards sharpness and calibration together.

    Brier 1950; Murphy 1973; Stephenson et al. 2008. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    bins : int
        Number of bins.
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def nll(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float:
    """negative log-likelihood: mean log loss; rewards sharpness and calibration together.

    Good 1952; Guo et al. 2017, Eq. 6. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def accuracy(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float:
    """accuracy: mean label: the share of hits.

    the mean of the labels. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

def confidence(*, logits: _ArrayLike | None = None, probs: _ArrayLike | None = None, confidences: _ArrayLike | None = None, labels: _ArrayLike | None = None, correct: _ArrayLike | None = None, predictions: _ArrayLike | None = None, weights: _ArrayLike | None = None, classes: _Classes | None = None, ignore_index: int | None = None, reduction: Literal["top_label", "positive", "classwise"] | None = None, threads: int | None = None) -> float:
    """mean confidence: mean score: the accuracy the model claims.

    the mean of the scores. Data, ``weights``, ``classes``, ``ignore_index`` and ``reduction`` are those of :func:`measure`.

    Parameters
    ----------
    threads : int, optional
        All cores if not given. The answer does not depend on it.

    Returns
    -------
    float
        The value alone; :func:`measure` says what to make of it. :class:`Error` where it does not exist.
    """

class TemperatureScaling(Calibrator):
    """Temperature scaling: divides all logits by one number; never changes the top label.

    Guo et al. 2017, Eq. 9. The predicted class never changes.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, threads: int | None = None) -> None: ...

class VectorScaling(Calibrator):
    """Vector scaling: one factor and one intercept per class.

    Guo et al. 2017, section 4.2.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, threads: int | None = None) -> None: ...

class MatrixScaling(Calibrator):
    """Matrix scaling: a linear map of all logits; overfits many classes unless lambda and mu hold it back.

    Guo et al. 2017, section 4.2; Kull et al. 2019 (ODIR).

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    lambda_ : float, optional
        Weight of the squared off-diagonal entries.
    mu : float, optional
        Weight of the squared intercepts.
    max_iterations : int
        Stop an iterative fit here; if not given the method's own limit.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    lambda_: float | None
    mu: float | None
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, lambda_: float | None = None, mu: float | None = None, max_iterations: int = 0, threads: int | None = None) -> None: ...

class DirichletCalibration(Calibrator):
    """Dirichlet calibration: a linear map of all log-probabilities, held back by a penalty off the diagonal.

    Kull et al. 2019.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    lambda_ : float, optional
        Weight of the squared off-diagonal entries.
    mu : float, optional
        Weight of the squared intercepts.
    max_iterations : int
        Stop an iterative fit here; if not given the method's own limit.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    lambda_: float | None
    mu: float | None
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, lambda_: float | None = None, mu: float | None = None, max_iterations: int = 0, threads: int | None = None) -> None: ...

class EnsembleTemperature(Calibrator):
    """Ensemble temperature scaling: mixes the tempered, the raw and the uniform prediction; never changes the top label.

    Zhang et al. 2020. The predicted class never changes.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, threads: int | None = None) -> None: ...

class HistogramBinning(Calibrator):
    """Histogram binning: every bin of scores predicts the share of its rows that came true.

    Zadrozny & Elkan 2001; Guo et al. 2017, Eq. 7.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    bins : int
        Number of bins.
    binning : {"width", "mass"}
        Bins of equal width, or of equal mass: with equally many rows.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    bins: int
    binning: Literal["width", "mass"]
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, bins: int = 15, binning: Literal["width", "mass"] = "width", threads: int | None = None) -> None: ...

class IsotonicCalibration(Calibrator):
    """Isotonic regression: the non-decreasing map of the scores that fits the labels best; needs a few thousand rows.

    Zadrozny & Elkan 2002; Ayer et al. 1955.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    shape : {"linear", "step"}
        linear between the blocks, or a step function.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    shape: Literal["linear", "step"]
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, shape: Literal["linear", "step"] = "linear", threads: int | None = None) -> None: ...

class BBQ(Calibrator):
    """Bayesian binning into quantiles: an average over many histograms, weighted by how well each explains the labels.

    Naeini, Cooper & Hauskrecht 2015.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    share_prior : bool
        A prior of two rows for all bins together, as in the paper's text, not for each.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    share_prior: bool
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, share_prior: bool = False, threads: int | None = None) -> None: ...

class PlattScaling(Calibrator):
    """Platt scaling: slope and intercept on the log-odds; two numbers per class, good for few rows.

    Platt 1999; Guo et al. 2017, section 4.1.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    smooth_targets : bool
        Platt's targets of 1999 instead of 0 and 1.
    max_iterations : int
        Stop an iterative fit here; if not given the method's own limit.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    smooth_targets: bool
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, smooth_targets: bool = False, max_iterations: int = 0, threads: int | None = None) -> None: ...

class BetaCalibration(Calibrator):
    """Beta calibration: three numbers per class on the logarithms of the score; contains the identity, never falls.

    Kull, Silva Filho & Flach 2017.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    smooth_targets : bool
        Platt's targets of 1999 instead of 0 and 1.
    max_iterations : int
        Stop an iterative fit here; if not given the method's own limit.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    smooth_targets: bool
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, smooth_targets: bool = False, max_iterations: int = 0, threads: int | None = None) -> None: ...

class ScalingBinning(Calibrator):
    """Scaling-binning: Platt scaling rounded to the means of equal-mass bins; its own error can be measured.

    Kumar, Liang & Ma 2019.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    bins : int
        Number of bins.
    share_rows : bool
        All rows for each of its three steps, as the authors' program does.
    smooth_targets : bool
        Platt's targets of 1999 instead of 0 and 1.
    max_iterations : int
        Stop an iterative fit here; if not given the method's own limit.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    bins: int
    share_rows: bool
    smooth_targets: bool
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, bins: int = 15, share_rows: bool = False, smooth_targets: bool = False, max_iterations: int = 0, threads: int | None = None) -> None: ...

class PriorShift(Calibrator):
    """Prior shift: one intercept per class: new shares of the classes, with labels or, given the old shares, without.

    Saerens et al. 2002.

    Parameters
    ----------
    input : {"logits", "probs", "confidences"}
        What it is given; never guessed.
    prior : list of float, optional
        Shares of the classes that the model was calibrated for; with them, labels are neither needed nor used.
    max_iterations : int
        Stop an iterative fit here; if not given the method's own limit.
    threads : int, optional
        All cores if not given. The answer does not depend on it.
    """

    prior: Sequence[float] | None
    max_iterations: int
    threads: int | None
    def __init__(self, input: Literal["logits", "probs", "confidences"], *, prior: Sequence[float] | None = None, max_iterations: int = 0, threads: int | None = None) -> None: ...
