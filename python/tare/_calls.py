"""measure, test, bbc and compare, and one function per estimator of the table."""

from __future__ import annotations

import inspect
import os
import warnings
from typing import Any

from . import _hdf5, _tare
from ._arrays import callers_level, fold
from ._errors import Error
from ._options import names as _names
from ._options import norms as _norms
from ._options import one_of as _one_of
from ._options import real as _real
from ._options import reduction as _reduction
from ._options import spoken
from ._options import threads as _threads
from ._options import whole as _whole
from ._progress import progress_of
from ._results import BiasReport, Comparison, Measurement, Report, TestReport, Verdict
from ._tables import columns_with_words, is_table, shown

TABLES: dict[str, Any] = _tare.tables()
_USUAL: dict[str, Any] = TABLES["defaults"]  # of the options that are numbers
_BINS: int = _USUAL["bins"]
_HEADLINE: list[str] = [row["name"] for row in TABLES["estimators"] if row["headline"]]  # of the verdict


def _run(seed: Any, threads: Any, bins: Any) -> dict[str, int | None]:
    return {"seed": _whole("seed", seed), "threads": _threads(threads), "bins": _whole("bins", bins)}


def _name(name: Any, keyword: str = "name") -> str:
    if name is not None and not isinstance(name, str):
        raise Error(f"{keyword} is {name!r}, not text", "bad_option")
    return name or ""


# scikit-learn's word for it.
METHODS = {"sigmoid": "platt"}


def _methods(methods: Any) -> list[str]:
    return [METHODS.get(one, one) for one in _names(methods, "methods")]


def _streamed(file: Any, arrays: dict[str, Any], bins: Any, reduction: str | None, threads: Any,
              split: Any = None) -> tuple[Any, Any, dict[str, Any]]:
    """A table, or the split of a large HDF5 file, becomes a state; anything else is as it was. Of a frame whose labels are words, the columns
    are arrays."""
    from ._state import State

    if _hdf5.is_hdf5(file) and _hdf5.is_large(file, split, {role: x for role, x in arrays.items() if x is not None}):
        state = State(bins=bins, reduction=reduction)
        _hdf5.add(state, file, arrays, split, _threads(threads))
        split = None
    elif not is_table(file):
        return file, split, arrays
    else:
        columns = columns_with_words(file, arrays)
        if columns is not None:
            return None, split, columns
        state = State(bins=bins, reduction=reduction).update(file, **arrays, threads=threads)
    state._source = shown(file)
    return state, split, {}


