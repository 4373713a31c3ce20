"""Maps as modules of torch: the operations that _maps.py asks for."""

from __future__ import annotations

import json
from typing import Any

import torch

from ._errors import Error
from ._maps import probabilities


class Ops:
    """On one device. Constants are made once and kept by their order, which is always the same."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.kept: list[Any] = []
        self.next = 0

    def _constant(self, numbers: Any, kind: Any) -> Any:
        if self.next == len(self.kept):
            self.kept.append(torch.tensor(numbers, dtype=kind, device=self.device))
        self.next += 1
        return self.kept[self.next - 1]

    def constant(self, numbers: Any) -> Any:
        return self._constant(numbers, torch.float64)

    def wholes(self, numbers: Any) -> Any:
        return self._constant(numbers, torch.int64)

    def wholes_like(self, x: Any) -> Any:
        return torch.zeros_like(x, dtype=torch.int64)

    def whole(self, x: Any) -> Any:
        # NaN has no place in a table: the answer is NaN, whatever is taken
        return torch.nan_to_num(x.detach()).to(torch.int64)

    def still(self, x: Any) -> Any:
        return x.detach()

    exp, log, abs = staticmethod(torch.exp), staticmethod(torch.log), staticmethod(torch.abs)
    either = staticmethod(torch.logical_or)

    def minimum(self, x: Any, y: Any) -> Any:
        return torch.where(self.less(y, x), y, x)

    def maximum(self, x: Any, y: Any) -> Any:
        return torch.where(self.less(x, y), y, x)

    def where(self, condition: Any, x: Any, y: Any) -> Any:
        return torch.where(condition, x, y)

    def less(self, x: Any, y: Any) -> Any:
        return x < y

    def less_equal(self, x: Any, y: Any) -> Any:
        return x <= y

    def equal(self, x: Any, y: Any) -> Any:
        return x == y

    def max(self, x: Any) -> Any:
        return x.max(dim=1, keepdim=True).values

    def sum(self, x: Any) -> Any:
        return x.sum(dim=1, keepdim=True)

    def running_sum(self, x: Any) -> Any:
        return x.cumsum(dim=1)

    def softmax(self, x: Any) -> Any:
        return torch.softmax(x, dim=1)

    def times_matrix(self, x: Any, matrix: Any) -> Any:
        return x @ self.constant(matrix)

    def concat(self, columns: list[Any]) -> Any:
        return torch.cat(columns, dim=1)

    def column(self, x: Any, j: int) -> Any:
        return x[:, j : j + 1]

    def every(self, x: Any, first: int, step: int) -> Any:
        return x[:, first::step]

    def take(self, table: Any, places: Any) -> Any:
        return table[places.clamp(0, len(table) - 1)]

    def first_largest(self, x: Any, k: int) -> Any:
        return self.wholes([list(range(k))]) == x.argmax(dim=1, keepdim=True)


def as_rows(x: Any, columns: int) -> tuple[Any, Any]:
    """(n, columns) in float64, and the shape that the answer gets."""
    if not torch.is_tensor(x) or not x.is_floating_point():
        raise Error("a tensor of floating-point numbers was expected", "bad_input", "logits and probabilities are float32 or float64")
    if columns > 1 and (x.ndim == 0 or x.shape[-1] != columns):
        raise Error(f"the input has shape {tuple(x.shape)}", "bad_input", f"its last axis holds the {columns} classes")
    return x.to(torch.float64).reshape(-1, columns), x.shape


class CalibratedMap(torch.nn.Module):
    """A fitted map that stays as it is: (..., columns) in, calibrated probabilities of the same shape, type and device out."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self._saved, self._recipe = model.json(), model.recipe()
        self._ops: dict[Any, Ops] = {}

    def forward(self, x: Any) -> Any:
        """Calibrated probabilities."""
        rows, shape = as_rows(x, self._recipe["columns"])
        ops = self._ops.setdefault(rows.device, Ops(rows.device))
        ops.next = 0
        least = torch.finfo(x.dtype if x.dtype == torch.float64 else torch.float32).tiny
        return probabilities(self._recipe, ops, rows, least).reshape(shape).to(x.dtype)

    def extra_repr(self) -> str:
        return f"method={json.loads(self._saved)['method']!r}, input={self._recipe['input']!r}, columns={self._recipe['columns']}"

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_ops": {}}


def module_of(calibrator: Any) -> Any:
    """What Calibrator.to_torch() returns."""
    from .torch import TemperatureScaling

    model = calibrator._fitted()
    if calibrator.method == "temperature" and calibrator.input in ("logits", "probs") and model.recipe()["fill"] is None:
        return TemperatureScaling(model.parameters["temperature"], calibrator.input)
    return CalibratedMap(model)
