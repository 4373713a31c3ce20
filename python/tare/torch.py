"""A metric of torchmetrics, and calibrators as modules of torch (``pip install 'tare[torch]'``)."""

from __future__ import annotations

import json
from typing import Any

from . import _tare
from ._calls import _BINS
from ._errors import Error, estimator_hint
from ._estimators import ESTIMATORS
from ._state import State

try:
    import torch
except ImportError:  # the classes say so when they are made
    torch = None
try:
    from torchmetrics import Metric
    from torchmetrics.utilities.distributed import gather_all_tensors
except ImportError:
    Metric, gather_all_tensors = object, None

_Module: Any = object if torch is None else torch.nn.Module

__all__ = ["CalibrationError", "TemperatureScaling"]


class CalibrationError(Metric):  # type: ignore[misc,valid-type]
    """An estimator of the table as a metric for training loops, torchmetrics and Lightning.

    It keeps a :class:`State`, not the predictions: a few megabytes however long the epoch. Between processes the bytes of the
    states are gathered and merged, so that the value is that of all rows, bit for bit, however they were dealt out.

        error = tare.torch.CalibrationError("rank_poly")
        for x, y in loader:
            error.update(model(x), y)
        error.compute()

    Parameters
    ----------
    estimator : str
        A name of ``tare list``; :func:`measure` shows them all.
    input : {"logits", "probs"}
        What ``update`` is given; never guessed.
    norm : {1, 2}, optional
        Of estimators that have both; the first if not given.
    reduction, bins, cells
        Those of :class:`State`.
    ignore_index : int, optional
        Rows with this label are left out, as ``cross_entropy`` does with -100.
    **kwargs
        Those of ``torchmetrics.Metric``, such as ``dist_sync_on_step``.
    """

    is_differentiable = False
    higher_is_better = False
    full_state_update = False

    def __init__(self, estimator: str = "rank_poly", *, input: str = "logits", norm: int | None = None, reduction: str | None = None,
                 bins: int = _BINS, cells: int | None = None, ignore_index: int | None = None, **kwargs: Any) -> None:
        if Metric is object:
            raise Error("tare.torch needs torch and torchmetrics, which are not installed", "unsupported", "pip install 'tare[torch]'")
        if estimator not in ESTIMATORS:
            raise Error(f"there is no estimator '{estimator}'", "bad_option", estimator_hint(estimator, ESTIMATORS))
        if input not in ("logits", "probs"):
            raise Error(f"input is {input!r}", "bad_option", "it is logits or probs")
        super().__init__(**kwargs)
        self.estimator, self.input, self.norm, self.ignore_index = estimator, input, norm, ignore_index
        self._options: dict[str, Any] = {"cells": cells, "bins": bins, "reduction": reduction}
        self.state = State(**self._options)
        self._saved = False

    def update(self, preds: Any, target: Any) -> None:
        """Adds a batch.

        Parameters
        ----------
        preds : tensor of shape (n, K, ...) or (n, ...)
            Logits or probabilities of K classes, or the log-odds or the probability of class 1.
        target : tensor of shape (n, ...)
            The true classes.
        """
        if preds.ndim == target.ndim + 1:
            preds = preds.movedim(1, -1).flatten(0, -2)
        elif preds.ndim == target.ndim:
            preds = preds.flatten()
        else:
            raise Error(f"preds have shape {tuple(preds.shape)}, target has {tuple(target.shape)}", "bad_input",
                        "target has one class for each prediction")
        if self.ignore_index is not None:
            kept = target.flatten() != self.ignore_index
            preds, target = preds[kept], target.flatten()[kept]
        if target.numel():
            self.state.update(labels=target.flatten(), **{self.input: preds})

    def compute(self) -> Any:
        """The estimate for all rows since the last reset, of all processes; nan where it does not exist."""
        found = self.state.measure(estimators=[self.estimator], intervals=False)[self.estimator, self.norm] if self.state.rows else None
        value = float("nan") if found is None or found.value is None else found.value
        return torch.tensor(value, dtype=torch.get_default_dtype(), device=self.device)

    def measure(self, **options: Any) -> Any:
        """:func:`measure` on all rows since the last reset, of all processes: every estimator, noise, intervals, a verdict."""
        with self.sync_context(dist_sync_fn=self.dist_sync_fn, should_sync=self._to_sync and not self._is_synced,
                               should_unsync=self._should_unsync):
            return self.state.measure(**options)

    # what torchmetrics asks of a metric whose state is not a tensor

    def reset(self) -> None:
        """Forgets all rows."""
        super().reset()
        self.state = State(**self._options)

    @property
    def metric_state(self) -> dict[str, Any]:
        return {"state": self.state}

    def _copy_state_dict(self) -> dict[str, Any]:
        return {"state": self.state.copy()}

    def _reduce_states(self, incoming_state: dict[str, Any]) -> None:
        self.state = incoming_state["state"].copy().merge(self.state)

    def _packed(self) -> Any:
        return torch.frombuffer(bytearray(self.state.to_bytes()), dtype=torch.uint8)

    def _sync_dist(self, dist_sync_fn: Any = None, process_group: Any = None) -> None:
        gather = dist_sync_fn or gather_all_tensors
        parts = gather(self._packed().to(self.device), group=process_group or self.process_group)
        merged = State(**self._options)
        for part in parts:
            merged.merge(State.from_bytes(part.cpu().numpy().tobytes()))
        self.state = merged

    def persistent(self, mode: bool = False) -> None:
        """Is the state to be saved with the module?"""
        self._saved = mode

    def state_dict(self, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """The state as bytes, if persistent."""
        out = super().state_dict(destination=destination, prefix=prefix, keep_vars=keep_vars)
        if self._saved:
            out[prefix + "state"] = self._packed()
        return out

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *rest: Any) -> None:
        if prefix + "state" in state_dict:
            self.state = State.from_bytes(state_dict.pop(prefix + "state").cpu().numpy().tobytes())
        super()._load_from_state_dict(state_dict, prefix, *rest)


