"""Arrays on a CUDA device, against the same numbers on the CPU. Skipped where there is no GPU, or tare has no GPU part."""

import importlib.util

import numpy as np
import pytest

import tare
from tare import _device

needs_gpu = pytest.mark.skipif(_device.module() is None, reason="!!!!!! NO GPU HERE, or a tare without its GPU part: nothing was tested")
LIBRARIES = ["torch", "cupy", "jax"]


def on_device(library, array):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    if library == "torch":
        import torch

        return torch.from_numpy(array).cuda()
    if library == "cupy":
        import cupy

        return cupy.asarray(array)
    import jax

    return jax.device_put(array)


def on_host(x):
    return x.cpu().numpy() if hasattr(x, "cpu") else x.get() if hasattr(x, "get") else np.asarray(x)


def rows(n=4000, k=10, seed=1):
    rng = np.random.default_rng(seed)
    fair = rng.normal(0, 1.5, (n, k))
    label = np.array([rng.choice(k, p=p / p.sum()) for p in np.exp(fair)])
    return (2 * fair).astype(np.float32), label.astype(np.int32)


@needs_gpu
@pytest.mark.parametrize("library", LIBRARIES)
def test_measure_is_that_of_the_cpu(library):
    z, y = rows()
    here, there = tare.measure(logits=z, labels=y), tare.measure(logits=on_device(library, z), labels=on_device(library, y))
    assert there.input.n == 4000 and there.input.k == 10 and there.input.kind == "logits" and there.input.reduction == "top_label"
    assert there.verdict.outcome == here.verdict.outcome
    for name, norm in (("ece_ew", 1), ("ece_em", 1), ("rank_poly", 2), ("nll", None), ("brier", None)):
        assert there[name, norm].value == pytest.approx(here[name, norm].value, rel=2e-5, abs=1e-6), name


def values(m):
    return {(e.name, e.norm): e.value for e in m if e.value is not None}


@needs_gpu
@pytest.mark.parametrize("k", [2, 10])
@pytest.mark.parametrize("kind", ["logits", "probs"])
def test_rows_come_in_the_order_of_their_scores(kind, k):
    z, y = rows(k=k)
    if kind == "probs":
        p = np.exp(z - z.max(1, keepdims=True))
        z = p / p.sum(1, keepdims=True)
    y[::9] = -100
    given = {kind: on_device("torch", z), "labels": on_device("torch", y)}
    found = _device.reduced(kind, given[kind], given["labels"], -100)
    score = found["probs" if k == 2 else "confidences"]
    assert len(score) == (y != -100).sum() and (np.diff(score) >= 0).all()
    # with groups the rows stay as they were given, and the CPU sorts: the same numbers, every one of them
    sorted_there = tare.measure(**given, ignore_index=-100)
    sorted_here = tare.measure(**given, ignore_index=-100, group={"half": np.arange(len(y)) % 2})
    assert values(sorted_there) == values(sorted_here)
    here = values(tare.measure(**{kind: z, "labels": y}, ignore_index=-100))
    for name in ("ece_em", "sweep_em", "corp", "ks", "rank_poly", "smece", "ece_ew"):
        ours = {key: value for key, value in values(sorted_there).items() if key[0] == name}
        assert ours, name
        for key, value in ours.items():
            assert value == pytest.approx(here[key], rel=2e-5, abs=2e-6), key


@needs_gpu
def test_two_classes_are_judged_by_the_second():
    z, y = rows(k=2)
    here, there = tare.measure(logits=z, labels=y), tare.measure(logits=on_device("torch", z), labels=on_device("torch", y))
    assert there.input.reduction == "positive"
    assert there["ece_ew", 1].value == pytest.approx(here["ece_ew", 1].value, rel=1e-5)


