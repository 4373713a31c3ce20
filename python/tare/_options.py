"""Options: keywords out of the tables of the library, the words of other libraries, did-you-mean, and what is checked before the
library checks ranges."""

from __future__ import annotations

import functools
import inspect
import os
import textwrap
from typing import Any, Callable, Iterable, TypeVar

import numpy as np

from . import _tare
from ._errors import ArgumentError, Error, nearest

TABLES: dict[str, Any] = _tare.tables()

F = TypeVar("F", bound=Callable[..., Any])

# The same thing in this package and in scikit-learn. Functions document one of them and take both.
_SYNONYMS = (("labels", "y_true"), ("probs", "y_prob"), ("weights", "sample_weight"), ("bins", "n_bins"), ("threads", "n_jobs"),
             ("seed", "random_state"))
# Words that mean something else, or too much, and what to say about them.
_HINTS = {
    "y_score": "scores are declared: probs= (probabilities) or logits= (before the softmax)",
    "scores": "scores are declared: probs= (probabilities) or logits= (before the softmax)",
    "proba": "did you mean probs?", "y_proba": "did you mean probs?", "y_pred_proba": "did you mean probs?", "pred_proba": "did you mean probs?",
    "y_pred": "predicted classes are predictions=, beside confidences= and labels=; probabilities are probs=",
    "preds": "predicted classes are predictions=; probabilities are probs=", "y": "did you mean labels?",
    "target": "did you mean labels?", "targets": "did you mean labels?", "y_test": "did you mean labels?",
    "pos_label": "name the classes in the order of the columns: classes=[NEGATIVE, POSITIVE]",
    "strategy": "bins of equal width are ece_ew, of equal mass ece_em",
    "n_bootstrap": "did you mean resamples?", "n_resamples": "did you mean resamples?", "confidence": "did you mean confidences?",
    "percent": "divide by 100 before: probs=p / 100", "renormalize": "divide the rows before: p / p.sum(axis=1, keepdims=True)",
    "first_label": "pass labels - 1, or name the classes: classes=[1, 2, 3]", "drop_missing": "leave out rows with missing values before",
    "positive": "name the classes in the order of the columns: classes=[NEGATIVE, POSITIVE]",
    "metrics": "did you mean estimators?", "metric": "did you mean estimators?",
}


def _synonym(name: str, allowed: Iterable[str]) -> str | None:
    for pair in _SYNONYMS:
        if name in pair:
            return next((word for word in pair if word in allowed), None)
    return None


def _converted(name: str, value: Any) -> Any:
    """n_jobs counts backwards from all cores."""
    if name == "n_jobs" and value is not None and hasattr(value, "__index__"):
        jobs = int(value.__index__())
        return None if jobs == -1 else max(1, cores() + 1 + jobs) if jobs < 0 else jobs
    return value


def _hint(name: str, allowed: list[str]) -> str:
    told = _HINTS.get(name, "")
    if told and (not told.startswith("did you mean") or any(word in told for word in allowed)):
        return told
    near = nearest(name, allowed)
    return f"did you mean {near}?" if near else f"it has {', '.join(allowed)}"


def understood(function: str, given: dict[str, Any], allowed: Iterable[str]) -> dict[str, Any]:
    """Arguments by the names that the function has; an error says which it might have been."""
    allowed = list(allowed)
    out: dict[str, Any] = {}
    for name, value in given.items():
        real = name if name in allowed else _synonym(name, allowed)
        if real is None:
            raise ArgumentError(f"{function}() got an unexpected keyword argument '{name}'", "bad_option", _hint(name, allowed))
        if real in out or (real != name and real in given):
            raise ArgumentError(f"both {real} and {name} were given, which mean the same", "bad_option", f"pass {real} alone")
        if real == "seed" and name != real and value is None:
            continue  # random_state=None asks for no seed of its own
        out[real] = _converted(name, value)
    return out