def measure(file=None, /, *, logits=None, probs=None, confidences=None, labels=None, correct=None, predictions=None,
            weights=None, classes=None, ignore_index=None, group=None, group_bins=None, split=None, reading=None, reduction=None, bins=_BINS, norm="both", estimators=None,
            intervals=True, bias=False, name=None, seed=1, threads=None, progress=None):
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
        How a file is read, by the names of the program's options: ``drop_missing``, ``percent``, ``renormalize``, ``positive``,
        ``first_label``, ``format``; of logs of language models ``options``, ``answers``, ``id``, ``length_normalized``, ``filter``,
        ``scorer``, ``confidence_from``.
    reduction : {"top_label", "positive", "classwise"}, optional
        How K classes become a yes-or-no question; ``top_label`` for K > 2 and ``positive`` for two classes if not given.
    bins : int
        Number of bins of binned estimators.
    norm : {1, 2, "both"}
        Average the absolute gap (1) or its square (2).
    estimators : list of str, optional
        Only these.
    intervals : bool
        False skips all resampling: no noise floor, no interval, no verdict.
    bias : bool
        Fit a calibration curve and simulate from it: how far is each estimator from the true error on data like these, and what is
        its value without that? Some seconds; not classwise.
    name : str, optional
        What the model is called, in tables and pictures.
    seed : int
        Of the resampling; the same seed gives the same bits.
    threads : int, optional
        ``OMP_NUM_THREADS`` or all cores if not given. The answer does not depend on it.
    progress : bool or function, optional
        Show how far the work is, with tqdm; if not given in terminals and notebooks, where tqdm is installed. A function is called
        with (stage, done, total).

    Note
    ----
    ``y_true``, ``y_prob``, ``sample_weight``, ``n_bins``, ``n_jobs`` and ``random_state`` are understood as ``labels``, ``probs``,
    ``weights``, ``bins``, ``threads`` and ``seed``, here and in the functions below.

    Returns
    -------
    Measurement
    """
    file, split, arrays = _streamed(file, dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct,
                                               predictions=predictions, weights=weights), bins, reduction, threads, split)
    data = fold(file, split, classes=classes, ignore_index=ignore_index, group=group, group_bins=group_bins, source=_name(name),
                reduce_to=reduction or "", reading=reading, **arrays)
    with progress_of(progress) as told:
        *answer, bands = _tare.measure(data, reduction=_reduction(reduction), norms=_norms(norm), estimators=_names(estimators),
                                       resample=bool(intervals), bias=bool(bias), progress=told, **_run(seed, threads, bins))
    return _noted(Measurement(*answer, {"bands": bands} if bands else {}), data)


def _noted(found: Any, data: dict[str, Any]) -> Any:
    """Suspicions are warnings; what the weights mean was told before."""
    note = found.input.note
    if note and "weights" not in data:
        warnings.warn(note.replace(": `first_label` 1", ", pass labels - 1").replace("`", ""), UserWarning, stacklevel=callers_level())
    return found


def verdict(file: Any = None, /, **data: Any) -> Verdict:
    """The one decision about a model, alone: miscalibrated, nothing found, or cannot tell.

    Data and options are those of :func:`measure`, whose ``verdict`` it is.

    Returns
    -------
    Verdict
    """
    found = measure(file, **{"estimators": _HEADLINE, **data})
    if found.verdict is None:
        raise Error("there is no verdict without redrawn labels, or classwise", "unsupported", "leave out intervals=False, and take top_label or positive")
    return found.verdict


def test(file=None, /, *, logits=None, probs=None, confidences=None, labels=None, correct=None, predictions=None,
         weights=None, classes=None, ignore_index=None, group=None, group_bins=None, split=None, reading=None, reduction=None, statistics=None,
         bins=_BINS, norm=_USUAL["norm"],
         resamples=_USUAL["resamples"], alpha=_USUAL["alpha"], detectable=True, power=_USUAL["power"], seed=1, threads=None, progress=None):
    """Is it miscalibrated, and could this n have told?

    Labels are redrawn from the scores many times; the p-value is the share of redrawings whose statistic is at least as
    extreme as the one observed. Data, ``classes``, ``ignore_index``, ``group``, ``reduction``, ``seed``, ``threads`` and ``progress`` are those of
    :func:`measure`.

    Parameters
    ----------
    statistics : list of str, optional
        Estimators or tests of ``tare list``; if not given STATISTICS.
    bins, norm : int
        Of statistics that have them.
    resamples : int
        Redrawings of the labels.
    alpha : float
        The level: how often a calibrated model may be rejected.
    detectable : bool
        Search for the smallest true error that the first statistic would find at this n, with the given ``power``.

    Returns
    -------
    TestReport
    """
    file, split, arrays = _streamed(file, dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct,
                                               predictions=predictions, weights=weights), bins, reduction, threads, split)
    data = fold(file, split, classes=classes, ignore_index=ignore_index, group=group, group_bins=group_bins, reduce_to=reduction or "", reading=reading, **arrays)
    with progress_of(progress) as told:
        found = TestReport(*_tare.test(data, reduction=_reduction(reduction), statistics=_names(statistics, "statistics"),
                                       norm=_norms(norm)[0], resamples=_whole("resamples", resamples), alpha=_real("alpha", alpha),
                                       detectable=bool(detectable), power=_real("power", power), progress=told,
                                       **_run(seed, threads, bins)))
    return _noted(found, data)


test.__doc__ = (test.__doc__ or "").replace("STATISTICS", ", ".join(TABLES["statistics"]))


def bbc(file=None, /, *, logits=None, probs=None, confidences=None, labels=None, correct=None, predictions=None,
        weights=None, classes=None, ignore_index=None, split=None, reading=None, model=None, perfect=False, beta=None, curve=None, n=None, replicates=_USUAL["replicates"],
        estimators=None, bins=_BINS, norm="both", reduction=None, scores="empirical", fitted_curve="aic", saturated="censor", seed=1,
        threads=None, progress=None):
    """Bias by construction: how biased is each estimator, at this n, on scores like these?

    With data, a distribution of scores and a calibration curve are fitted to them, samples are drawn from that known truth,
    and the measured value is corrected. With ``model``, or ``beta`` and ``curve``, the truth is named instead.

    Parameters
    ----------
    model : str, optional
        One of the ten networks of Roelofs et al. 2022, such as ``"resnet110_c10"``; ``perfect=True`` keeps its scores and makes
        it calibrated.
    beta : (float, float), optional
        Scores from this Beta distribution; uniform if only ``curve`` is given.
    curve : str, optional
        Hit rates by score, such as ``"power:2"`` or ``"logit_logit:0.1,0.8"``.
    n : list of int, optional
        Sizes of the samples; with data, beside their own n.
    replicates : int
        Samples per size.
    scores : {"empirical", "beta"}
        With data: resample the scores, or fit a Beta distribution to them, as the paper does.
    fitted_curve : {"aic", "isotonic"}
        With data: the best of 13 families, or the closest curve that never falls.
    saturated : {"censor", "shift"}
        What to do with scores within 2^-20 of 0 or 1; ``shift`` is what the paper does.

    Returns
    -------
    BiasReport
    """
    arrays = dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct,
                  predictions=predictions, weights=weights)
    sizes = [] if n is None else [_whole("n", x) for x in ([n] if hasattr(n, "__index__") else n)]
    study = dict(norms=_norms(norm), estimators=_names(estimators), sizes=sizes,
                 replicates=_whole("replicates", replicates), **_run(seed, threads, bins))
    named = model is not None or beta is not None or curve is not None
    given = file is not None or any(x is not None for x in arrays.values())
    if named and given:
        raise Error("both data and a truth were given", "bad_option", "pass data, or model, or beta and curve")
    if named:
        with progress_of(progress) as told:
            return BiasReport(*_tare.bbc_truth(model=model or "", beta=[_real("beta", x) for x in (() if beta is None else beta)],
                                               curve=curve or "", perfect=bool(perfect), progress=told, **study))
    file, split, arrays = _streamed(file, arrays, bins, reduction, threads, split)
    if perfect:
        raise Error("perfect belongs to model or beta", "bad_option", "measure() shows the noise of a calibrated model on data")
    data = fold(file, split, classes=classes, ignore_index=ignore_index, reduce_to=reduction or "", reading=reading, **arrays)
    with progress_of(progress) as told:
        return BiasReport(*_tare.bbc_data(data, reduction=_reduction(reduction), scores=_one_of("scores", scores, ("beta", "empirical")),
                                          curve=_one_of("fitted_curve", fitted_curve, ("aic", "isotonic")),
                                          saturated=_one_of("saturated", saturated, ("censor", "shift")), progress=told, **study))


def _two_folds(file, one: dict, val: dict, test: dict, groups: dict, **words: Any) -> tuple[dict, dict | None]:
    """A file with both, two folds, or one alone; `groups` are of the judged rows, `words` are classes, ignore_index and reading."""
    if is_table(file):
        raise Error("a table is read in batches, and this works on the rows", "unsupported", "read them: probs=table[\"p\"], labels=table[\"y\"]")
    if hasattr(file, "_only"):
        return fold(file, **words), None
    if file is not None:
        path = os.fspath(file)
        has_split = _hdf5.has_split if _hdf5.is_hdf5(path) else _tare.has_split
        if has_split(path, "val") and has_split(path, "test"):
            return fold(path, "val", **words), fold(path, "test", **words, **groups)
        return fold(path, **words, **groups), None
    if any(x is not None for x in (*val.values(), *test.values())):
        return (fold(prefix="val_", source="the validation data", **words, **val),
                fold(prefix="test_", source="the test data", **words, **groups, **test))
    return fold(source="the data", **words, **groups, **one), None


def compare(file=None, /, *, logits=None, probs=None, confidences=None, labels=None, correct=None, weights=None,
            val_logits=None, val_probs=None, val_confidences=None, val_labels=None, val_correct=None, val_weights=None,
            test_logits=None, test_probs=None, test_confidences=None, test_labels=None, test_correct=None, test_weights=None,
            classes=None, ignore_index=None, group=None, group_bins=None, reading=None, methods=None, estimators=None, criterion=_USUAL["criterion"], folds=_USUAL["folds"], reduction=None, bins=_BINS,
            resamples=_USUAL["paired_resamples"], seed=1,
            threads=None, progress=None):
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
        Only these calibrators.
    estimators : list of str, optional
        Columns of the table: ``"ece_ew"``, ``"ece_ew:1"``.
    criterion : {"brier", "nll"}
        The score that chooses the winner.
    folds : int
        Of the cross-validation.
    resamples : int
        Of the paired intervals.

    Returns
    -------
    Comparison
    """
    validation, judged = _two_folds(
        file, dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct, weights=weights),
        dict(logits=val_logits, probs=val_probs, confidences=val_confidences, labels=val_labels, correct=val_correct,
             weights=val_weights),
        dict(logits=test_logits, probs=test_probs, confidences=test_confidences, labels=test_labels, correct=test_correct,
             weights=test_weights), dict(group=group, group_bins=group_bins), classes=classes, ignore_index=ignore_index, reading=reading)
    with progress_of(progress) as told:
        out = Comparison(*_tare.compare(validation, judged, methods=_methods(methods), estimators=_names(estimators),
                                        reduction=_reduction(reduction), criterion=str(criterion), folds=_whole("folds", folds),
                                        resamples=_whole("resamples", resamples), progress=told, **_run(seed, threads, bins)))
    out._refit = lambda method: _fitted(method, validation, out.to_dict()["validation"]["kind"], threads)
    return out


