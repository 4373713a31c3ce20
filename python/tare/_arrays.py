"""Arrays from anywhere: NumPy, DLPack, the buffer protocol, Arrow. What is contiguous stays where it is."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

import numpy as np

from . import _device, _excel, _hdf5, _tare
from ._errors import Error, did_you_mean
from ._groups import coded_groups, columns_of_file
from ._labels import checked_classes, encoded
from ._options import TABLES

_CPU, _CUDA_HOST, _CUDA_MANAGED = 1, 3, 13  # DLPack device types that a CPU can read
_MAIN = ("logits", "probs", "confidences")
_ROLES = (*_MAIN, "correct", "predictions", "labels", "weights")


def _refuse_device(x: Any, name: str) -> None:
    """An array on a GPU is not copied behind its owner's back."""
    device = None
    if hasattr(x, "__dlpack_device__"):
        kind = int(x.__dlpack_device__()[0])
        device = None if kind in (_CPU, _CUDA_HOST, _CUDA_MANAGED) else kind
    elif hasattr(x, "__cuda_array_interface__"):
        device = 2
    if device is not None:
        where = {2: "a CUDA device", 8: "a Metal device", 10: "a ROCm device"}.get(device, f"device type {device}")
        raise Error(f"{name}: the array is on {where}, and tare computes on the CPU", "unsupported",
                    _device.remedy() if device == 2 else _device.COPY)


def _from_dlpack(x: Any, name: str) -> np.ndarray:
    try:
        return np.from_dlpack(x)
    except (BufferError, RuntimeError, TypeError, ValueError) as why:
        if hasattr(x, "__array__"):  # types that NumPy has from elsewhere, such as bfloat16 of JAX
            return np.asarray(x)
        raise Error(f"{name}: {type(x).__module__}.{type(x).__qualname__} cannot be read in place: {why}", "unsupported",
                    "pass it as a NumPy array: np.asarray(x)") from why


def is_tensor(x: Any) -> bool:
    """Of torch, which is not imported for the question."""
    return hasattr(x, "detach") and hasattr(x, "__dlpack__") and hasattr(x, "device")


def _from_torch(x: Any) -> np.ndarray:
    """In place where it is on the CPU; gradients stay behind, bfloat16 becomes float32."""
    x = x.detach().cpu()
    x = x.resolve_conj().resolve_neg() if hasattr(x, "resolve_neg") else x
    return (x.float() if str(x.dtype) == "torch.bfloat16" else x).numpy()


def _from_arrow(x: Any, name: str) -> np.ndarray:
    """One column, or the columns of a table side by side."""
    if hasattr(x, "__arrow_c_stream__"):
        chunks = _tare.arrow_stream(x.__arrow_c_stream__(), name)
    else:
        chunks = _tare.arrow_array(*x.__arrow_c_array__(), name)
    parts = [c[0] if len(c) == 1 else np.column_stack(c) for c in chunks]
    if not parts:
        raise Error(f"{name}: has no rows", "bad_input", "at least one prediction is needed")
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _as_numpy(x: Any, name: str) -> np.ndarray:
    if type(x).__module__.startswith("scipy.sparse"):
        raise Error(f"{name}: sparse data are not supported", "unsupported", "pass a dense array: x.toarray()")
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise Error(f"{name}: the array is masked", "bad_input", "remove masked rows: a missing number is not a prediction")
    if isinstance(x, np.ndarray):
        return x
    if type(x).__module__.partition(".")[0] == "pandas":  # its Arrow export copies and needs pyarrow
        array = np.asarray(x)
        if array.dtype.kind != "O":
            return array
    if is_tensor(x):
        return _from_torch(x)
    if hasattr(x, "__arrow_c_stream__") or hasattr(x, "__arrow_c_array__"):
        return _from_arrow(x, name)
    _refuse_device(x, name)
    return _from_dlpack(x, name) if hasattr(x, "__dlpack__") else np.asarray(x)


def _batches(x: Any) -> bool:
    """A list of arrays with more than one dimension, as a loop over batches collects them."""
    return isinstance(x, (list, tuple)) and len(x) > 0 and all(getattr(one, "ndim", 0) > 1 for one in x)


def _joined(x: Any, name: str) -> np.ndarray:
    parts = [as_array(one, name) for one in x]
    try:
        return np.concatenate(parts)
    except ValueError:
        shapes = ", ".join(str(part.shape) for part in parts[:4])
        raise Error(f"{name}: the batches have the shapes {shapes}", "bad_input", "all batches need as many classes") from None


