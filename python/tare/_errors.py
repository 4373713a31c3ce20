"""What goes wrong, with its remedy."""

from __future__ import annotations

import difflib
import errno
import re
from typing import Iterable


class Error(ValueError):
    """Data or options that tare cannot work with.

    An argument that does not exist is a TypeError, too, a file that does not exist a FileNotFoundError, and a name that an answer
    does not have a KeyError.

    Attributes
    ----------
    message : str
        Value and place: ``probs: row 17, column 2: probability is 3.2, not in [0, 1]``.
    code : str
        ``bad_input``, ``bad_option``, ``io``, ``undefined`` (the quantity does not exist for these data),
        ``unsupported`` (it exists, but not in this combination) or ``out_of_memory``.
    hint : str
        What to do about it; may be empty.
    """

    def __init__(self, message: str, code: str = "bad_input", hint: str = "") -> None:
        self.message = message
        self.code = code
        self.hint = hint
        super().__init__(self.message + (f"\nhint: {self.hint}" if self.hint else ""))

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[Error], tuple[str, str, str]]:
        return type(self), (self.message, self.code, self.hint)


class ArgumentError(Error, TypeError):
    """An argument that a function does not have."""


class MissingFile(Error, FileNotFoundError):
    """A file that is not there."""

    def __init__(self, message: str, code: str = "io", hint: str = "") -> None:
        super().__init__(message, code, hint)
        self.errno = errno.ENOENT


class MissingKey(Error, KeyError):
    """A name that an answer does not have."""


class FitWarning(UserWarning):
    """A calibrator whose fit did not end at a certified optimum; the message says where it stopped and why."""


# What the command line calls things, as they are called here.
_SPOKEN = {
    "`tare measure --reduction classwise`": 'measure(reduction="classwise")',
    "measure the output of `tare apply` classwise": 'measure what predict_proba gives with reduction="classwise"',
    "`tare list --json`": "tare.list()",
    "`tare list`": "tare.list()",
    "name a file that `tare fit` saved": "name a file that save() or `tare fit` wrote",
    "divide them by 100 with percent=": "divide them by 100",
    "rows that only want rescaling: renormalize=": "rows that only want rescaling: p / p.sum(axis=1, keepdims=True)",
    "labels that count from 1 are read with first_label= 1": "labels are 0 to K-1; where they count from 1 pass labels - 1, or name them with classes=",
    "leave out such rows: drop_missing=": "leave out such rows",
    "leave out rows with missing numbers: drop_missing=": "leave out rows with missing numbers",
    "labels are class indices counted from 0": "labels are 0 to K-1; name others with classes=, in the order of the columns",
}


def made(message: str, code: str, hint: str) -> Error:
    """The exception for an error of the library."""
    missing = code == "io" and message.endswith("no such file")
    if "label is -100," in message:
        hint = "pass ignore_index=-100 to leave such rows out"
    unknown = re.match(r"there is no estimator '(\w+)'", message)
    hint = (_usual(unknown[1]) if unknown else "") or hint
    for words, ours in _SPOKEN.items():
        hint = hint.replace(words, ours)
    hint = re.sub(r"\b(\w+)= '", r"\1='", hint)  # an argument with its value
    return (MissingFile if missing else Error)(message, code, hint)


def unreadable(path: str, why: Exception) -> Error:
    """A file that Python could not open or read."""
    if isinstance(why, FileNotFoundError):
        return MissingFile(f"{path}: no such file", "io", "check the spelling; relative names start from the working directory")
    reason = why.strerror if isinstance(why, OSError) and why.strerror else str(why)
    return Error(f"{path} cannot be read: {reason}", "io")


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant, or an empty one."""
    known = list(known)
    lower = {k.lower(): k for k in known}
    begun = [k for k in lower if len(word) > 2 and k.startswith(word.lower())]
    if begun:
        return lower[min(begun, key=len)]
    near = difflib.get_close_matches(word.lower(), lower, 1, 0.65)
    return lower[near[0]] if near else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint: the nearest known word, or all of them."""
    known = list(known)
    near = nearest(word, known)
    return f"did you mean {near}?" if near else f"there are {', '.join(known)}"


# What people call the usual error; it has several estimators here, and this is the one they mean.
_ECE = ("ece", "expected_calibration_error", "calibration_error", "l1_ece", "top_label_ece")


def _usual(name: str) -> str:
    name = name.lower()
    if name in _ECE:
        return "the usual ECE, bins of equal width, is ece_ew; ece_em has bins of equal mass"
    if name in ("mce", "maximum_calibration_error"):
        return "the largest gap of bins of equal width is mce_ew; mce_em has bins of equal mass"
    return "bins of equal mass are those of ece_em" if name in ("ace", "adaptive_ece", "aece", "adaece") else ""


def estimator_hint(name: str, known: Iterable[str]) -> str:
    """What to write instead of an estimator that does not exist."""
    return _usual(str(name)) or did_you_mean(str(name), known)
