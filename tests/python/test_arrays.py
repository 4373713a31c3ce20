"""What may be passed: every array library on the CPU, no copy of what is contiguous."""

import json
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tare

SCORE = np.array([0.125, 0.25, 0.5, 0.75, 0.875, 1.0])  # exact in every floating type
LABEL = np.array([0, 1, 0, 1, 1, 1])
MATRIX = np.column_stack([1 - SCORE, SCORE])
EXPECTED = tare.ece_em(probs=SCORE, labels=LABEL, bins=3)


class Exports:
    """Nothing but __dlpack__, as an array of some other library."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f4", ">f8"])
@pytest.mark.parametrize("labels", ["i1", "i8", "u4", "?", "f8", ">i4"])
def test_types_of_numbers(dtype, labels):
    assert tare.ece_em(probs=SCORE.astype(dtype), labels=LABEL.astype(labels), bins=3) == EXPECTED
    assert tare.ece_em(probs=MATRIX.astype(dtype), labels=LABEL.astype(labels), bins=3) == EXPECTED


def test_layouts():
    wide = np.zeros((6, 5))
    wide[:, 1:3] = MATRIX
    for x in (np.asfortranarray(MATRIX), wide[:, 1:3], np.ascontiguousarray(MATRIX[::-1])[::-1], MATRIX.tolist(), MATRIX[:, 1:]):
        assert tare.ece_em(probs=x, labels=LABEL, bins=3) == EXPECTED
    read_only = SCORE.copy()
    read_only.flags.writeable = False
    assert tare.ece_em(probs=read_only, labels=LABEL.tolist(), bins=3) == EXPECTED


def test_dlpack_and_buffers():
    import array

    assert tare.ece_em(probs=Exports(SCORE), labels=Exports(LABEL), bins=3) == EXPECTED
    assert tare.ece_em(probs=array.array("d", SCORE), labels=memoryview(LABEL), bins=3) == EXPECTED


def test_arrow_columns():
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    frame = polars.DataFrame({"p": SCORE, "y": LABEL, "h": LABEL.astype(bool)})
    assert tare.ece_em(probs=frame["p"], labels=frame["y"], bins=3) == EXPECTED
    assert tare.ece_em(probs=frame["p"], labels=frame["h"], bins=3) == EXPECTED
    assert tare.ece_em(probs=frame.select(q=1 - polars.col("p"), p="p"), labels=frame["y"], bins=3) == EXPECTED
    chunks = pyarrow.chunked_array([SCORE[:2], SCORE[2:]])
    assert tare.ece_em(probs=chunks, labels=pyarrow.array(LABEL), bins=3) == EXPECTED
    sliced = pyarrow.array(np.concatenate([[0.3], SCORE, [0.4]])).slice(1, 6)
    assert tare.ece_em(probs=sliced, labels=pyarrow.array([True, *LABEL.astype(bool)]).slice(1), bins=3) == EXPECTED
    lists = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(MATRIX.ravel()), 2)
    assert tare.ece_em(probs=pyarrow.chunked_array([lists]), labels=LABEL, bins=3) == EXPECTED
    assert tare.ece_em(probs=pyarrow.array(SCORE.astype("f2"), pyarrow.float16()), labels=LABEL, bins=3) == EXPECTED


def test_arrow_without_other_ways_in():
    pyarrow = pytest.importorskip("pyarrow")

    class Column:
        def __init__(self, column):
            self.column = column

        def __arrow_c_array__(self, requested_schema=None):
            return self.column.__arrow_c_array__(requested_schema)

    table = pyarrow.record_batch({"a": 1 - SCORE, "b": SCORE}).slice(0)
    assert tare.ece_em(probs=Column(pyarrow.array(SCORE)), labels=Column(pyarrow.array(LABEL)), bins=3) == EXPECTED
    assert tare.ece_em(probs=Column(table), labels=LABEL, bins=3) == EXPECTED
    with pytest.raises(tare.Error, match="labels: row 1 is null"):
        tare.ece_em(probs=SCORE, labels=Column(pyarrow.array([0, None, 1, 0, 1, 1])))
    for column, held in ((pyarrow.array(list("abcdef")), "text"), (pyarrow.array(np.arange(6).astype("M8[s]")), "dates or times")):
        with pytest.raises(tare.Error) as caught:
            tare.ece_em(probs=Column(column), labels=LABEL)
        assert caught.value.message == f"probs: holds {held}, not numbers"


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"q": 1 - SCORE, "p": SCORE, "y": LABEL})
    assert tare.ece_em(probs=frame["p"], labels=frame["y"], bins=3) == EXPECTED
    assert tare.ece_em(probs=frame[["q", "p"]], labels=frame["y"], bins=3) == EXPECTED


def test_torch():
    torch = pytest.importorskip("torch")
    score, label = torch.tensor(SCORE), torch.tensor(LABEL)
    assert tare.ece_em(probs=score, labels=label, bins=3) == EXPECTED
    assert tare.ece_em(probs=score.requires_grad_(), labels=label, bins=3) == EXPECTED
    assert tare.ece_em(probs=torch.tensor(SCORE, dtype=torch.bfloat16), labels=label, bins=3) == EXPECTED
    assert tare.ece_em(probs=torch.nn.Parameter(torch.tensor(MATRIX)), labels=label, bins=3) == EXPECTED


@pytest.mark.parametrize("device, words", [((2, 0), "CUDA"), ((8, 0), "Metal"), ((10, 0), "ROCm"), ((7, 0), "device type 7")])
def test_a_gpu_array_is_refused_politely(device, words):
    with pytest.raises(tare.Error, match=words) as caught:
        tare.ece_ew(probs=Exports(SCORE, device), labels=LABEL)
    assert caught.value.code == "unsupported" and "cupy.asnumpy" in caught.value.hint


def test_what_is_not_numbers_is_refused():
    for bad in (SCORE.astype(complex), SCORE.astype("g"), np.array(list("abcdef")), np.array([None] * 6)):
        with pytest.raises(tare.Error) as caught:
            tare.ece_ew(probs=bad, labels=LABEL)
        assert caught.value.code == "unsupported" and "probs" in caught.value.message
    with pytest.raises(tare.Error, match="masked"):
        tare.ece_ew(probs=np.ma.masked_less(SCORE, 0.2), labels=LABEL)


@pytest.mark.parametrize("dtype, order", [("f4", "C"), ("f8", "C")])
def test_contiguous_input_is_never_copied(dtype, order):
    """Peak memory over that of the arrays themselves, in a process of its own: 240 MB of logits, a few bytes per row."""
    n = 30_000_000 // np.dtype(dtype).itemsize * 8 // 100
    script = f"""
        import resource, numpy as np, tare
        z = np.zeros(({n}, 100), dtype="{dtype}")
        z[:, 0] = 1
        y = np.arange({n}) % 2
        tare.TemperatureScaling("logits").fit(z[:10], y[:10])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        tare.ece_ew(logits=z, labels=y)
        tare.TemperatureScaling("logits").fit(z, y)
        print(z.nbytes / 1024, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    array, more = map(float, done.stdout.split())
    assert array > 200_000
    assert more < array / 5


@pytest.mark.parametrize("library, column", [("numpy", "x"), ("pandas", "pandas.Series(x, copy=False)"), ("polars", "polars.Series(x)"),
                                             ("pyarrow", "pyarrow.array(x)"), ("torch", "torch.from_numpy(x)")])
def test_columns_of_other_libraries_are_copied_once(library, column):
    """120 MB of probabilities, 8 bytes per row: they are copied, because others may write to them, but only once; the labels become 4 bytes
    and 1 byte."""
    pytest.importorskip(library)
    script = f"""
        import resource, numpy as np, tare, {library}
        x = np.full(15_000_000, 0.5)
        y = np.zeros(15_000_000, dtype="i1")
        column = {column}
        tare.ece_ew(probs=column[:10], labels=y[:10])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        tare.ece_ew(probs=column, labels=y)
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / len(x))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 14


def harness_line(i, target, **more):
    return json.dumps({"doc_id": i, "doc": {"subject": "law"}, "target": str(target), "filtered_resps": [["-1.0", "False"], ["-2.0", "False"]],
                       "arguments": {f"gen_args_{j}": {"arg_0": "Q", "arg_1": f" {x}"} for j, x in enumerate(("aa", "b"))}, "filter": "none", **more})


def test_logs_of_language_models(tmp_path):
    """What the program's options say is in `reading`."""
    path = tmp_path / "samples_t_2024-05-13T10-20-30.123456.jsonl"
    path.write_text("\n".join(harness_line(i, int(i % 3 == 0)) for i in range(30)) + "\n")
    plain = tare.measure(path, group="subject")
    assert plain.input.n == 30 and plain.input.kind == "logits"
    divided = tare.measure(path, reading={"length_normalized": True}, intervals=False)
    assert divided["confidence"].value != plain["confidence"].value
    with pytest.raises(tare.Error, match="reading has no 'length_normalised'") as why:
        tare.measure(path, reading={"length_normalised": True})
    assert why.value.hint == "did you mean length_normalized?"
    with pytest.raises(tare.Error, match="length_normalized is 'yes', not True or False"):
        tare.measure(path, reading={"length_normalized": "yes"})
    with pytest.raises(tare.Error, match="reading says how a file is read, and there is no file"):
        tare.measure(confidences=[0.5], correct=[1], reading={"percent": True})
    results = tmp_path / "results.jsonl"
    results.write_text('{"custom_id": "q", "response": {"status_code": 200, "body": {"choices": [{"logprobs": {"tokens": ["A"], '
                       '"top_logprobs": [{"A": -0.5, "B": -1.5}]}}]}}, "error": null}\n')
    with pytest.raises(tare.Error) as why:
        tare.measure(results)
    assert 'reading["options"] A,B,C,D' in why.value.hint
    (tmp_path / "key.csv").write_text("custom_id,answer\nq,A\n")
    found = tare.measure(results, reading={"options": ["A", "B"], "answers": tmp_path / "key.csv"}, intervals=False)
    assert found.input.n == 1
