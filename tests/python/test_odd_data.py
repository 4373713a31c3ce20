"""Small, odd and wrong input: an answer or a tare.Error with a sentence, never an exception from inside."""

import warnings

import numpy as np
import pytest

import tare

CALLS = {
    "measure": lambda **data: tare.measure(**data, estimators=["ece_ew", "ece_em", "brier", "nll", "accuracy"]),
    "everything": lambda **data: tare.measure(**data, intervals=False),
    "classwise": lambda **data: tare.measure(**data, reduction="classwise", estimators=["ece_ew"], intervals=False),
    "verdict": tare.verdict,
    "test": lambda **data: tare.test(**data, resamples=20, detectable=False),
    "compare": lambda **data: tare.compare(**data, methods=["temperature", "isotonic"], resamples=20, folds=2),
    "state": lambda **data: tare.State().update(**data).measure(intervals=False),
}


def tried(call, **data):
    """The answer, or the sentence of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call(**data)
        except tare.Error as why:
            assert isinstance(why, ValueError) and why.message and "bug" not in why.message
            return why.message


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("data", [
    {"probs": [0.7], "labels": [1]},
    {"probs": [[0.2, 0.3, 0.5]], "labels": [2]},
    {"logits": [[1.0, 2.0]], "labels": [0]},
    {"confidences": [0.9], "correct": [True]},
    {"probs": [0.2, 0.9], "labels": [1, 1]},
    {"probs": [0.0, 1.0, 1.0, 0.0], "labels": [0, 1, 1, 0]},
    {"probs": [[1.0, 0.0], [1.0, 0.0]], "labels": [0, 0]},
    {"probs": np.eye(3)[[0, 1, 2] * 5], "labels": [0, 1, 2] * 5},
    {"probs": np.full(50, 0.5), "labels": np.zeros(50, int)},
    {"probs": np.full((30, 4), 0.25), "labels": np.zeros(30, int)},
    {"logits": np.full((10, 3), 1e308), "labels": np.zeros(10, int)},
    {"probs": [], "labels": []},
    {"probs": np.zeros((0, 3)), "labels": []},
    {"probs": np.zeros((3, 0)), "labels": [0, 0, 0]},
    {"probs": 0.5, "labels": 1},
    {"probs": [[[0.5]]], "labels": [[1]]},
    {"probs": [0.5, None], "labels": [0, 1]},
    {"probs": ["a", "b"], "labels": [0, 1]},
    {"probs": [0.5, 0.6], "labels": [0]},
    {"probs": [0.5, np.nan], "labels": [0, 1]},
    {"probs": [0.5, 0.5], "labels": [0.5, 1]},
    {"probs": [0.5, 0.5], "labels": [2**40, 1]},
    {"probs": [0.5, 0.5], "labels": ["yes", "yes"]},
    {"probs": [0.5, 0.5], "labels": [0, 1], "weights": [0, 0]},
    {"probs": [0.5, 0.5], "labels": [0, 1], "weights": [-1, 1]},
    {"probs": [0.5, 0.5], "labels": [0, 1], "weights": [1e-300, 1]},
], ids=repr)
def test_small_and_wrong(name, data):
    tried(CALLS[name], **data)


@pytest.mark.parametrize("seed", range(6))
def test_random_input(seed):
    rng = np.random.default_rng(seed)
    for _ in range(40):
        n, k = int(rng.choice([0, 1, 2, 3, 20])), int(rng.choice([0, 1, 2, 3, 5]))
        x = rng.choice([0.0, 1.0, 0.5, 0.25, 1e-320, 1 - 1e-16, rng.random()], (n, k))
        if rng.random() < 0.5 and k > 1 and n:
            with np.errstate(all="ignore"):
                x = x / x.sum(axis=1, keepdims=True)
        if rng.random() < 0.3 and x.size:
            x.flat[rng.integers(x.size)] = rng.choice([np.nan, np.inf, -1, 2, 1e300])
        x = x[:, 0] if k == 1 or (k > 1 and rng.random() < 0.2) else x
        y = rng.integers(-1 if rng.random() < 0.1 else 0, max(k, 2) + (rng.random() < 0.1), n).astype(rng.choice(["i1", "i4", "i8", "f8", "O", "U5"]))
        kind = rng.choice(["probs", "logits"])
        more = {"weights": rng.choice([0, 1, 2, 1e9, 0.5], n)} if rng.random() < 0.3 else {}
        with np.errstate(all="ignore"):
            x = x.astype(rng.choice(["f4", "f8", "f2"]))
        tried(CALLS[rng.choice(list(CALLS))], **{kind: x, "labels": y}, **more)


@pytest.mark.parametrize("call, hint", [
    (lambda p, y: tare.measure(probs=p, labels=y, reduction="toplabel"), "did you mean top_label?"),
    (lambda p, y: tare.measure(probs=p, labels=y, reduction="TOP_LABEL"), "did you mean top_label?"),
    (lambda p, y: tare.measure(probs=p, labels=y, reduction="class-wise"), "did you mean classwise?"),
    (lambda p, y: tare.measure(probs=p, labels=y, reduction="xyz"), "it is top_label, positive or classwise"),
    (lambda p, y: tare.State(reduction="positiv"), "did you mean positive?"),
    (lambda p, y: tare.measure(probs=p, labels=y, estimators=["ece_eww"]), "ece_ew"),
    (lambda p, y: tare.measure(probs=p, labels=y, norm=3), "1: mean absolute gap; 2: root of the mean square"),
    (lambda p, y: tare.compare(probs=p, labels=y, methods=["temprature"]), "temperature"),
    (lambda p, y: tare.compare(probs=p, labels=y, criterion="briar"), "brier"),
    (lambda p, y: tare.bbc(probs=p, labels=y, scores="empiricl"), "did you mean empirical?"),
    (lambda p, y: tare.bbc(probs=p, labels=y, saturated="cut"), "it is censor or shift"),
    (lambda p, y: tare.calibrator("platt", "prob").fit(p, y), "did you mean probs?"),
    (lambda p, y: tare.measure(probs=p, labels=y, bins=0), "bins"),
])
def test_what_was_meant(call, hint):
    p = np.linspace(0.01, 0.99, 60)
    with pytest.raises(tare.Error) as caught:
        call(p, (p > 0.4).astype(int))
    assert hint in f"{caught.value.message} {caught.value.hint}", (caught.value.message, caught.value.hint)


def test_columns_that_are_not_there(tmp_path):
    (tmp_path / "x.csv").write_text("y_prob,y_true\n0.5,1\n0.25,0\n")
    for words in ({"probs": "y_porb", "labels": "y_true"}, {"probs": "y_prob", "labels": "lable"}, {"probs": "", "labels": "y_true"},
                  {"probs": ["y_prob", "none"], "labels": "y_true"}, {"probs": "y_prob", "labels": "y_prob"}):
        with pytest.raises(tare.Error, match="x.csv"):
            tare.measure(tmp_path / "x.csv", **words)