@needs_gpu
@pytest.mark.parametrize("weighed", [on_device, lambda _, w: w], ids=["there", "here"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_weights_go_with_their_rows(library, weighed):
    z, y = rows()
    y[::7] = -100
    w = np.random.default_rng(3).integers(0, 4, len(y)).astype(np.float32) / 2 + 1
    here = tare.measure(logits=z, labels=y, weights=w, ignore_index=-100)
    there = tare.measure(logits=on_device(library, z), labels=on_device(library, y), weights=weighed(library, w), ignore_index=-100)
    for name, norm in (("ece_ew", 1), ("ece_em", 1), ("rank_poly", 2), ("nll", None), ("brier", None)):
        assert there[name, norm].value == pytest.approx(here[name, norm].value, rel=2e-5, abs=1e-6), name
    for name in ("nll", "brier"):
        assert there[name].low == pytest.approx(here[name].low, rel=1e-5) and there[name].high == pytest.approx(here[name].high, rel=1e-5)
    with pytest.raises(tare.Error, match="weights"):
        tare.measure(logits=on_device(library, z), labels=on_device(library, y), weights=weighed(library, w[:-1]), ignore_index=-100)


@needs_gpu
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_fit_with_weights(library):
    z, y = rows()
    w = np.random.default_rng(3).integers(1, 4, len(y)).astype(np.float32)
    x, labels, weights = (on_device(library, a) for a in (z, y, w))
    if library == "torch":  # copied to the CPU
        there = tare.TemperatureScaling("logits").fit(x, labels, weights)
        assert there.parameters_ == tare.TemperatureScaling("logits").fit(z, y, w).parameters_
        return
    with pytest.raises(tare.Error, match="without weights") as caught:
        tare.TemperatureScaling("logits").fit(x, labels, weights)
    assert "cupy.asnumpy" in caught.value.hint


@needs_gpu
def test_ignored_labels_and_sequences():
    import torch

    z, y = rows(n=3000)
    y[::7] = -100
    here = tare.measure(logits=z, labels=y, ignore_index=-100)
    there = tare.measure(logits=torch.from_numpy(z).cuda().reshape(30, 100, 10).bfloat16().float(),
                         labels=torch.from_numpy(y).cuda().long().reshape(30, 100), ignore_index=-100)
    assert there.input.n == here.input.n == int((y != -100).sum())
    assert there["ece_ew", 1].value == pytest.approx(here["ece_ew", 1].value, abs=2e-3)


@needs_gpu
@pytest.mark.parametrize("method", ["temperature", "vector"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_fit_and_predict_stay_on_the_device(library, method):
    z, y = rows()
    x = on_device(library, z)
    here, there = tare.calibrator(method, "logits").fit(z, y), tare.calibrator(method, "logits").fit(x, on_device(library, y))
    for name, value in here.parameters_.items():
        np.testing.assert_allclose(there.parameters_[name], value, rtol=1e-7 if method == "temperature" else 1e-4, atol=1e-6)
    assert there.report_["status"] == "converged" and there.report_["gradient"] <= 1e-8
    p = there.predict_proba(x)
    assert type(p) is type(x) and _device.on_cuda(p) and p.shape == x.shape
    np.testing.assert_allclose(on_host(p), here.predict_proba(z), rtol=1e-4, atol=1e-6)


@needs_gpu
def test_streams_are_respected():
    import torch

    z, y = rows(n=2000, k=1000)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        x = torch.zeros(2000, 1000, device="cuda")
        torch.cuda._sleep(200_000_000)  # the numbers come late
        x.copy_(torch.from_numpy(z).pin_memory(), non_blocking=True)
        labels = torch.from_numpy(y).cuda()
        found = tare.ece_ew(logits=x, labels=labels, norm=1)
    assert found == pytest.approx(tare.ece_ew(logits=z, labels=y, norm=1), rel=1e-5)


@needs_gpu
def test_streams_of_cupy_are_respected():
    cupy = pytest.importorskip("cupy")
    z, y = rows(n=2000, k=1000)
    with cupy.cuda.Stream(non_blocking=True):
        big = cupy.zeros((4000, 4000), dtype=cupy.float32)
        for _ in range(20):  # the numbers come late
            big = big @ big
        x = cupy.asarray(z) + big[0, 0]
        found = tare.ece_ew(logits=x, labels=cupy.asarray(y), norm=1)
    assert found == pytest.approx(tare.ece_ew(logits=z, labels=y, norm=1), rel=1e-5)


@needs_gpu
@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_rows_may_lie_anywhere(library):
    z, y = rows()
    wide, long = np.full((len(z), 17), np.nan, np.float32), np.zeros(2 * len(y), np.int64)
    wide[:, 3:13], long[1::2] = z, y
    x, labels = on_device(library, wide)[:, 3:13], on_device(library, long)[1::2]
    assert tare.measure(logits=x, labels=labels)["ece_em", 1].value == tare.measure(
        logits=on_device(library, z), labels=on_device(library, y))["ece_em", 1].value
    c = tare.TemperatureScaling("logits").fit(x, labels)
    assert c.parameters_ == tare.TemperatureScaling("logits").fit(on_device(library, z), on_device(library, y)).parameters_
    np.testing.assert_array_equal(on_host(c.predict_proba(x)), on_host(c.predict_proba(on_device(library, z))))


@needs_gpu
def test_errors_name_the_row():
    import torch

    z, y = rows(n=100)
    z[40, 3] = np.nan
    with pytest.raises(tare.Error, match="row 40, column 3") as caught:
        tare.measure(logits=torch.from_numpy(z).cuda(), labels=torch.from_numpy(y).cuda())
    assert caught.value.code == "bad_input"
    z, y = rows(n=100)
    y[17] = 10
    with pytest.raises(tare.Error, match="row 17"):
        tare.TemperatureScaling("logits").fit(torch.from_numpy(z).cuda(), torch.from_numpy(y).cuda())
    with pytest.raises(tare.Error, match="classwise"):
        tare.measure(logits=torch.from_numpy(z).cuda(), labels=torch.from_numpy(y).cuda(), reduction="classwise")


@needs_gpu
def test_a_state_of_batches():
    import torch

    z, y = rows()
    state = tare.State()
    for part in range(4):
        state.update(logits=torch.from_numpy(z[part::4]).cuda(), labels=torch.from_numpy(y[part::4]).cuda())
    assert state.measure()["ece_ew", 1].value == pytest.approx(tare.ece_ew(logits=z, labels=y, norm=1), rel=1e-5)


class Pretends:
    """An array of some library on a CUDA device."""

    ndim, shape, dtype = 2, (4, 3), "float32"

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        raise BufferError


@pytest.mark.skipif(_device.module() is not None, reason="there is a GPU part")
def test_without_the_gpu_part_the_error_says_how_to_get_it():
    with pytest.raises(tare.Error, match="CUDA device") as caught:
        tare.measure(logits=Pretends(), labels=Pretends())
    assert caught.value.code == "unsupported" and "TARE_CUDA=ON" in caught.value.hint and "cupy.asnumpy" in caught.value.hint


def test_the_example_of_tokens_runs_on_a_cpu():
    pytest.importorskip("torch")
    import subprocess
    import sys
    from pathlib import Path

    example = Path(__file__).resolve().parents[2] / "examples" / "torch" / "llm_tokens.py"
    done = subprocess.run([sys.executable, str(example), "--device", "cpu", "--batches", "4", "--tokens", "1500", "--vocabulary", "50"],
                          capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    temperature = float(lines[0].split()[1].rstrip(","))
    assert abs(temperature - 1.5) < 0.1 and "4050 tokens" in lines[0]  # a tenth is masked
    assert "Overconfident" in lines[1]