def _fitted(method: str, data: dict[str, Any], kind: str, threads: Any) -> Any:
    """The winner of a comparison on its validation data."""
    from ._calibrators import Uncalibrated, calibrator

    return Uncalibrated(kind) if method == Uncalibrated.method else calibrator(method, kind, threads=threads)._learn(data)


def report(file=None, /, *, logits=None, probs=None, confidences=None, labels=None, correct=None, predictions=None, weights=None,
           val_logits=None, val_probs=None, val_labels=None, val_weights=None, test_logits=None, test_probs=None,
           test_labels=None, test_weights=None, ignore_index=None, group=None, group_bins=None, reading=None, reduction=None, bins=_BINS, bias=True,
           classes=True,
           replicates=_USUAL["report_replicates"], methods=None,
           criterion=_USUAL["criterion"], folds=_USUAL["folds"], title=None, seed=1, threads=None, progress=None):
    """Everything as one HTML page that needs nothing else.

    Data are those of :func:`measure`, or two folds as for :func:`compare`: then every calibrator is shown before and after.

    Parameters
    ----------
    bias : bool
        Simulate from a model fitted to the data.
    classes : bool or list
        Measure every class against the rest; a list names them, as for :func:`measure`.
    replicates : int
        Of the simulation.
    methods, criterion, folds
        Those of :func:`compare`.
    title : str, optional
        What the page calls the model; if not given the name of the file.

    Returns
    -------
    Report
    """
    given = {k: v for k, v in locals().items() if v is not None}
    data, _, one = _streamed(file, dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct,
                                        predictions=predictions, weights=weights), bins, reduction, threads)
    validation, judged = _two_folds(
        data, one,
        dict(logits=val_logits, probs=val_probs, labels=val_labels, weights=val_weights),
        dict(logits=test_logits, probs=test_probs, labels=test_labels, weights=test_weights), dict(group=group, group_bins=group_bins),
        classes=None if isinstance(classes, (bool, int)) else classes, ignore_index=ignore_index, reading=reading)
    if judged is None:
        validation, judged = None, validation
    defaults = inspect.signature(report).parameters
    words = ([] if file is None else ["state"] if hasattr(file, "_only") else [repr(shown(file))]) + [
        f"{k}={v!r}" if isinstance(v, str) or (isinstance(v, (int, float, bool, list, tuple, dict)) and not k.endswith((*_DATA, "group"))) else f"{k}={k}"
        for k, v in given.items() if k != "file" and v is not defaults[k].default]
    with progress_of(progress) as told:
        answer = _tare.report(judged, validation, reduction=_reduction(reduction), bias=bool(bias),
                              classes=not isinstance(classes, int) or bool(classes), replicates=_whole("replicates", replicates),
                              methods=_methods(methods), criterion=str(criterion), folds=_whole("folds", folds), title=_name(title, "title"),
                              command=f"tare.report({', '.join(words)})",
                              input=next((r for r in ("logits", "probs") if r in judged), "logits"), progress=told,
                              **_run(seed, threads, bins))
    return Report(*answer)


_DATA = ("logits", "probs", "confidences", "labels", "correct", "predictions", "weights")


for _call in (measure, test, bbc, compare, report):  # not as decorators: type checkers see the functions as they are
    globals()[_call.__name__] = spoken(_call)
