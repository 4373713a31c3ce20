"""Arrays on a CUDA device, of torch, CuPy or JAX: reduced, fitted and calibrated where they are (``tare._cuda``)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._errors import Error

_CUDA = 2  # the device type of DLPack
METHODS = ("temperature", "vector")  # calibrators that are fitted and applied there
COPY = "copy it first: .cpu() in torch, cupy.asnumpy(x), jax.device_get(x)"


def on_cuda(x: Any) -> bool:
    """Does it live on a CUDA device?"""
    if isinstance(x, (np.ndarray, list, tuple, str)) or x is None:
        return False
    if hasattr(x, "__dlpack_device__"):
        return int(x.__dlpack_device__()[0]) == _CUDA
    return hasattr(x, "__cuda_array_interface__")


def module() -> Any:
    """The GPU part, or None where this tare was built without it or there is no device."""
    try:
        from . import _cuda  # type: ignore[attr-defined]
    except ImportError:
        return None
    return _cuda if _cuda.device_count() > 0 else None


def remedy() -> str:
    """What to do with an array on a CUDA device that is not taken there."""
    if module() is None:
        return "build tare with its GPU part: pip install . -C cmake.define.TARE_CUDA=ON (docs/guide/gpu.md); or " + COPY
    return ("there tare takes logits or probs of two classes or more, in float32, float16 or bfloat16, with labels in int32 or int64 on the "
            "same device, without names of classes; or " + COPY)


def takes(x: Any, labels: Any, classes: Any = None) -> bool:
    """Can rows and labels be reduced, or fitted on, where they are?"""
    return (classes is None and takes_rows(x) and on_cuda(labels)
            and str(getattr(labels, "dtype", "")).rpartition(".")[2] in ("int32", "int64"))


def refuse_weights(x: Any, weights: Any) -> None:
    """A fit has no weights there. What torch would copy to the CPU by itself is not refused."""
    if weights is not None and on_cuda(x) and _library(x) != "torch":
        raise Error("sample_weight: on a GPU calibrators are fitted without weights", "unsupported",
                    "leave them out, or fit on the CPU: copy logits, labels and weights with cupy.asnumpy(x) or jax.device_get(x)")


def takes_rows(x: Any) -> bool:
    """Can a calibrator be applied to them where they are?"""
    return (on_cuda(x) and len(getattr(x, "shape", ())) > 1 and x.shape[-1] > 1
            and str(x.dtype).rpartition(".")[2] in ("float32", "float16", "bfloat16") and module() is not None)


def _library(x: Any) -> str:
    return type(x).__module__.partition(".")[0]


def _stream(x: Any) -> int:
    """The stream that the caller's library works on: what tare does comes after what was asked before, and waits for nothing else."""
    library = _library(x)
    if library == "torch":
        import torch

        return int(torch.cuda.current_stream(x.device).cuda_stream)
    if library == "cupy":
        import cupy

        with cupy.cuda.Device(x.device):
            return int(cupy.cuda.get_current_stream().ptr)
    return 0  # the default stream; JAX makes it wait for the array


def _capsule(x: Any, stream: int) -> Any:
    """As a DLPack capsule that is ready on the stream. By DLPack's rules the default stream is called 1."""
    x = x.detach() if hasattr(x, "detach") else x
    return x.__dlpack__(stream=stream or 1) if _library(x) != "torch" else x.__dlpack__(stream=stream or None)


def _as_rows(x: Any, labels: Any, name: str) -> tuple[Any, Any]:
    """Positions of a sequence become rows."""
    if x.ndim > 2 and tuple(x.shape[:-1]) == tuple(labels.shape):
        return x.reshape(-1, x.shape[-1]), labels.reshape(-1)
    if x.ndim != 2 or labels.ndim != 1:
        raise Error(f"{name} has shape {tuple(x.shape)} and labels {tuple(labels.shape)}", "bad_input",
                    "one label for each row; the classes are on the last axis")
    return x, labels


def copied(x: Any) -> Any:
    """One number for each row, on the CPU. Only for small arrays beside the rows."""
    if not on_cuda(x) or _library(x) == "torch":
        return x
    return x.get() if _library(x) == "cupy" else np.asarray(x)


def _moments(n: float, total: float, square: float) -> tuple[float, float | None]:
    """Mean and standard error."""
    mean = total / n
    return mean, math.sqrt(max(square / n - mean * mean, 0.0) / (n - 1)) if n > 1 else None


