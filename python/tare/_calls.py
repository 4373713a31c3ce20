"""measure, test, bbc and compare, and one function per estimator of the table."""

from __future__ import annotations

import inspect
import os
import warnings
from typing import Any

from . import _hdf5, _tare
from ._arrays import callers_level, fold
from ._errors import Error
from ._options import TABLES, changed, spoken, taking
from ._options import reduction as _reduction
from ._options import threads as _threads
from ._options import whole as _whole
from ._progress import progress_of
from ._results import BiasReport, Comparison, Measurement, Report, TestReport, Verdict
from ._tables import columns_with_words, is_table, shown

_BINS: int = next(e["default"] for e in TABLES["options"]["measure"] if e["name"] == "bins")
_HEADLINE: list[str] = [row["name"] for row in TABLES["estimators"] if row["headline"]]  # of the verdict


def _name(name: Any, keyword: str = "name") -> str:
    if name is not None and not isinstance(name, str):
        raise Error(f"{keyword} is {name!r}, not text", "bad_option")
    return name or ""


# scikit-learn's word for it.
METHODS = {"sigmoid": "platt"}


def _known(options: dict[str, Any]) -> dict[str, Any]:
    return options | {"methods": [METHODS.get(one, one) for one in options["methods"]]}


def _streamed(file: Any, arrays: dict[str, Any], options: dict[str, Any], split: Any = None) -> tuple[Any, Any, dict[str, Any]]:
    """A table, or the split of a large HDF5 file, becomes a state; anything else is as it was. Of a frame whose labels are words, the columns
    are arrays."""
    from ._state import State

    bins, reduction, threads = options["bins"], options["reduction"], options["threads"]
    if _hdf5.is_hdf5(file) and _hdf5.is_large(file, split, {role: x for role, x in arrays.items() if x is not None}):
        state = State(bins=bins, reduction=reduction)
        _hdf5.add(state, file, arrays, split, threads)
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


