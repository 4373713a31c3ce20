"""Arrays from anywhere: NumPy, DLPack, the buffer protocol, Arrow. What is contiguous stays where it is."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from . import _tare
from ._errors import Error

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
                    "copy it first: .cpu() in torch, cupy.asnumpy(x), jax.device_get(x)")


def _from_dlpack(x: Any, name: str) -> np.ndarray:
    try:
        return np.from_dlpack(x)
    except (BufferError, RuntimeError, TypeError, ValueError) as why:
        raise Error(f"{name}: {type(x).__module__}.{type(x).__qualname__} cannot be read in place: {why}", "unsupported",
                    "in torch: .detach() for tensors with gradients, .float() for bfloat16") from why


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
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise Error(f"{name}: the array is masked", "bad_input", "remove masked rows: a missing number is not a prediction")
    if isinstance(x, np.ndarray):
        return x
    if type(x).__module__.partition(".")[0] == "pandas":  # its Arrow export copies and needs pyarrow
        array = np.asarray(x)
        if array.dtype.kind != "O":
            return array
    if hasattr(x, "__arrow_c_stream__") or hasattr(x, "__arrow_c_array__"):
        return _from_arrow(x, name)
    _refuse_device(x, name)
    return _from_dlpack(x, name) if hasattr(x, "__dlpack__") else np.asarray(x)


def as_array(x: Any, name: str) -> np.ndarray:
    """A row- or column-major array of a type that the library reads; a copy only if it has to be."""
    a = _as_numpy(x, name)
    if a.dtype.kind not in "biuf" or a.dtype.itemsize > 8:
        hint = "use x.astype('float32')" if "bfloat16" in str(a.dtype) else "pass floats, whole numbers or booleans"
        raise Error(f"{name}: has dtype {a.dtype}, which is not a type of numbers that tare reads", "unsupported", hint)
    if not a.dtype.isnative:
        a = a.astype(a.dtype.newbyteorder("="))
    if not (a.flags.c_contiguous or a.flags.f_contiguous):
        a = np.ascontiguousarray(a)
    return a


def fold(file: Any = None, split: str | None = None, *, labelled: bool = True, prefix: str = "", **given: Any) -> dict:
    """The arrays of one fold by their roles, or the file that holds them."""
    there = {role: x for role, x in given.items() if x is not None}
    if file is not None:
        state = hasattr(file, "_only")  # a tare.State
        if there or (state and split):
            extra = prefix + next(iter(there), "split")
            raise Error(f"both a {'state' if state else 'file'} and {extra} were given", "bad_option", "pass one of them")
        if state:
            return {"state": file._only(), "source": file._source}
        out = {"file": os.fspath(file)}
        return out | ({"split": split} if split else {})
    if split is not None:
        raise Error("split names a part of a file, and there is no file", "bad_option", "leave it out")
    mains = [role for role in _MAIN if role in there]
    if len(mains) != 1:
        what = " and ".join(prefix + m for m in mains) + " were given" if mains else "no predictions were given"
        raise Error(what, "bad_option", f"pass one of {', '.join(prefix + m for m in _MAIN)}")
    if labelled:
        _check_truth(mains[0], there, prefix)
    arrays = {role: as_array(x, prefix + role) for role, x in there.items()}
    if "weights" in arrays:
        mind_weights(arrays["weights"])
    return arrays


def mind_weights(weights: np.ndarray) -> None:
    """Says so where weights sum to much less than there are rows: they are frequencies."""
    with np.errstate(all="ignore"):
        note = _tare.weight_note(float(np.sum(weights, dtype=np.float64)), int(np.count_nonzero(weights > 0)))
    if note:
        warnings.warn(note, UserWarning, stacklevel=4)


def _check_truth(main: str, there: dict, prefix: str) -> None:
    has = {role for role in there if role not in ("weights", main)}
    allowed = [{"labels"}] if main != "confidences" else [{"correct"}, {"predictions", "labels"}]
    if has not in allowed:
        wanted = " or ".join(" and ".join(prefix + r for r in sorted(s)) for s in allowed)
        raise Error(f"{prefix}{main} must come with {wanted}" + (f", not with {', '.join(sorted(has))}" if has else ""),
                    "bad_option", "labels are the true classes, 0 to K-1; correct is 1 for a hit and 0 for a miss")