def as_array(x: Any, name: str) -> np.ndarray:
    """A row- or column-major array of a type that the library reads; a copy only if it has to be."""
    if _batches(x):
        return _joined(x, name)
    try:
        a = _as_numpy(x, name)
    except ValueError as why:
        if isinstance(why, Error):
            raise
        raise Error(f"{name}: the rows are not of one length", "bad_input", "every row needs one number for each class") from why
    if a.dtype.kind == "O" and a.size:  # numbers in a column of objects
        a = np.asarray(a.tolist())
    if a.dtype.kind not in "biuf" and "bfloat16" in str(a.dtype):
        a = a.astype(np.float32)
    if a.dtype.kind not in "biuf" or a.dtype.itemsize > 8:
        if a.dtype.kind == "c":
            raise Error(f"{name}: Complex data not supported", "unsupported", "pass real numbers")
        what = "text" if a.dtype.kind in "US" else f"dtype {a.dtype}"
        raise Error(f"{name}: holds {what}, not numbers", "unsupported", "pass floats, whole numbers or booleans")
    if not a.dtype.isnative:
        a = a.astype(a.dtype.newbyteorder("="))
    if not (a.flags.c_contiguous or a.flags.f_contiguous):
        a = np.ascontiguousarray(a)
    return a


def _listed(x: Any) -> bool:
    return isinstance(x, (list, tuple)) and len(x) > 0 and all(getattr(one, "ndim", 0) > 0 for one in x)


def _from_batches(there: dict[str, Any], main: str, prefix: str) -> dict[str, Any]:
    """Lists of arrays, batch by batch, as one array each. A list of rows is none where the labels are no list of arrays."""
    lists = {role: [_from_torch(one) if is_tensor(one) else np.asarray(one) for one in x] for role, x in there.items() if _listed(x)}
    truth = next((role for role in ("labels", "correct") if role in lists), None)
    if truth is None:
        return there
    if main in lists and lists[main][0].ndim > 1 and len(lists[main]) != len(lists[truth]):
        raise Error(f"{prefix}{main} has {len(lists[main])} batches, but {prefix}{truth} has {len(lists[truth])}", "bad_input",
                    "every batch needs its labels")
    rows = [y.shape for y in lists[truth]]
    out = dict(there)
    for role, parts in lists.items():
        shapes = [part.shape for part in parts]
        if shapes == rows:
            out[role] = np.concatenate([part.reshape(-1) for part in parts])
        elif role == main and [shape[:-1] for shape in shapes] == rows:
            out[role] = _joined([part.reshape(-1, part.shape[-1]) for part in parts], prefix + role)
    return out


def _flattened(arrays: dict[str, np.ndarray], main: str, prefix: str) -> dict[str, np.ndarray]:
    """Positions of a sequence or an image become rows: (B, T, K) with labels of shape (B, T)."""
    x, truth = arrays[main], next((arrays[role] for role in ("labels", "correct") if role in arrays), None)
    if truth is None or truth.ndim < 2 or truth.shape[1:] == (1,):
        return arrays
    if x.ndim == truth.ndim + 1 and x.shape[:-1] == truth.shape:
        rows = truth.shape
        arrays = arrays | {main: x.reshape(-1, x.shape[-1])}
        return {role: a.reshape(-1) if a.shape == rows else a for role, a in arrays.items()}
    if x.ndim > 2 and x.shape[:1] + x.shape[2:] == truth.shape:
        raise Error(f"{prefix}{main} has shape {x.shape} and labels {truth.shape}: the classes are not on the last axis", "bad_input",
                    f"move them there: {main}.movedim(1, -1) in torch, np.moveaxis({main}, 1, -1)")
    if main == "confidences" and x.shape == truth.shape:
        return {role: a.reshape(-1) if a.shape == truth.shape else a for role, a in arrays.items()}
    return arrays


def _without(arrays: dict[str, np.ndarray], ignore: Any) -> dict[str, np.ndarray]:
    """The rows whose label is not the one to ignore."""
    if "labels" not in arrays:
        raise Error("ignore_index is a label, and there are no labels", "bad_option", "leave it out")
    keep = arrays["labels"].reshape(-1) != ignore
    if keep.all():
        return arrays
    return {role: a[keep] if a.ndim and len(a) == len(keep) else a for role, a in arrays.items()}


