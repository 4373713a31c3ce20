"""Labels of any kind, shapes of any kind, and outputs that are what the inputs were."""

import pickle

import numpy as np
import pytest

import tare

RNG = np.random.default_rng(5)
P = RNG.dirichlet(np.ones(3), 300)
CODES = np.array([2, *(RNG.choice(3, p=p) for p in P[1:])])
NAMES = np.array(["ant", "bee", "cow"])
WORDS = NAMES[CODES]
EXPECTED = tare.ece_em(probs=P, labels=CODES)


def pandas_frame():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(P, columns=list(NAMES), index=np.arange(300) + 7)


@pytest.mark.parametrize("labels", [WORDS, WORDS.tolist(), WORDS.astype(object), WORDS.astype("S")], ids=["U", "list", "O", "S"])
def test_text(labels):
    assert tare.ece_em(probs=P, labels=labels) == EXPECTED


def test_columns_of_text():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    for labels in (pandas.Series(WORDS), pandas.Series(WORDS, dtype="category"), pandas.Categorical(WORDS), polars.Series(WORDS),
                   polars.Series(WORDS).cast(polars.Categorical), pyarrow.array(WORDS), pyarrow.array(WORDS).dictionary_encode(),
                   pandas.Series(CODES, dtype="Int64"), pandas.Series(CODES, dtype=object)):
        assert tare.ece_em(probs=P, labels=labels) == EXPECTED, labels


def test_classes_name_the_columns():
    order = [2, 0, 1]
    assert tare.ece_em(probs=P[:, order], labels=WORDS, classes=NAMES[order]) == EXPECTED
    assert tare.ece_em(probs=P[:, order], labels=CODES * 10 + 5, classes=[25, 5, 15]) == EXPECTED
    assert tare.ece_em(probs=P, labels=CODES, classes=NAMES) == EXPECTED  # numbers stay indices where names are text
    assert tare.ece_em(probs=pandas_frame()[list(NAMES[order])], labels=WORDS) == EXPECTED  # a frame names its columns
    two = CODES == 1
    expected = tare.ece_em(probs=P[:, 1], labels=two)
    assert tare.ece_em(probs=P[:, 1], labels=np.where(two, "yes", "no")) == expected
    assert tare.ece_em(probs=P[:, 1], labels=np.where(two, "ill", "well"), classes=["well", "ill"]) == expected
    assert tare.ece_em(probs=P[:, 1], labels=np.where(two, 1, -1), classes=[-1, 1]) == expected
    few = WORDS[:4]
    assert tare.accuracy(probs=P[:4], labels=few, classes=NAMES) == np.mean(NAMES[P[:4].argmax(axis=1)] == few)


def test_names_stand_in_tables():
    m = tare.measure(probs=P, labels=WORDS, reduction="classwise", estimators=["ece_ew"])
    assert "the worst class is" in repr(m) and any(name in repr(m) for name in NAMES)
    assert {row.get("class_name") for row in m.to_dict()["estimates"]} == {None, *NAMES}


def test_predictions_by_name():
    c, k = P.max(axis=1), NAMES[P.argmax(axis=1)]
    assert tare.ece_em(confidences=c, predictions=k, labels=WORDS) == tare.ece_em(confidences=c, correct=k == WORDS)