_INFINITE_LOSS = 2.0**20  # a log loss from here on counts as infinite, everywhere in tare


def _weighted(x: np.ndarray, weights: np.ndarray) -> tuple[float, float, float]:
    """Weight, sum and sum of squares of what does not count as infinite."""
    there = x < _INFINITE_LOSS
    x, w = x[there].astype(np.float64), weights[there].astype(np.float64)
    return float(w.sum()), float(w @ x), float(w @ (x * x))


def _about(main: str, k: int, found: dict[str, Any], kept: Any, weights: Any) -> dict[str, Any]:
    """What only the full rows can say: log loss and Brier score, with their standard errors."""
    infinite, n = found["infinite"], found["rows"]
    nll, brier = (n - infinite, *found["nll"]), (n, *found["brier"])
    if weights is not None:
        with np.errstate(all="ignore"):  # weights are checked later
            nll, brier = _weighted(found["row_nll"][kept], weights), _weighted(found["row_brier"][kept], weights)
            infinite = float(weights[found["row_nll"][kept] >= _INFINITE_LOSS].sum(dtype=np.float64))
    return {"kind": main, "k": k, "infinite": infinite, "nll": _moments(nll[0] or 1, *nll[1:]), "brier": _moments(brier[0] or 1, *brier[1:])}


def reduced(main: str, x: Any, labels: Any, ignore_index: Any = None, reduction: Any = None, beside: dict[str, Any] | None = None) -> dict[str, Any]:
    """Rows on a device as the small arrays that the CPU works on: confidences and hits, of two classes probabilities and labels.

    They come in ascending order, sorted on the device. With other arrays ``beside`` them, weights and groups, they stay as they
    were given, and both lose the rows that are ignored.
    """
    if reduction == "classwise":
        raise Error("classwise needs the probabilities of all classes on the CPU", "unsupported", COPY)
    x, labels = _as_rows(x, labels, main)
    stream, k = _stream(x), int(x.shape[1])
    # a label that no class has stands for "none": rows are left out only where that was asked for
    ignored = -(2**62) if ignore_index is None else int(ignore_index)
    second = k == 2 and reduction in (None, "", "positive")
    found = module().reduce(_capsule(x, stream), _capsule(labels, stream), main, ignored, second, bool(beside), stream)
    if found["rows"] == 0:
        raise Error(f"{main}: there are no rows", "bad_input", "at least one prediction is needed")
    score, hit = found["score"], found["hit"]
    kept: Any = found["given_hit"] != 2 if beside else None
    out = {name: a[kept] if a.shape == kept.shape else a for name, a in (beside or {}).items()}
    if "weights" in out and len(out["weights"]) != len(score):
        raise Error(f"weights has {len(out['weights'])} rows, but {main} has {len(kept)} rows", "bad_input", "every array must have one entry per prediction")
    if second:
        return out | {"probs": score, "labels": hit.astype(np.int32)}
    return out | {"confidences": score, "correct": hit, "reduced": _about(main, k, found, kept, out.get("weights"))}


def fitted(method: str, x: Any, labels: Any, ignore_index: Any, max_iterations: int) -> str:
    """A calibrator of logits, fitted on the device, as the JSON that is saved."""
    x, labels = _as_rows(x, labels, "logits")
    stream = _stream(x)
    ignored = -(2**62) if ignore_index is None else int(ignore_index)
    return str(module().fit(method, _capsule(x, stream), _capsule(labels, stream), "logits", ignored, max_iterations, stream)[0])


def applied(json: str, x: Any) -> Any:
    """Probabilities of logits, of the same kind, on the same device, in float32."""
    rows = x.reshape(-1, x.shape[-1]) if x.ndim > 2 else x
    stream, library = _stream(x), _library(x)
    if library == "torch":
        import torch

        out = torch.empty(tuple(rows.shape), dtype=torch.float32, device=rows.device)
        to = _capsule(out, stream)
    elif library == "cupy":
        import cupy

        with cupy.cuda.Device(rows.device):
            out = cupy.empty(rows.shape, dtype=cupy.float32)
        to = _capsule(out, stream)
    else:
        to = out = module().empty(int(rows.shape[0]), int(rows.shape[1]), int(x.__dlpack_device__()[1]), stream)
    module().apply(json, _capsule(rows, stream), to, stream)
    if library not in ("torch", "cupy"):  # arrays of JAX are never written to: it takes over ours
        import jax

        out = jax.dlpack.from_dlpack(out)  # it was waited for
    return out.reshape(x.shape)
