"""Calibrators, one class per row of the table."""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
from typing import Any

from . import _tare
from ._calibrator import OPTIONS, Calibrator, Uncalibrated
from ._calls import METHODS, TABLES
from ._errors import ArgumentError, Error, did_you_mean, unreadable
from ._options import described, understood

__all__ = ["Calibrator", "Uncalibrated", "calibrator", "class_names", "classes", "load"]

# Names that people know; a method that is not here is called like its table entry (my_method: MyMethod).
_CLASS_NAMES = {
    "temperature": "TemperatureScaling", "vector": "VectorScaling", "matrix": "MatrixScaling",
    "dirichlet": "DirichletCalibration", "ensemble_temperature": "EnsembleTemperature", "histogram": "HistogramBinning",
    "isotonic": "IsotonicCalibration", "bbq": "BBQ", "platt": "PlattScaling", "beta": "BetaCalibration",
}


def _bases() -> tuple[type, ...]:
    """scikit-learn's, where it is installed."""
    if importlib.util.find_spec("sklearn") is None:
        return (Calibrator,)
    from sklearn.base import BaseEstimator, ClassifierMixin

    return (Calibrator, ClassifierMixin, BaseEstimator)


def _initialiser(name: str, signature: inspect.Signature) -> Any:
    allowed = [p for p in signature.parameters if p != "input"]

    def __init__(self: Calibrator, *args: Any, **options: Any) -> None:
        if len(args) > 1 or (args and "input" in options):
            raise ArgumentError(f"{name}() takes one positional argument, input", "bad_option", f"name the others: {', '.join(allowed)}")
        if not args and "input" not in options:
            raise ArgumentError(f"{name}() needs to know what it is given", "bad_option", f'{name}("logits"), {name}("probs") or {name}("confidences"): the input is declared, never guessed')
        what = args[0] if args else options.pop("input")
        Calibrator.__init__(self, what, **(options if options.keys() <= set(allowed) else understood(name, options, allowed)))

    me = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = signature.replace(parameters=[me, *signature.parameters.values()])  # type: ignore[attr-defined]
    return __init__


def _class_name(row: dict[str, Any]) -> str:
    return _CLASS_NAMES.get(row["name"]) or "".join(w.capitalize() for w in row["name"].split("_"))


def _class(row: dict[str, Any]) -> type[Calibrator]:
    name = _class_name(row)
    options = {OPTIONS[known]["name"]: known for known in row["options"]}
    either = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [inspect.Parameter("input", either)] +
        [inspect.Parameter(o, inspect.Parameter.KEYWORD_ONLY, default=OPTIONS[known]["default"]) for o, known in options.items()] +
        [inspect.Parameter("threads", inspect.Parameter.KEYWORD_ONLY, default=None)])
    meanings = "".join("\n" + described(OPTIONS[known]) for known in options.values())
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
    return type(name, _bases(), {"method": row["name"], "_options": options, "__signature__": signature, "__doc__": doc,
                                 "__module__": "tare", "__init__": _initialiser(name, signature)})


_CLASSES: dict[str, type[Calibrator]] = {}


def classes() -> dict[str, type[Calibrator]]:
    """By the names of the table. They are made when they are asked for, because scikit-learn takes a second to import."""
    if not _CLASSES:
        _CLASSES.update({row["name"]: _class(row) for row in TABLES["calibrators"]})
    return _CLASSES


def class_names() -> list[str]:
    return [_class_name(row) for row in TABLES["calibrators"]]


def __getattr__(name: str) -> Any:
    if name == "CALIBRATORS":
        return classes()
    raise AttributeError(name)


def load(path: Any) -> Calibrator:
    """A saved calibrator, of the class of its method."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as why:
        raise unreadable(str(os.fspath(path)), why) from why
    model = _tare.load(text, os.fspath(path))
    saved = json.loads(text)
    cls = classes()[model.method]
    options = saved.get("options") if isinstance(saved.get("options"), dict) else {}
    out = cls(saved["input"], **{name: value for name, value in options.items() if name in ("threads", *cls._options)})
    names = saved.get("classes")
    out._set_model(model, names if isinstance(names, list) and len(names) == model.classes else None)
    return out


def calibrator(method: str, input: str, **options: Any) -> Calibrator:
    """The calibrator of that name in the table: ``calibrator("temperature", "logits")``; ``"sigmoid"`` is ``"platt"``."""
    method = METHODS.get(method, method)
    if method not in classes():
        raise Error(f"there is no calibrator '{method}'", "bad_option", did_you_mean(str(method), classes()))
    return classes()[method](input, **options)