@pytest.mark.parametrize("call, message, hint", [
    (lambda: tare.measure(probs=P[:, :2] / P[:, :2].sum(axis=1, keepdims=True), labels=WORDS),
     "labels hold 3 classes ('ant', 'bee', 'cow'), but probs has 2 columns", "name every class in the order of the columns: classes=["),
    (lambda: tare.measure(probs=P[:, 1], labels=WORDS), "labels hold 3 classes ('ant', 'bee', 'cow'), but probs has one number per row, for two classes", ""),
    (lambda: tare.measure(probs=P, labels=WORDS, classes=["ant", "bee", "cat"]), "labels: row 0 is 'cow', which is not among the classes 'ant', 'bee', 'cat'", ""),
    (lambda: tare.measure(probs=P, labels=WORDS, classes=["ant", "bee"]), "classes names 2 classes, but probs has 3 columns", ""),
    (lambda: tare.measure(probs=P, labels=WORDS, classes=["ant", "bee", "bee"]), "classes names a class twice: 'ant', 'bee', 'bee'", ""),
    (lambda: tare.measure(probs=P, labels=WORDS, classes="ant"), "classes is 'ant', not a list", ""),
    (lambda: tare.measure(probs=P, labels=[None, *WORDS[1:]]), "labels: row 0 is missing", "drop the row"),
    (lambda: tare.measure(probs=P, labels=CODES + 1), "label is 3, not in 0..2", "where they count from 1 pass labels - 1, or name them with classes="),
    (lambda: tare.measure(probs=P, labels=np.where(CODES == 0, -100, CODES)), "label is -100, not in 0..2", "pass ignore_index=-100 to leave such rows out"),
])
def test_what_is_wrong_with_labels(call, message, hint):
    with pytest.raises(tare.Error) as caught:
        call()
    assert message in caught.value.message and hint in caught.value.hint


def test_sequences_become_rows():
    B, T = 12, 25
    z, y, w = np.log(P).reshape(B, T, 3), CODES.reshape(B, T), np.arange(300.0).reshape(B, T) + 1
    flat = tare.measure(logits=np.log(P), labels=CODES, weights=w.ravel(), intervals=False)
    assert tare.measure(logits=z, labels=y, weights=w, intervals=False) == flat
    padded = np.where(np.arange(T) < 20, y, -100)
    kept = (padded != -100).ravel()
    assert tare.measure(logits=z, labels=padded, ignore_index=-100, intervals=False) == tare.measure(
        logits=np.log(P)[kept], labels=CODES[kept], intervals=False)
    with pytest.raises(tare.Error) as caught:
        tare.measure(logits=np.moveaxis(z, -1, 1), labels=y)
    assert caught.value.message == "logits has shape (12, 3, 25) and labels (12, 25): the classes are not on the last axis"
    assert "np.moveaxis(logits, 1, -1)" in caught.value.hint
    model = tare.TemperatureScaling("logits").fit(z, y)
    assert np.array_equal(model.predict_proba(z), model.predict_proba(np.log(P)).reshape(B, T, 3))
    assert model.parameters_ == tare.TemperatureScaling("logits").fit(np.log(P), CODES).parameters_


def test_lists_of_batches():
    cuts = [100, 170]
    whole = tare.measure(probs=P, labels=CODES, intervals=False)
    assert tare.measure(probs=np.split(P, cuts), labels=np.split(CODES, cuts), intervals=False) == whole
    assert tare.measure(probs=np.split(P, cuts), labels=np.split(WORDS, cuts), intervals=False) == tare.measure(probs=P, labels=WORDS, intervals=False)
    assert tare.ece_em(probs=np.split(P[:, 1], cuts), labels=np.split(CODES == 1, cuts)) == tare.ece_em(probs=P[:, 1], labels=CODES == 1)
    assert tare.ece_em(probs=list(P), labels=list(CODES)) == EXPECTED  # rows, not batches
    with pytest.raises(tare.Error, match="probs has 3 batches, but labels has 2"):
        tare.ece_em(probs=np.split(P, cuts), labels=np.split(CODES, cuts[:1]))
    with pytest.raises(tare.Error, match="the rows are not of one length"):
        tare.ece_em(probs=[[0.5, 0.5], [1.0]], labels=[0, 0])