@taking("measure")
def measure(file=None, /, *, logits=None, probs=None, confidences=None, labels=None, correct=None, predictions=None,
            weights=None, classes=None, ignore_index=None, group=None, group_bins=None, split=None, reading=None, name=None, progress=None,
            options):
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
        READING.
    name : str, optional
        What the model is called, in tables and pictures.
    progress : bool or function, optional
        Show how far the work is, with tqdm; if not given in terminals and notebooks, where tqdm is installed. A function is called
        with (stage, done, total).
    OPTIONS

    Note
    ----
    ``y_true``, ``y_prob``, ``sample_weight``, ``n_bins``, ``n_jobs`` and ``random_state`` are understood as ``labels``, ``probs``,
    ``weights``, ``bins``, ``threads`` and ``seed``, here and in the functions below.

    Returns
    -------
    Measurement
    """
    file, split, arrays = _streamed(file, dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct,
                                               predictions=predictions, weights=weights), options, split)
    data = fold(file, split, classes=classes, ignore_index=ignore_index, group=group, group_bins=group_bins, source=_name(name),
                reduce_to=options["reduction"], reading=reading, **arrays)
    with progress_of(progress) as told:
        *answer, bands = _tare.measure(data, options, told)
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


@taking("test")
def test(file=None, /, *, logits=None, probs=None, confidences=None, labels=None, correct=None, predictions=None,
         weights=None, classes=None, ignore_index=None, group=None, group_bins=None, split=None, reading=None, progress=None,
         options):
    """Is it miscalibrated, and could this n have told?

    Labels are redrawn from the scores many times; the p-value is the share of redrawings whose statistic is at least as
    extreme as the one observed. Data, ``classes``, ``ignore_index``, ``group`` and ``progress`` are those of
    :func:`measure`.

    Parameters
    ----------
    OPTIONS

    Returns
    -------
    TestReport
    """
    file, split, arrays = _streamed(file, dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct,
                                               predictions=predictions, weights=weights), options, split)
    data = fold(file, split, classes=classes, ignore_index=ignore_index, group=group, group_bins=group_bins, reduce_to=options["reduction"], reading=reading, **arrays)
    with progress_of(progress) as told:
        found = TestReport(*_tare.test(data, options, told))
    return _noted(found, data)


@taking("bbc", "truth")
def bbc(file=None, /, *, logits=None, probs=None, confidences=None, labels=None, correct=None, predictions=None,
        weights=None, classes=None, ignore_index=None, split=None, reading=None, progress=None, options):
    """Bias by construction: how biased is each estimator, at this n, on scores like these?

    With data, a distribution of scores and a calibration curve are fitted to them, samples are drawn from that known truth,
    and the measured value is corrected. With ``model``, or ``beta`` and ``curve``, the truth is named instead.

    Parameters
    ----------
    OPTIONS

    Returns
    -------
    BiasReport
    """
    arrays = dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct,
                  predictions=predictions, weights=weights)
    named = any(options[word] is not None for word in ("model", "beta", "curve"))
    given = file is not None or any(x is not None for x in arrays.values())
    if named and given:
        raise Error("both data and a truth were given", "bad_option", "pass data, or model, or beta and curve")
    if named:
        with progress_of(progress) as told:
            return BiasReport(*_tare.bbc_truth(options, told))
    file, split, arrays = _streamed(file, arrays, options, split)
    if options["perfect"]:
        raise Error("perfect belongs to model or beta", "bad_option", "measure() shows the noise of a calibrated model on data")
    data = fold(file, split, classes=classes, ignore_index=ignore_index, reduce_to=options["reduction"], reading=reading, **arrays)
    with progress_of(progress) as told:
        return BiasReport(*_tare.bbc_data(data, options, told))


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


@taking("compare")
def compare(file=None, /, *, logits=None, probs=None, confidences=None, labels=None, correct=None, weights=None,
            val_logits=None, val_probs=None, val_confidences=None, val_labels=None, val_correct=None, val_weights=None,
            test_logits=None, test_probs=None, test_confidences=None, test_labels=None, test_correct=None, test_weights=None,
            classes=None, ignore_index=None, group=None, group_bins=None, reading=None, progress=None, options):
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
    OPTIONS

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
        out = Comparison(*_tare.compare(validation, judged, _known(options), told))
    out._refit = lambda method: _fitted(method, validation, out.to_dict()["validation"]["kind"], options["threads"])
    return out


def _fitted(method: str, data: dict[str, Any], kind: str, threads: Any) -> Any:
    """The winner of a comparison on its validation data."""
    from ._calibrators import Uncalibrated, calibrator

    return Uncalibrated(kind) if method == Uncalibrated.method else calibrator(method, kind, threads=threads)._learn(data)


@taking("report")
def report(file=None, /, *, logits=None, probs=None, confidences=None, labels=None, correct=None, predictions=None, weights=None,
           val_logits=None, val_probs=None, val_labels=None, val_weights=None, test_logits=None, test_probs=None,
           test_labels=None, test_weights=None, ignore_index=None, group=None, group_bins=None, reading=None, classes=True, title=None,
           progress=None, options):
    """Everything as one HTML page that needs nothing else.

    Data are those of :func:`measure`, or two folds as for :func:`compare`: then every calibrator is shown before and after.

    Parameters
    ----------
    classes : bool or list
        Measure every class against the rest; a list names them, as for :func:`measure`.
    title : str, optional
        What the page calls the model; if not given the name of the file.
    OPTIONS

    Returns
    -------
    Report
    """
    given = {k: v for k, v in locals().items() if k not in ("file", "options")}
    data, _, one = _streamed(file, dict(logits=logits, probs=probs, confidences=confidences, labels=labels, correct=correct,
                                        predictions=predictions, weights=weights), options)
    validation, judged = _two_folds(
        data, one,
        dict(logits=val_logits, probs=val_probs, labels=val_labels, weights=val_weights),
        dict(logits=test_logits, probs=test_probs, labels=test_labels, weights=test_weights), dict(group=group, group_bins=group_bins),
        classes=None if isinstance(classes, (bool, int)) else classes, ignore_index=ignore_index, reading=reading)
    if judged is None:
        validation, judged = None, validation
    usual = inspect.signature(report).parameters
    given = {k: v for k, v in given.items() if v is not usual[k].default} | changed("report", options)
    words = ([] if file is None else ["state"] if hasattr(file, "_only") else [repr(shown(file))]) + [
        f"{k}={v!r}" if isinstance(v, str) or (isinstance(v, (int, float, bool, list, tuple, dict)) and not k.endswith((*_DATA, "group"))) else f"{k}={k}"
        for k, v in given.items()]
    with progress_of(progress) as told:
        answer = _tare.report(judged, validation, _known(options) | {"classes": not isinstance(classes, int) or bool(classes)},
                              title=_name(title, "title"), command=f"tare.report({', '.join(words)})",
                              input=next((r for r in ("logits", "probs") if r in judged), "logits"), progress=told)
    return Report(*answer)


_DATA = ("logits", "probs", "confidences", "labels", "correct", "predictions", "weights")


for _call in (measure, test, bbc, compare, report):  # not as decorators: type checkers see the functions as they are
    globals()[_call.__name__] = spoken(_call)