def _is_array(x: Any) -> bool:
    """Numbers that somebody took for the first argument."""
    if isinstance(x, (str, bytes, os.PathLike)) or hasattr(x, "_only") or hasattr(x, "get_fragments"):
        return False
    if type(x).__name__ in ("Series", "ChunkedArray") or isinstance(x, (list, tuple)) and x and isinstance(x[0], (int, float, list, tuple)):
        return True
    if hasattr(x, "__arrow_c_stream__"):
        return False
    return isinstance(x, (np.ndarray, dict)) or any(hasattr(x, name) for name in ("__array__", "__dlpack__", "__arrow_c_array__"))


def refuse_positional(function: str, args: tuple[Any, ...], most: int) -> None:
    """Arrays have no order here: what they hold is declared."""
    if args and isinstance(args[0], dict):
        raise ArgumentError(f"{function}() does not take a dict", "bad_option", f"spread it: {function}(**data), with the keys logits or probs, and labels")
    if len(args) > most and not _is_array(args[0]) and not (most and len(args) > 1):
        raise ArgumentError(f"{function}() takes {most or 'no'} positional argument{'s' * (most != 1)}", "bad_option", "name what you pass")
    if len(args) > most or (args and _is_array(args[0])):
        raise ArgumentError(f"{function}() does not guess what an array holds, and was given one without a name", "bad_option",
                            "name it: logits=x (scores before the softmax), probs=x (probabilities) or confidences=x, and labels=y")


def spoken(function: F) -> F:
    """The function with the words of other libraries, and with helpful errors for what it does not have."""
    parameters = list(inspect.signature(function).parameters.values())
    method = bool(parameters) and parameters[0].name == "self"
    name = function.__qualname__.replace(".__init__", "") if method else function.__name__
    allowed = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    known, most = frozenset(allowed), sum(p.kind is p.POSITIONAL_ONLY and p.name != "self" for p in parameters)

    @functools.wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        refuse_positional(name, args[method:], most)
        return function(*args, **(given if given.keys() <= known else understood(name, given, allowed)))

    return call  # type: ignore[return-value]


# values


def names(words: Any, what: str = "estimators") -> list[str]:
    """A list of names, or one text with commas between them."""
    if words is None:
        return []
    out = words.split(",") if isinstance(words, str) else list(words) if hasattr(words, "__iter__") else [words]
    for word in out:
        if not isinstance(word, str):
            raise Error(f"{what} holds {word!r}, which is not a name", "bad_option", 'pass names: ["ece_ew", "brier"]' if what == "estimators" else "pass names")
    return out


def norms(norm: Any) -> list[int]:
    if norm in (1, 2):
        return [int(norm)]
    if norm != "both":
        raise Error(f"norm is {norm!r}, not 1, 2 or 'both'", "bad_option", "1: mean absolute gap; 2: root of the mean square")
    return [1, 2]


