"""Calibrators as graphs of ONNX: onnxruntime gives what `tare apply` gives, rounded to float32, at the edges of steps, too."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import tare
from conftest import ROOT
from exported import applied, fit, models, problems

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")

LONG = pytest.mark.skipif(os.environ.get("TARE_LONG") != "1", reason="long: TARE_LONG=1")


def run(graph, rows):
    session = runtime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: rows})[0]


def rows_in_float32(calibrator, rows):
    out = rows.astype(np.float32)
    return out if calibrator.input == "logits" else np.clip(out, 0, 1)


def agrees(name, calibrator, rows):
    typed = rows_in_float32(calibrator, rows)
    found = run(tare.export.onnx(calibrator), typed.reshape(len(typed), -1))
    assert found.dtype == np.float32 and found.shape == (len(typed), calibrator.model_.columns)
    assert np.abs(found - applied(calibrator, typed)).max() < 1e-6, name


def test_the_graph_gives_what_apply_gives(network):
    for name, calibrator, rows in models(network):
        agrees(name, calibrator, rows)


def test_any_number_of_rows(network):
    _, kind, x, y, rows = next(iter(problems(network)))
    graph = tare.export.onnx(fit("isotonic", kind, x, y))
    assert next(o.version for o in graph.opset_import if not o.domain) == 17
    whole = run(graph, rows.astype(np.float32))
    for n in (1, 2, 7):
        assert np.array_equal(run(graph, rows[:n].astype(np.float32)), whole[:n])


@LONG
@pytest.mark.parametrize("path", sorted((ROOT / "data").glob("*.npz")), ids=lambda path: path.stem)
def test_every_network(path):
    """Every calibrator, fitted on half of the validation rows; the rows of the fit lie on the knots."""
    with np.load(path) as file:
        z, y, test = file["val_logits"][:2500], file["val_labels"][:2500], file["test_logits"][:1000]
    from exported import edge_logits

    rows = np.vstack([z[:500], test, edge_logits(z.shape[1]).astype(np.float32)])
    for method in tare._calibrators.CALIBRATORS:
        # A matrix of many classes takes minutes to fit; after a few steps it is as hard on a graph.
        steps = {"max_iterations": 10} if method in ("matrix", "dirichlet") and z.shape[1] > 10 else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            agrees(method, tare.calibrator(method, "logits", **steps).fit(z, y), rows)


def classifier(opset, outputs=("logits",), dtype=onnx.TensorProto.FLOAT):
    """x (n, 4) times a matrix, and more outputs of the same shape where asked for."""
    w = np.random.default_rng(5).normal(size=(4, 10)).astype(np.float32)
    nodes = [onnx.helper.make_node("MatMul", ["x", "w"], [outputs[0]])]
    nodes += [onnx.helper.make_node("Neg", [outputs[0]], [name]) for name in outputs[1:]]
    made = onnx.helper.make_graph(nodes, "net", [onnx.helper.make_tensor_value_info("x", dtype, ["batch", 4])],
                                  [onnx.helper.make_tensor_value_info(name, dtype, ["batch", 10]) for name in outputs],
                                  [onnx.numpy_helper.from_array(w, "w")])
    model = onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", opset)])
    model.ir_version = 8
    return model, w


@pytest.mark.parametrize("opset", [13, 17, 19])
def test_behind_a_classifier(opset, network):
    _, kind, x, y, _ = next(iter(problems(network)))
    t = fit("isotonic", kind, x, y)
    net, w = classifier(opset)
    given = np.random.default_rng(6).normal(size=(20, 4)).astype(np.float32)
    found = run(tare.export.onnx(t, append=net), given)
    logits = run(net, given)
    assert np.abs(found - applied(t, logits)).max() < 1e-6


def test_which_output_is_meant_is_never_guessed(network, tmp_path):
    _, kind, x, y, _ = next(iter(problems(network)))
    t = fit("temperature", kind, x, y)
    two, w = classifier(17, ("a", "b"))
    with pytest.raises(tare.Error, match="2 outputs"):
        tare.export.onnx(t, append=two)
    with pytest.raises(tare.Error, match="no output 'c'"):
        tare.export.onnx(t, append=two, output="c")
    given = np.ones((3, 4), np.float32)
    session = runtime.InferenceSession(tare.export.onnx(t, append=two, output="b").SerializeToString(), providers=["CPUExecutionProvider"])
    found = dict(zip([o.name for o in session.get_outputs()], session.run(None, {"x": given})))
    assert np.abs(found["calibrate_probabilities"] - applied(t, -(given @ w))).max() < 1e-5 and "a" in found
    one = fit("platt", "probs", np.array([0.1, 0.4, 0.6, 0.9] * 50), np.array([0, 1, 0, 1] * 50))
    with pytest.raises(tare.Error, match="0 outputs"):
        tare.export.onnx(one, append=classifier(17)[0])
    (tmp_path / "no.onnx").write_bytes(b"no model")
    with pytest.raises(tare.Error, match="could not be read as ONNX"):
        t.export(tmp_path / "out.onnx", append=tmp_path / "no.onnx")
    assert not (tmp_path / "out.onnx").exists()


def test_the_command(network, tmp_path):
    _, kind, x, y, rows = next(iter(problems(network)))
    t = fit("beta", kind, x, y)
    t.save(tmp_path / "t.json")
    onnx.save(classifier(17)[0], tmp_path / "net.onnx")

    def command(*words):
        return subprocess.run([sys.executable, "-m", "tare", "export", "t.json", *words], cwd=tmp_path, capture_output=True, text=True)

    assert command("-o", "t.onnx").returncode == 0
    assert np.array_equal(run(onnx.load(tmp_path / "t.onnx"), rows.astype(np.float32)), run(tare.export.onnx(t), rows.astype(np.float32)))
    assert command("-o", "whole.onnx", "--append", "net.onnx").returncode == 0
    for words in (["-o", "net.onnx", "--append", "net.onnx"], ["-o", "x.onnx", "--score", "p"], ["-o", "x.onnx", "--append", "none.onnx"]):
        done = command(*words)
        assert done.returncode == 2 and done.stderr.startswith("error: ") and not (tmp_path / "x.onnx").exists()