class TemperatureScaling(_Module):  # type: ignore[misc,valid-type]
    """softmax(z / T) with a temperature that can be trained: its logarithm is the parameter, so that it stays positive.

        scale = tare.torch.TemperatureScaling().fit(val_logits, val_labels)      # the optimum on these rows
        loss = torch.nn.functional.cross_entropy(scale.logits(net(x)), y)        # and further, with or without the network
        p = scale(net(x))

    Parameters
    ----------
    temperature : float
        Where it begins.
    input : {"logits", "probs"}
        What ``forward`` is given.
    """

    def __init__(self, temperature: float = 1.0, input: str = "logits") -> None:
        if torch is None:
            raise Error("tare.torch needs torch, which is not installed", "unsupported", "pip install 'tare[torch]'")
        super().__init__()
        if not (1e-6 <= temperature <= 1e6):
            raise Error(f"temperature is {temperature!r}", "bad_option", "it is a number from 1e-6 to 1e6")
        if input not in ("logits", "probs"):
            raise Error(f"input is {input!r}", "bad_option", "it is logits or probs")
        self.input = input
        self.log_temperature = torch.nn.Parameter(torch.tensor(temperature, dtype=torch.float64).log())

    @property
    def temperature(self) -> float:
        """The number that logits are divided by."""
        return float(self.log_temperature.detach().exp())

    def logits(self, x: Any) -> Any:
        """The logits divided by the temperature, for a loss that takes logits."""
        z = x if self.input == "logits" else torch.log(x.clamp_min(torch.finfo(x.dtype).tiny))
        return z / self.log_temperature.exp().to(z.dtype)

    def forward(self, x: Any) -> Any:
        """Calibrated probabilities, of the shape of the input; (n,) or (n, 1) are log-odds or probabilities of class 1."""
        from ._maps import tempered
        from ._torch_maps import Ops, as_rows

        columns = 1 if x.ndim < 2 or x.shape[-1] == 1 else x.shape[-1]
        rows, shape = as_rows(x, columns)
        none = torch.isneginf(rows) if self.input == "logits" and columns > 1 else None
        if none is not None:
            rows = torch.where(none, -(2.0**20), rows)
        least = torch.finfo(x.dtype if x.dtype == torch.float64 else torch.float32).tiny
        out = tempered(Ops(rows.device), rows, columns, self.input == "logits", least, (-self.log_temperature).exp())
        if none is not None:
            out = torch.where(none, 0.0, out)
        return out.reshape(shape).to(x.dtype)

    def fit(self, x: Any, labels: Any) -> TemperatureScaling:
        """Sets the temperature to the optimum on these rows (:class:`tare.TemperatureScaling`)."""
        from ._calibrators import calibrator

        found = calibrator("temperature", self.input).fit(x.detach(), labels)
        with torch.no_grad():
            self.log_temperature.copy_(torch.tensor(found.parameters_["temperature"], dtype=torch.float64).log())
        return self

    def to_tare(self, classes: int) -> Any:
        """A :class:`tare.TemperatureScaling` of so many classes with this temperature, to save or to export."""
        from ._calibrators import classes as known

        report = {"status": "converged", "iterations": 0, "gradient": None, "nll_before": None, "nll_after": None, "note": "trained with torch"}
        text = json.dumps({"tare": _tare.version, "format": 1, "method": "temperature", "k": classes, "columns": classes, "input": self.input,
                           "parameters": {"temperature": self.temperature}, "fit": report})
        out = known()["temperature"](self.input)
        out._set_model(_tare.load(text, "torch"))
        return out

    def extra_repr(self) -> str:
        return f"temperature={self.temperature:.6g}, input={self.input!r}"