def test_calibrators_know_names(tmp_path):
    one = tare.VectorScaling("probs").fit(P, WORDS)
    assert list(one.classes_) == list(NAMES) and set(one.predict(P)) <= set(NAMES)
    one.save(tmp_path / "m.json")
    for again in (tare.load(tmp_path / "m.json"), pickle.loads(pickle.dumps(one))):
        assert list(again.classes_) == list(NAMES) and np.array_equal(again.predict(P), one.predict(P))
    signs = tare.PlattScaling("probs").fit(P[:, 1], np.where(CODES == 1, 1, -1))
    assert signs.classes_.tolist() == [-1, 1] and set(signs.predict(P[:, 1])) <= {-1, 1}


def test_options_survive_a_file(tmp_path):
    for one in (tare.HistogramBinning("probs", bins=7, binning="mass", threads=2), tare.MatrixScaling("logits", lambda_=0.5),
                tare.IsotonicCalibration("probs")):
        one.fit(P if one.input == "probs" else np.log(P), CODES).save(tmp_path / "m.json")
        again = tare.load(tmp_path / "m.json")
        assert again.get_params() == one.get_params() and repr(again) == repr(one)


def test_a_frame_in_a_frame_out():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    frame = pandas_frame()
    one = tare.TemperatureScaling("probs").fit(frame, WORDS)
    out = one.predict_proba(frame)
    assert isinstance(out, pandas.DataFrame) and list(out.columns) == list(NAMES) and out.index.equals(frame.index)
    assert np.array_equal(out, one.predict_proba(P))
    assert one.predict(frame).index.equals(frame.index) and np.allclose(np.exp(one.predict_log_proba(frame)), out)
    assert one.predict_proba(polars.DataFrame(P, schema=list(NAMES))).columns == list(NAMES)
    two = tare.PlattScaling("probs").fit(frame["bee"], WORDS == "bee")
    assert two.predict_proba(frame["bee"]).shape == (300, 2)


def test_a_tensor_in_a_tensor_out():
    torch = pytest.importorskip("torch")
    z = torch.tensor(np.log(P))
    one = tare.TemperatureScaling("logits").fit(z.requires_grad_(), torch.tensor(CODES))
    for dtype, expected in ((torch.float64, torch.float64), (torch.float32, torch.float32), (torch.bfloat16, torch.float32)):
        out = one.predict_proba(z.to(dtype))
        assert out.dtype is expected and out.device == z.device and out.shape == z.shape and not out.requires_grad
    assert torch.equal(one.predict(z), z.argmax(dim=1)) and one.predict(z).dtype is torch.int64


def test_frames_whose_labels_are_words():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    frame = pandas.DataFrame(P, columns=list(NAMES)).assign(animal=WORDS)
    expected = [e.value for e in tare.measure(probs=P, labels=CODES, intervals=False)]
    for table in (frame, polars.from_pandas(frame), pyarrow.Table.from_pandas(frame)):
        m = tare.measure(table, probs=list(NAMES), labels="animal", classes=NAMES, intervals=False)
        assert [e.value for e in m] == expected
    with pytest.raises(tare.Error, match="there is no column 'nobody'"):
        tare.measure(frame, probs=list(NAMES), labels="nobody")


def test_states_know_names():
    state = tare.State(classes=NAMES)
    state.update(probs=P[:2], labels=WORDS[:2]).update(probs=P[2:], labels=WORDS[2:])
    assert state == tare.State().update(probs=P, labels=CODES)
    assert pickle.loads(pickle.dumps(state)).update(probs=P[:1], labels=WORDS[:1]).rows == 301