def fold(file: Any = None, split: str | None = None, *, labelled: bool = True, prefix: str = "", classes: Any = None,
         ignore_index: Any = None, source: str = "", group: Any = None, group_bins: Any = None, reduce_to: Any = None, reading: Any = None, **given: Any) -> dict:
    """The arrays of one fold by their roles, or the file that holds them.

    `reduce_to`: rows on a GPU may become what this reduction needs ("" is the default one); None where all classes are needed.
    """
    there = {role: x for role, x in given.items() if x is not None}
    if reading is not None and (_hdf5.is_hdf5(file) or _excel.is_excel(file)):
        raise Error("reading is for files of text and of NumPy", "bad_option", "leave it out, or pass arrays")
    used = ""
    if _hdf5.is_hdf5(file):
        there, group, used = _hdf5.arrays(file, split, there, group)
        file, split, source = None, None, source or str(os.fspath(file))
    elif _excel.is_excel(file) and split is None:
        there, group, classes, used = _excel.arrays(file, there, group, classes)
        file, source = None, source or str(os.fspath(file))
    bins = {} if group_bins is None else {"group_bins": group_bins}
    if file is not None:
        found = _from_file(file, split, there, prefix, classes, ignore_index)
        if reading is not None:
            found["reading"] = _reading(reading, "state" in found)
        if group is not None and "state" in found:
            raise Error("group: a state keeps no rows, so that they cannot be told apart by groups", "unsupported",
                        "make one state for each group: tare.State(by=...); of a table read in batches pass the columns as arrays")
        return found if group is None else found | bins | {"groups": columns_of_file(group)}
    if split is not None:
        raise Error("split names a part of a file, and there is no file", "bad_option", "leave it out")
    if reading is not None:
        raise Error("reading says how a file is read, and there is no file", "bad_option", "leave it out")
    mains = [role for role in _MAIN if role in there]
    if len(mains) != 1:
        what = " and ".join(prefix + m for m in mains) + " were given" if mains else "no predictions were given"
        raise Error(what, "bad_option", f"pass one of {', '.join(prefix + m for m in _MAIN)}")
    if labelled:
        _check_truth(mains[0], there, prefix)
    groups = {} if group is None else coded_groups(group)
    codes = {f"group {name}": array for name, (array, _) in groups.items()}  # rows that are left out lose their groups, too
    if reduce_to is not None and mains[0] != "confidences" and _device.takes(there[mains[0]], there.get("labels"), classes):
        if "weights" in there:
            codes["weights"] = as_array(_device.copied(there["weights"]), prefix + "weights").reshape(-1)
            mind_weights(codes["weights"])
        arrays = _device.reduced(mains[0], there[mains[0]], there["labels"], ignore_index, reduce_to, codes)
    else:
        arrays = rows_of(there | codes, mains[0], prefix, classes, ignore_index)
    if groups:
        arrays["groups"] = [(name, arrays.pop(f"group {name}"), words) for name, (_, words) in groups.items()]
    return arrays | bins | ({"source": source} if source else {}) | ({"used": used} if used else {})


def used_of(roles: dict[str, list[str]], noun: str) -> str:
    """Which arrays or columns of a file play which part, as the library says it."""
    def said(role: str) -> str:
        names = [_tare.clean(name) for name in roles[role]]
        many = len(names) > 2
        return f"{noun}{'s' * (len(names) > 1)} {f'{names[0]} to {names[-1]}' if many else ', '.join(names)}"

    parts = [("scores", next(role for role in _MAIN if role in roles))] + [(role, role) for role in ("labels", "predictions", "correct") if role in roles]
    return " · ".join([f"{part}: {said(role)}" for part, role in parts] + [f"weights: {said('weights') if 'weights' in roles else 'none'}"])


def rows_of(there: dict[str, Any], main: str, prefix: str = "", classes: Any = None, ignore_index: Any = None) -> dict[str, Any]:
    """What was given, as arrays that the library reads; under "classes" the names of the classes, where they have names."""
    there = _from_batches(there, main, prefix)
    x = as_array(there[main], prefix + main)
    k = None if main == "confidences" else 2 if x.ndim < 2 or x.shape[-1] == 1 else x.shape[-1]
    if ignore_index is not None:  # before names: it is no class
        there = there | {main: x} | {role: as_array(y, prefix + role) for role, y in there.items() if role != main}
        there = _without(_flattened(there, main, prefix), ignore_index)
        x = there[main]
    codes, names = encoded(there, classes, there[main], prefix + main, k, as_array, prefix)
    arrays = {role: x if role == main else codes[role] if role in codes else as_array(y, prefix + role) for role, y in there.items()}
    arrays = _flattened(arrays, main, prefix)
    if "weights" in arrays:
        mind_weights(arrays["weights"])
    return arrays | ({"classes": [str(name) for name in names], "names": names} if names and main != "confidences" else {})


