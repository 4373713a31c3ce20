"""Fitted calibrators for other programs: ONNX graphs (``pip install 'tare[onnx]'``), C++ headers and SQL."""

from __future__ import annotations

import os
from typing import Any

from . import _onnx, _tare
from ._errors import Error, MissingFile

__all__ = ["write", "onnx", "header", "sql"]


def onnx(calibrator: Any, *, append: Any = None, output: str | None = None) -> Any:
    """A fitted calibrator as a model of ONNX, opset 17: (n, columns) logits or probabilities in float32 in, probabilities out.

    Parameters
    ----------
    calibrator : Calibrator
        A fitted one, or one that :func:`load` read.
    append : path or onnx.ModelProto, optional
        A classifier: the answer is one model, that classifier with the map behind it.
    output : str, optional
        Which output of the classifier the map takes; needed if several could be it.
    """
    model = calibrator._fitted()
    recipe, about = model.recipe(), f"{model.method}, fitted by tare {_tare.version}"
    if append is None:
        return _onnx.model(recipe, about)
    library = _onnx.installed()
    if not isinstance(append, library.ModelProto):
        path = os.fspath(append)
        if not os.path.exists(path):
            raise MissingFile(f"{path}: no such file", hint="name the classifier's file")
        try:
            append = library.load(path)
        except Exception as why:  # whatever the parser says
            said = (str(why).splitlines() or [type(why).__name__])[0]
            raise Error(f"{path} could not be read as ONNX: {said}", "bad_input", "name a model that another program exported") from why
    return _onnx.behind(append, recipe, about, output)


def header(calibrator: Any, *, name: str = "calibrate") -> str:
    """A self-contained header of C++17 whose ``NAME::apply`` gives the same bits as :meth:`Calibrator.predict_proba`."""
    text: str = calibrator._fitted().header(name)
    return text


def sql(calibrator: Any, *, score: str = "score") -> str:
    """An SQL expression of a column, for calibrators of two classes and of confidences."""
    text: str = calibrator._fitted().sql(score)
    return text


def write(calibrator: Any, path: Any, *, name: str | None = None, score: str | None = None, append: Any = None,
          output: str | None = None) -> None:
    """Writes a file whose ending says what it is: ``.onnx``, ``.hpp`` (``.h``) or ``.sql``, whole or not at all.

    Parameters
    ----------
    calibrator : Calibrator
        A fitted one.
    path : path
        The file to write.
    name : str, optional
        Of the namespace of a header; that of the file if not given.
    score : str, optional
        The column of an SQL expression; ``score`` if not given.
    append, output : optional
        As for :func:`onnx`.
    """
    stem, ending = os.path.splitext(os.path.basename(os.fspath(path)))
    ending = ending.lower()
    kinds = {".onnx": {"append": append, "output": output}, ".sql": {"score": score}, ".hpp": {"name": name}, ".h": {"name": name}}
    if ending not in kinds:
        raise Error(f"the ending of {os.fspath(path)!r} is none of .onnx, .hpp, .h and .sql", "bad_option", "it says what is written")
    for given, value in {"append": append, "output": output, "score": score, "name": name}.items():
        if value is not None and given not in kinds[ending]:
            raise Error(f"{given} is not for {ending} files", "bad_option", "leave it out, or name another file")
    if ending == ".onnx":
        _tare.write_file(os.fspath(path), onnx(calibrator, append=append, output=output).SerializeToString())
    elif ending == ".sql":
        _tare.write_file(os.fspath(path), sql(calibrator, score=score or "score"))
    else:
        _tare.write_file(os.fspath(path), header(calibrator, name=name or stem))
