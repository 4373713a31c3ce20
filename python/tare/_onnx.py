"""Maps as graphs of ONNX: the operations that _maps.py asks for, and a graph behind a user's own model."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import Error

_OPSET = 17  # what is used has not changed since, but for the axes of ReduceMax


def installed() -> Any:
    try:
        import onnx
    except ImportError:
        raise Error("writing ONNX needs the package onnx, which is not installed", "unsupported", "pip install 'tare[onnx]'") from None
    return onnx


class Value:
    """A value of the graph, in float64 unless it is an index or a condition."""

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph, self.name = graph, name

    def _with(self, kind: str, other: Any, swapped: bool = False) -> Value:
        both = (self, other)
        return self.graph.node(kind, *(reversed(both) if swapped else both))

    def __add__(self, other: Any) -> Value:
        return self._with("Add", other)

    def __radd__(self, other: Any) -> Value:
        return self._with("Add", other, True)

    def __sub__(self, other: Any) -> Value:
        return self._with("Sub", other)

    def __rsub__(self, other: Any) -> Value:
        return self._with("Sub", other, True)

    def __mul__(self, other: Any) -> Value:
        return self._with("Mul", other)

    def __rmul__(self, other: Any) -> Value:
        return self._with("Mul", other, True)

    def __truediv__(self, other: Any) -> Value:
        return self._with("Div", other)

    def __rtruediv__(self, other: Any) -> Value:
        return self._with("Div", other, True)


class Graph:
    """Collects nodes and constants. Rows are (n, columns); a reduction keeps its axis."""

    def __init__(self, opset: int) -> None:
        self.onnx, self.opset = installed(), opset
        self.nodes: list[Any] = []
        self.constants: dict[Any, Any] = {}

    def node(self, kind: str, *inputs: Any, **attributes: Any) -> Value:
        whole = any(isinstance(i, Index) for i in inputs)
        names = [i.name if isinstance(i, Value) else self._number(i, whole) for i in inputs]
        out = (Index if whole and kind in ("Add", "Sub", "Where") else Value)(self, f"{kind}_{len(self.nodes)}")
        self.nodes.append(self.onnx.helper.make_node(kind, names, [out.name], name=out.name, **attributes))
        return out

    def _number(self, number: float, whole: bool) -> str:
        return self._array(np.array(number, dtype=np.int64 if whole else np.float64)).name

    def _array(self, array: np.ndarray) -> Value:
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self.constants:
            self.constants[key] = self.onnx.numpy_helper.from_array(array, f"constant_{len(self.constants)}")
        return (Index if array.dtype == np.int64 else Value)(self, self.constants[key].name)

    # what _maps.py asks for

    def constant(self, numbers: Any) -> Value:
        return self._array(np.array(numbers, dtype=np.float64))

    def wholes(self, numbers: Any) -> Value:
        return self._array(np.array(numbers, dtype=np.int64))

    def wholes_like(self, x: Value) -> Value:
        return self.whole(x * 0.0)

    def whole(self, x: Value) -> Value:
        return Index(self, self.node("Cast", x, to=self.onnx.TensorProto.INT64).name)

    def still(self, x: Value) -> Value:
        return x

    def exp(self, x: Value) -> Value:
        return self.node("Exp", x)

    def log(self, x: Value) -> Value:
        return self.node("Log", x)

    def abs(self, x: Value) -> Value:
        return self.node("Abs", x)

    def minimum(self, x: Value, y: Any) -> Value:
        return self.where(self.less(y, x), y, x)

    def maximum(self, x: Value, y: Any) -> Value:
        return self.where(self.less(x, y), y, x)

    def where(self, condition: Value, x: Any, y: Any) -> Value:
        return self.node("Where", condition, x, y)

    def less(self, x: Any, y: Any) -> Value:
        return Value(self, self.node("Less", x, y).name)

    def less_equal(self, x: Any, y: Any) -> Value:
        return Value(self, self.node("LessOrEqual", x, y).name)

    def equal(self, x: Any, y: Any) -> Value:
        return Value(self, self.node("Equal", x, y).name)

    def either(self, x: Value, y: Value) -> Value:
        return self.node("Or", x, y)

    def max(self, x: Value) -> Value:
        if self.opset < 18:
            return self.node("ReduceMax", x, axes=[1], keepdims=1)
        return Value(self, self.node("ReduceMax", x, Value(self, self.wholes([1]).name), keepdims=1).name)

    def sum(self, x: Value) -> Value:
        return self.node("ReduceSum", x, Value(self, self.wholes([1]).name), keepdims=1)

    def running_sum(self, x: Value) -> Value:
        return self.node("CumSum", x, Value(self, self.wholes([1]).name))

    def softmax(self, x: Value) -> Value:
        return self.node("Softmax", x, axis=1)

    def times_matrix(self, x: Value, matrix: Any) -> Value:
        return self.node("MatMul", x, self.constant(matrix))

    def concat(self, columns: list[Value]) -> Value:
        return self.node("Concat", *columns, axis=1)

    def column(self, x: Value, j: int) -> Value:
        return self.node("Gather", x, Value(self, self.wholes([j]).name), axis=1)

    def every(self, x: Value, first: int, step: int) -> Value:
        bounds = ([first], [np.iinfo(np.int64).max], [1], [step])
        return self.node("Slice", x, *(Value(self, self.wholes(b).name) for b in bounds))

    def take(self, table: Value, places: Value) -> Value:
        return self.node("Gather", table, Value(self, places.name), axis=0)

    def first_largest(self, x: Value, k: int) -> Value:
        at = self.node("ArgMax", x, axis=1, keepdims=1, select_last_index=0)
        return Value(self, self.node("Equal", Value(self, self.wholes([list(range(k))]).name), at).name)


class Index(Value):
    """Whole numbers."""


def model(recipe: dict[str, Any], about: str, opset: int = _OPSET, dtype: str = "float32") -> Any:
    """The map as a model of ONNX: (n, columns) logits or probabilities in, (n, columns) probabilities out."""
    from ._maps import probabilities

    onnx = installed()
    graph = Graph(opset)
    kind = onnx.TensorProto.FLOAT if dtype == "float32" else onnx.TensorProto.DOUBLE
    given = "logits" if recipe["input"] == "logits" else "scores"
    x = graph.node("Cast", Value(graph, given), to=onnx.TensorProto.DOUBLE)
    out = probabilities(recipe, graph, x, float(np.finfo(dtype).tiny))
    graph.nodes.append(onnx.helper.make_node("Cast", [out.name], ["probabilities"], name="probabilities", to=kind))
    used = {name for node in graph.nodes for name in node.input}
    shape = ["n", recipe["columns"]]
    made = onnx.helper.make_graph(graph.nodes, "calibrate", [onnx.helper.make_tensor_value_info(given, kind, shape)],
                                  [onnx.helper.make_tensor_value_info("probabilities", kind, shape)], [c for c in graph.constants.values() if c.name in used])
    out = onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", opset)], producer_name="tare", doc_string=about)
    out.ir_version = min(out.ir_version, 10)  # runtimes of the last years read it
    onnx.checker.check_model(out)
    return out


def behind(classifier: Any, recipe: dict[str, Any], about: str, output: str | None) -> Any:
    """The map behind a classifier: its output is taken as logits or probabilities, and replaced by what the map makes of it."""
    onnx = installed()
    outputs = {o.name: o for o in classifier.graph.output}
    name = output if output is not None else _output_of(onnx, outputs, recipe["columns"])
    if name not in outputs:
        raise Error(f"the classifier has no output {name!r}", "bad_option", f"it has {', '.join(outputs)}")
    kind = outputs[name].type.tensor_type.elem_type
    if kind not in (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE):
        raise Error(f"the output {name!r} of the classifier is not float32 or float64", "unsupported", "cast it in the classifier")
    dims = outputs[name].type.tensor_type.shape.dim
    if len(dims) != 2 or (dims[1].HasField("dim_value") and dims[1].dim_value != recipe["columns"]):
        raise Error(f"the output {name!r} of the classifier has shape ({', '.join(d.dim_param or str(d.dim_value) for d in dims)})", "bad_input",
                    f"the map takes rows of {recipe['columns']} numbers")
    opset = next((o.version for o in classifier.opset_import if o.domain in ("", "ai.onnx")), 0)
    if opset < _OPSET:
        try:
            classifier, opset = onnx.version_converter.convert_version(classifier, _OPSET), _OPSET
        except Exception as why:
            raise Error(f"the classifier is of opset {opset} and cannot be converted to {_OPSET}: {why}", "unsupported",
                        "export it again with a newer opset") from why
    ours = model(recipe, about, opset, "float32" if kind == onnx.TensorProto.FLOAT else "float64")
    ours.ir_version = classifier.ir_version
    ours = onnx.compose.add_prefix(ours, "calibrate_")
    joined = onnx.compose.merge_models(classifier, ours, io_map=[(name, ours.graph.input[0].name)])
    onnx.checker.check_model(joined)
    return joined


def _output_of(onnx: Any, outputs: dict[str, Any], columns: int) -> str:
    def fits(value: Any) -> bool:
        t = value.type.tensor_type
        dims = t.shape.dim
        return (t.elem_type in (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE) and len(dims) == 2
                and (not dims[1].HasField("dim_value") or dims[1].dim_value == columns))

    found = [name for name, value in outputs.items() if fits(value)]
    if len(found) != 1:
        raise Error(f"{len(found)} outputs of the classifier could be the rows of {columns} numbers", "bad_option",
                    f"name one of {', '.join(found or outputs)}" if outputs else "it has no output")
    return found[0]