def _from_file(file: Any, split: str | None, there: dict[str, Any], prefix: str, classes: Any, ignore_index: Any) -> dict:
    """A state, or a file: whole, or the arrays or columns of it that are named."""
    state = hasattr(file, "_only")  # a tare.State
    named = {role: _column_names(x) for role, x in there.items()}
    wrong = [prefix + role for role in there if state or named[role] is None] + ["split"] * (state and split is not None)
    wrong += ["ignore_index"] * (ignore_index is not None) + ["classes"] * (state and classes is not None)
    if wrong:
        raise Error(f"both a {'state' if state else 'file'} and {wrong[0]} were given", "bad_option",
                    "pass one of them" if state or wrong[0] not in there else "pass one of them; with a file, names of its arrays or columns")
    if state:
        return {"state": file._only(), "source": file._source}
    try:
        path = str(os.fspath(file))
    except TypeError:
        raise Error(f"{type(file).__name__} is neither a file nor a table", "bad_option",
                    "pass a path, or arrays by their names: probs=, logits= or confidences=, and labels=") from None
    out: dict[str, Any] = {"file": path} | ({"members": named} if named else {})
    if classes is not None:
        out["classes"] = [str(name) for name in checked_classes(classes, None, "the file")]
    return out | ({"split": split} if split else {})


# How a file is read, and of which type each is.
_READING: dict[str, type] = {entry["name"]: {"names": list, "text": str, "int": int, "bool": bool}[entry["kind"]]
                             for entry in TABLES["options"]["reading"]}


def _reading(given: Any, state: bool) -> dict[str, Any]:
    if state:
        raise Error("reading says how a file is read, and a state was read before", "bad_option", "leave it out")
    if not isinstance(given, dict):
        raise Error(f"reading is a dict, not {type(given).__name__}", "bad_option", 'pass reading={"options": ["A", "B", "C", "D"]}')
    out: dict[str, Any] = {}
    for name, value in given.items():
        kind = _READING.get(name)
        if kind is None:
            raise Error(f"reading has no '{name}'", "bad_option", did_you_mean(str(name), _READING))
        if kind is list:
            value = value.split(",") if isinstance(value, str) else [str(one) for one in value]
        elif name == "answers" and isinstance(value, os.PathLike):
            value = os.fspath(value)
        if not isinstance(value, kind) or (kind is int and value not in (0, 1)):
            words = {bool: "True or False", int: "0 or 1", str: "text", list: "a list"}
            raise Error(f"reading: {name} is {value!r}, not {words[kind]}", "bad_option", "")
        out[name] = value
    return out


def _column_names(x: Any) -> list[str] | None:
    """Names of arrays or columns; None where it is something else."""
    names = [x] if isinstance(x, str) else list(x) if isinstance(x, (list, tuple)) else []
    return names if names and all(isinstance(name, str) for name in names) else None


def like(x: Any, out: np.ndarray, columns: Any) -> Any:
    """What was computed from `x`, as `x` is: a tensor on its device, a frame or a column with its index; else an array."""
    if is_tensor(x):
        torch = sys.modules["torch"]
        if out.dtype.kind != "f":
            return torch.from_numpy(out).to(x.device) if out.dtype.kind in "biu" else out
        return torch.from_numpy(out).to(device=x.device, dtype=x.dtype if x.dtype in (torch.float32, torch.float64) else torch.float32)
    library = type(x).__module__.partition(".")[0]
    if library == "pandas" and hasattr(x, "index"):
        pandas = sys.modules["pandas"]
        return pandas.Series(out, index=x.index) if out.ndim == 1 else pandas.DataFrame(out, index=x.index, columns=columns)
    if library == "polars":
        polars = sys.modules["polars"]
        return polars.Series(out) if out.ndim == 1 else polars.DataFrame(out, schema=[str(c) for c in columns])
    return out


def mind_weights(weights: np.ndarray) -> None:
    """Says so where weights sum to much less than there are rows: they are frequencies."""
    with np.errstate(all="ignore"):
        total = float(np.sum(weights, dtype=np.float64))
        note = _tare.weight_note(total, int(np.count_nonzero(weights > 0))) if total > 0 else None
    if note:
        warnings.warn(note, UserWarning, stacklevel=callers_level())


def callers_level() -> int:
    """For warnings: how many calls away the code is that is not of this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "tare":
        frame, level = frame.f_back, level + 1
    return level


def _check_truth(main: str, there: dict, prefix: str) -> None:
    has = {role for role in there if role not in ("weights", main)}
    allowed = [{"labels"}] if main != "confidences" else [{"correct"}, {"predictions", "labels"}]
    if has not in allowed:
        wanted = " or ".join(" and ".join(prefix + r for r in sorted(s)) for s in allowed)
        raise Error(f"{prefix}{main} must come with {wanted}" + (f", not with {', '.join(sorted(has))}" if has else ""),
                    "bad_option", "labels are the true classes; correct is 1 for a hit and 0 for a miss")