def one_of(name: str, value: Any, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in choices:
        near = nearest(value, choices) if isinstance(value, str) else ""
        raise Error(f"{name} is {value!r}", "bad_option", f"did you mean {near}?" if near else f"it is {', '.join(choices[:-1])} or {choices[-1]}")
    return value


def reduction(value: Any) -> str:
    return "" if value is None or value == "" else one_of("reduction", value, ("top_label", "positive", "classwise"))


def whole(name: str, value: Any) -> int:
    """An int; the library knows its range."""
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise Error(f"{name} is {value!r}, not a whole number", "bad_option") from None


def real(name: str, value: Any) -> float:
    """A float; the library knows its range."""
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass
    raise Error(f"{name} is {value!r}, not a number", "bad_option")


def cores() -> int:
    """Those this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads(value: Any) -> int | None:
    """None: OMP_NUM_THREADS if it is set, else all cores that the process may use."""
    if value is not None:
        return whole("threads", value)
    told = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return min(int(told), 1024) if told.isdigit() and int(told) > 0 else None


# the tables of options


def kind_of(entry: dict[str, Any]) -> str:
    """Its type in a docstring: ``list of str, optional``."""
    words = [word if word in ("1", "2") else f'"{word}"' for word in entry["words"]]
    kind = {"names": "list of str", "counts": "list of int", "reals": "list of float", "text": "str"}.get(entry["kind"], entry["kind"])
    return (f"{{{', '.join(words)}}}" if words else kind) + (", optional" if entry["default"] is None else "")


def stub_of(entry: dict[str, Any]) -> str:
    """Its type in a stub."""
    words = [word if word in ("1", "2") else f'"{word}"' for word in entry["words"]]
    kind = {"names": "str | Sequence[str]", "counts": "int | Sequence[int]", "reals": "Sequence[float]", "text": "str"}.get(entry["kind"], entry["kind"])
    return (f"Literal[{', '.join(words)}]" if words else kind) + (" | None" if entry["default"] is None else "")


def described(entry: dict[str, Any], indent: str = "    ") -> str:
    """Its place under Parameters."""
    text = entry["help"].replace("`", "``")
    is_word = text.split()[0].rstrip(":,") in entry["words"]
    text = f"False: {text}" if entry["default"] is True else text if is_word else text[0].upper() + text[1:]
    if entry["name"] == "threads":
        text = "``OMP_NUM_THREADS`` or all cores if not given. The answer does not depend on it"
    elif entry["usual"]:
        text += f"; if not given {entry['usual']}"
    return f"{indent}{entry['name']} : {kind_of(entry)}\n{_filled(text + '.', indent + '    ')}"


def _filled(text: str, indent: str) -> str:
    return textwrap.fill(text, 130, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def value_of(entry: dict[str, Any], value: Any) -> Any:
    """As the library takes it, or an error that names the keyword; the library knows ranges, and names of its tables."""
    name, kind = entry["name"], entry["kind"]
    if name == "threads":
        return threads(value)
    if name == "reduction":
        return reduction(value)
    if kind == "names":
        return names(value, name)
    if kind == "norms":
        return norms(value)
    if value is None:
        return None
    if kind == "counts":
        return [whole(name, x) for x in ([value] if hasattr(value, "__index__") else value)]
    if kind == "reals":
        return [real(name, x) for x in value]
    if kind == "word":
        return one_of(name, value, tuple(entry["words"]))
    if kind == "text":
        return str(value)
    return bool(value) if kind == "bool" else whole(name, value) if kind == "int" else real(name, value)


def changed(call: str, options: dict[str, Any]) -> dict[str, Any]:
    """Those that are not the default, by their keywords."""
    return {e["name"]: options[e["known"]] for e in TABLES["options"][call]
            if e["known"] in options and options[e["known"]] != value_of(e, e["default"])}


def taking(*calls: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function with the options of these tables as keywords, where it has ``options``; there it gets them, checked and complete, by the
    names of the library. Its docstring has them in the place of OPTIONS, and what says how a file is read in the place of READING. What
    the function itself declares is its own."""

    def made(function: Callable[..., Any]) -> Callable[..., Any]:
        own = [p for p in inspect.signature(function).parameters.values() if p.name != "options"]
        entries = {e["name"]: e for call in calls for e in TABLES["options"][call] if e["name"] not in {p.name for p in own}}
        keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=e["default"]) for name, e in entries.items()]

        @functools.wraps(function)
        def call(file: Any = None, /, **given: Any) -> Any:
            options = {e["known"]: value_of(e, given.pop(name, e["default"])) for name, e in entries.items()}
            return function(file, **given, options=options)

        call.__signature__ = inspect.Signature(own + keywords)  # type: ignore[attr-defined]
        reading = ", ".join(f"``{e['name']}``" for e in TABLES["options"]["reading"])
        call.__doc__ = (function.__doc__ or "").replace("    OPTIONS", "\n".join(described(e) for e in entries.values())).replace(
            "        READING", _filled(reading, " " * 8))
        return call

    return made
