"""A temperature for any number of rows: a start from some of them, then Newton's steps with exact sums over all."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import dataclass
from typing import Any, Iterator

import numpy as np

from . import _tare
from ._arrays import as_array
from ._calibrators import Calibrator, calibrator
from ._errors import Error, FitWarning
from ._spark_rows import Rows, import_pyspark, packed

_LARGEST_RANGE = 2.0**24
_MOST_PASSES = 50


def _arrays(batch: Any, rows: Rows) -> dict[str, Any]:
    columns = [as_array(batch.column(name), name) for name in rows.columns["logits"]]
    (label,) = rows.columns["labels"]
    return {"logits": columns[0] if len(columns) == 1 else np.column_stack(columns), "labels": as_array(batch.column(label), label)}


@dataclass
class Pass:
    """For mapInArrow: the sums over the rows of a partition for each of some 1 / temperature."""

    rows: Rows
    at: list[float]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        passes = [_tare.TemperedPass(v) for v in self.at]
        said = None
        try:
            for batch in batches:
                if batch.num_rows:
                    data = _arrays(batch, self.rows)
                    for one in passes:
                        one.add(data, 1)
        except Error as why:
            said = packed(why)
        sums = [[i, None if said else one.bytes(), said] for i, one in enumerate(passes)]
        kinds = (pyarrow.int32(), pyarrow.binary(), pyarrow.string())
        yield pyarrow.RecordBatch.from_arrays([pyarrow.array(column, kind) for column, kind in zip(zip(*sums), kinds)], ["number", "sums", "error"])


def _sums(frame: Any, rows: Rows, at: list[float]) -> list[dict[str, Any]]:
    """Mean loss, slope and curvature of all rows."""
    totals = [_tare.TemperedPass(v) for v in at]
    for row in frame.mapInArrow(Pass(rows, at), "number int, sums binary, error string").collect():
        if row["error"] is not None:
            raise Error(*json.loads(row["error"]))
        totals[row["number"]].merge(_tare.load_pass(bytes(row["sums"])))
    found = [one.found() for one in totals]
    if found[0]["range"] > _LARGEST_RANGE:
        raise Error(f"logits of one row lie {found[0]['range']:g} apart", "bad_input", "logits of a network are below 1e4; check the column")
    if found[0]["all_right"]:
        raise Error("every row is classified right, so the log loss falls for ever as the temperature goes to 0", "undefined",
                    "fit on more rows, some of them misclassified")
    return found


def fit(frame: Any, rows: Rows, sample: int) -> Calibrator:
    """The temperature of all rows, to nine digits."""
    import_pyspark()
    head = frame.limit(sample).toArrow()
    if not head.num_rows:
        raise Error("there are no rows", "bad_input", "at least one prediction is needed")
    arrays = _arrays(head, rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FitWarning)
        model = calibrator("temperature", "logits").fit(arrays["logits"], arrays["labels"])
    if head.num_rows < sample:
        return model  # these are all rows
    # Of a slope that rises, Newton's steps inside a bracket find the zero. After a step d from v the error is at most
    # range d^2 / 2 exp(range d): the third derivative is at most the range times the second.
    v, low, high = 1 / model.parameters_["temperature"], 0.0, math.inf
    before = None
    for passes in range(1, _MOST_PASSES + 1):
        found = _sums(frame, rows, [v] if before is not None else [v, 1.0])
        before = before if before is not None else found[1]["loss"]
        e = found[0]
        low, high = (v, high) if e["slope"] < 0 else (low, v)
        to = v - e["slope"] / e["curvature"] if e["curvature"] > 0 else math.inf
        if not low < to < high:
            to = 2 * v if high == math.inf else (low + high) / 2
        d = to - v
        reach = e["range"] * abs(d)
        error = e["range"] * d * d / 2 * math.exp(min(reach, 700.0))
        if e["slope"] == 0 or error <= 1e-9 * to:
            saved = json.loads(model.to_json())
            saved["parameters"]["temperature"] = 1 / to
            saved["fit"] |= {"status": "converged", "iterations": passes, "gradient": error * e["curvature"], "nll_before": before,
                             "nll_after": e["loss"] + d * (e["slope"] + d * e["curvature"] / 2), "note": ""}
            model._set_model(_tare.load(json.dumps(saved), "the fit"))
            return model
        v = to
    raise Error(f"no temperature was found in {_MOST_PASSES} passes", "undefined", "check that logits and labels belong together")