def test_words_of_scikit_learn():
    w = np.arange(300) + 1.0
    ours = dict(probs=P, labels=CODES, weights=w, bins=7, threads=1, seed=3)
    theirs = dict(y_prob=P, y_true=CODES, sample_weight=w, n_bins=7, n_jobs=1, random_state=3)
    assert tare.measure(**ours) == tare.measure(**theirs)
    assert tare.ece_ew(y_true=CODES, y_prob=P, n_bins=7, n_jobs=-1) == tare.ece_ew(probs=P, labels=CODES, bins=7)
    assert tare.measure(probs=P, labels=CODES, random_state=None, intervals=False) == tare.measure(probs=P, labels=CODES, intervals=False)
    assert tare.HistogramBinning("probs", n_bins=7, n_jobs=2).get_params() == {"input": "probs", "bins": 7, "binning": "width", "threads": 2}
    assert tare.State(n_bins=7).update(y_prob=P, y_true=CODES) == tare.State(bins=7).update(probs=P, labels=CODES)
    assert type(tare.calibrator("sigmoid", "probs")) is tare.PlattScaling
    assert tare.compare(probs=P, labels=CODES, methods="sigmoid")["platt"]["method"] == "platt"
    with pytest.raises(tare.Error, match="both labels and y_true were given, which mean the same"):
        tare.measure(probs=P, labels=CODES, y_true=CODES)


@pytest.mark.parametrize("call, message, hint", [
    (lambda: tare.measure(P, CODES), "measure() does not guess what an array holds, and was given one without a name", "name it: logits=x"),
    (lambda: tare.measure(P), "measure() does not guess what an array holds", "and labels=y"),
    (lambda: tare.ece_ew(CODES, P), "ece_ew() does not guess what an array holds", "probs=x (probabilities)"),
    (lambda: tare.measure({"probs": P}), "measure() does not take a dict", "spread it: measure(**data)"),
    (lambda: tare.State().update(P), "State.update() does not guess what an array holds", "name it"),
    (lambda: tare.State(7), "State() takes no positional arguments", "name what you pass"),
    (lambda: tare.measure(prob=P, labels=CODES), "measure() got an unexpected keyword argument 'prob'", "did you mean probs?"),
    (lambda: tare.measure(y_score=P, labels=CODES), "unexpected keyword argument 'y_score'", "scores are declared: probs= (probabilities) or logits="),
    (lambda: tare.measure(probs=P, targets=CODES), "unexpected keyword argument 'targets'", "did you mean labels?"),
    (lambda: tare.ece_ew(probs=P, labels=CODES, nbins=3), "ece_ew() got an unexpected keyword argument 'nbins'", "did you mean bins?"),
    (lambda: tare.HistogramBinning("probs", bin=3), "HistogramBinning() got an unexpected keyword argument 'bin'", "did you mean bins?"),
    (lambda: tare.PlattScaling("probs", "x"), "PlattScaling() takes one positional argument, input", "name the others: smooth_targets"),
    (lambda: tare.metrics.scorer("ece_ew", bin=3), "scorer() got an unexpected keyword argument 'bin'", "did you mean bins?"),
])
def test_a_wrong_argument_gets_an_answer(call, message, hint):
    with pytest.raises(TypeError) as caught:
        call()
    assert isinstance(caught.value, tare.Error)
    assert message in caught.value.message and hint in caught.value.hint and "\nhint: " in str(caught.value)


def test_ece_points_to_ece_ew():
    with pytest.raises(AttributeError, match="the usual ECE, bins of equal width, is ece_ew"):
        tare.ece
    with pytest.raises(AttributeError, match="did you mean smece?"):
        tare.smec
    with pytest.raises(AttributeError, match="has no attribute 'xyzzy'$"):
        tare.xyzzy
    with pytest.raises(AttributeError, match="did you mean PlattScaling"):
        tare.Platt
    for name in ("ece", "ECE"):
        with pytest.raises(tare.Error, match="is ece_ew"):
            tare.measure(probs=P, labels=CODES, estimators=name)
    with pytest.raises(tare.Error, match="did you mean temperature"):
        tare.calibrator("temp", "probs")
    with pytest.raises(tare.Error, match="is ece_ew"):
        tare.metrics.scorer("ece")
    with pytest.raises(AttributeError, match="did you mean neg_brier"):
        tare.metrics.brier


def test_threads_are_those_of_the_environment(monkeypatch):
    from tare._options import threads

    monkeypatch.setenv("OMP_NUM_THREADS", "3,2")
    assert threads(None) == 3 and threads(5) == 5
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert threads(None) is None
