"""Errors say what, where and what to do; Ctrl-C works; threads do not meet."""

import pickle
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tare


def test_an_error_is_a_value_error_with_code_and_hint():
    with pytest.raises(ValueError) as caught:
        tare.measure(probs=[[0.5, 0.5], [3.2, -2.2]], labels=[0, 1])
    error = caught.value
    assert isinstance(error, tare.Error)
    assert error.code == "bad_input"
    assert "row 1" in error.message and "3.2" in error.message and "logits" in error.hint
    assert str(error) == f"{error.message}\nhint: {error.hint}"
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.code, again.hint) == (error.message, error.code, error.hint)


def test_hints_speak_python():
    with pytest.raises(tare.Error) as caught:
        tare.measure(confidences=[0.5, 0.6], correct=[0, 1], reduction="classwise")
    assert "--" not in caught.value.hint and "logits=" in caught.value.hint


def test_only_names_of_options_are_spelled(tmp_path, monkeypatch):
    """A command, a file and an argument are shown as they are."""
    with pytest.raises(tare.Error) as caught:
        tare.bbc(model="resnet110_c10", estimators=["accuracy"])
    assert caught.value.hint == "bias is defined for those whose estimand is tce in tare.list()"
    monkeypatch.chdir(tmp_path)
    for name in ("a--b.csv", "`bins`.csv", "--labels.csv"):
        (tmp_path / name).write_text("`bins`,--norm\n0.5,1\n0.25,0\n0.75,1\n0.2,0\n")
        with pytest.raises(tare.Error) as caught:
            tare.measure(name)
        assert caught.value.message == f"{name}: no name says what it holds: `bins`, --norm"
        assert caught.value.hint.startswith("say it, for example probs='`bins`' labels='--norm'")
    with pytest.raises(tare.Error) as caught:
        tare.measure(probs=[0.5], labels=[1], estimators=["`bins` --norm"])
    assert "'`bins` --norm'" in caught.value.message


@pytest.mark.parametrize("call, words", [
    (lambda: tare.measure(probs=[0.5], labels=[1], bins=0), "bins is 0, not in 1 .. 10,000"),
    (lambda: tare.measure(probs=[0.5], labels=[1], bins=10**30), f"bins is {10**30}, not in 1 .. 10,000"),
    (lambda: tare.measure(probs=[0.5], labels=[1], seed=2**64), f"seed is {2**64}, not in 0 .."),
    (lambda: tare.measure(probs=[0.5], labels=[1], threads=0), "threads is 0, not in 1 .. 1,024"),
    (lambda: tare.test(probs=[0.5], labels=[1], resamples=-1), "resamples is -1, not in 1 .. 10,000,000"),
    (lambda: tare.test(probs=[0.5], labels=[1], power=1), "power is 1, not between 0 and 1"),
    (lambda: tare.compare(probs=[0.5], labels=[1], resamples=19), "resamples is 19, not in 20 .. 1,000,000"),
    (lambda: tare.compare(probs=[0.5], labels=[1], folds=101), "folds is 101, not in 2 .. 100"),
    (lambda: tare.bbc(model="resnet110_c10", n=0), "n is 0, not in 1 .. 2,147,483,647"),
    (lambda: tare.bbc(model="resnet110_c10", replicates=2**32), f"replicates is {2**32}, not in 1 .. 4,294,967,295"),
    (lambda: tare.report(probs=[0.5], labels=[1], replicates=19), "replicates is 19, not in 20 .. 10,000,000"),
    (lambda: tare.MatrixScaling("logits", lambda_=-1.0).fit([[0.5, 1]], [1]), "lambda_ is -1, not in [0, 1e12]"),
    (lambda: tare.report(probs=[0.5], labels=[1], criterion="ece"), "criterion is 'ece', not brier or nll"),
    (lambda: tare.report(probs=[0.5], labels=[1], methods=["platt", "`bins`"]), "no calibrator '`bins`'"),
    (lambda: tare.HistogramBinning("probs", bins=0).fit([0.5, 1], [1, 1]), "bins is 0, not in 1 .. 10,000"),
    (lambda: tare.PlattScaling("probs", max_iterations=-1).fit([0.5, 1], [1, 1]), "max_iterations is -1, not in 0 .. 1,000,000"),
])
def test_every_option_has_its_range(call, words):
    with pytest.raises(tare.Error) as caught:
        call()
    assert caught.value.code == "bad_option" and words in caught.value.message


@pytest.mark.parametrize("call, words", [
    (lambda: tare.measure(), "no predictions"),
    (lambda: tare.measure(probs=[0.5], logits=[0.5], labels=[1]), "logits and probs"),
    (lambda: tare.measure(probs=[0.5]), "labels"),
    (lambda: tare.measure(confidences=[0.5], labels=[1]), "correct or labels and predictions"),
    (lambda: tare.measure(probs=[0.5, 0.5], labels=[1]), "labels"),
    (lambda: tare.measure(probs=[0.5], labels=[1], estimators="ece"), "no estimator 'ece'"),
    (lambda: tare.measure(probs=[0.5], labels=[1], reduction="top"), "reduction is 'top'"),
    (lambda: tare.measure(probs=[0.5], labels=[1], norm=3), "norm is 3"),
    (lambda: tare.measure(probs=[0.5], labels=[1], bins=0), "bins is 0"),
    (lambda: tare.measure(probs=[0.5], labels=[1], bins=2.5), "bins is 2.5"),
    (lambda: tare.measure(probs=[0.5], labels=[1], seed=-1), "seed is -1"),
    (lambda: tare.measure("nowhere.npz"), "nowhere.npz"),
    (lambda: tare.measure("nowhere.npz", probs=[0.5]), "both a file and probs"),
    (lambda: tare.measure(probs=[0.5], labels=[1], split="val"), "split"),
    (lambda: tare.debias_em(probs=[0.5], labels=[1], norm=1), "norm 2 only"),
    (lambda: tare.measure(probs=[0.5], labels=[2]), "label"),
    (lambda: tare.measure(logits=[[np.nan, 1.0]], labels=[0]), "nan"),
    (lambda: tare.bbc(model="resnet"), "resnet"),
    (lambda: tare.bbc(model="resnet110_c10", probs=[0.5], labels=[1]), "both data and a truth"),
    (lambda: tare.compare(val_probs=[0.5], val_labels=[1]), "no predictions"),
    (lambda: tare.test(probs=[0.5], labels=[1], alpha=2), "alpha"),
    (lambda: tare.TemperatureScaling("scores").fit([[0.5, 1]], [1]), "input is 'scores'"),
    (lambda: tare.calibrator("temprature", "logits"), "did you mean temperature"),
    (lambda: tare.TemperatureScaling("logits").set_params(bins=3), "no parameter 'bins'"),
])
def test_every_mistake_is_named(call, words):
    with pytest.raises(tare.Error) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.parametrize("call", [lambda f: tare.measure(f + ".npz"), lambda f: tare.load(f), lambda f: tare.State.load(f), lambda f: tare.Watch.load(f),
                                  lambda f: pytest.importorskip("pyarrow") and tare.measure(f + ".parquet"), lambda f: tare.compare(f + ".csv"), lambda f: tare.watch(f, [])])
def test_a_missing_file_is_pythons(call):
    with pytest.raises(FileNotFoundError, match="no such file\nhint: check the spelling") as caught:
        call("nowhere")
    assert isinstance(caught.value, tare.Error) and caught.value.errno == 2
    assert type(pickle.loads(pickle.dumps(caught.value))) is type(caught.value)


SCORES, CLASSES = np.tile([[0.25, 0.75], [0.5, 0.5]], (10, 1)), np.tile([0, 1, 1, 0], 5)


@pytest.mark.parametrize("call, message, hint", [
    (lambda: tare.measure(probs=SCORES, labels=CLASSES, estimators=3), "estimators holds 3, which is not a name", 'pass names: ["ece_ew", "brier"]'),
    (lambda: tare.measure(probs=SCORES, labels=CLASSES, reduction=3), "reduction is 3", "it is top_label, positive or classwise"),
    (lambda: tare.test(probs=SCORES, labels=CLASSES, alpha="x"), "alpha is 'x', not a number", ""),
    (lambda: tare.test(probs=SCORES, labels=CLASSES, reduction="classwise"), "test works on top_label or positive, not classwise",
     'measure(reduction="classwise") shows every class beside its noise'),
    (lambda: tare.compare(val_probs=SCORES, val_labels=CLASSES, test_logits=SCORES, test_labels=CLASSES),
     "the validation data and the test data differ in kind or number of classes", "both folds must come from the same model"),
    (lambda: tare.measure(object()), "object is neither a file nor a table", "pass a path, or arrays by their names"),
    (lambda: tare.HistogramBinning("probs", bins="x").fit(SCORES, CLASSES), "bins is 'x', not a whole number", ""),
    (lambda: tare.HistogramBinning("probs", binning=3).fit(SCORES, CLASSES), "binning is 3", "it is width or mass"),
    (lambda: tare.MatrixScaling("probs", mu="x").fit(SCORES, CLASSES), "mu is 'x', not a number", ""),
    (lambda: tare.PlattScaling("probs", smooth_targets=2).fit(SCORES, CLASSES), "smooth_targets is 2, not True or False", ""),
    (lambda: tare.PlattScaling("logits").fit(SCORES, CLASSES).predict_proba(SCORES @ np.ones((2, 3))),
     "X has 3 features, but PlattScaling is expecting 2 features as input", "it was fitted on logits of 2 classes"),
    (lambda: tare.PlattScaling("probs").fit(SCORES), "PlattScaling requires y to be passed", "give the labels; without them there is PriorShift"),
    (lambda: tare.compare(probs=SCORES, labels=CLASSES, methods=["plat"]), "there is no calibrator 'plat'", "did you mean"),
])
def test_sentences_are_in_pythons_words(call, message, hint):
    with pytest.raises(tare.Error) as caught:
        call()
    assert caught.value.message.startswith(message) and caught.value.hint.startswith(hint)
    for strange in ("--", "std::", "incompatible function", "`tare", "  "):
        assert strange not in str(caught.value)


def test_headings_have_no_empty_names():
    text = repr(tare.compare(probs=SCORES, labels=CLASSES, methods=["platt"], folds=2))
    assert "fitted and judged on 20 rows of the data, 2-fold" in " ".join(text.split())
    two = " ".join(repr(tare.compare(val_probs=SCORES, val_labels=CLASSES, test_probs=SCORES, test_labels=CLASSES, methods=["platt"])).split())
    assert "fitted on 20 rows of the validation data, judged on 20 rows of the test data" in two


def test_suspicions_are_warnings():
    p = np.random.default_rng(0).dirichlet(np.ones(3), 200)
    with pytest.warns(UserWarning, match="right in 0% of the rows, less often than by chance .*Where they count from 1, pass labels - 1$") as caught:
        tare.measure(probs=p, labels=p.argmin(axis=1), intervals=False)
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="if these are probabilities, declare them as probs"):
        tare.test(logits=p, labels=p.argmax(axis=1), detectable=False)


def test_a_warning_points_to_the_caller():
    with pytest.warns(UserWarning, match="weights are frequencies") as caught:
        tare.measure(probs=SCORES, labels=CLASSES, weights=np.full(20, 0.01), intervals=False)
    assert caught[0].filename == __file__


def test_python_mistakes_are_pythons():
    with pytest.raises(TypeError, match="unexpected keyword argument 'bin'"):
        tare.ece_ew(probs=[0.5], labels=[1], bin=3)
    with pytest.raises(TypeError, match="input is declared, never guessed"):
        tare.TemperatureScaling()
    with pytest.raises(TypeError, match="unexpected keyword argument 'bins'"):
        tare.TemperatureScaling("logits", bins=3)


@pytest.mark.parametrize("work", [
    "tare.bbc(model='resnet110_c10', n=[5000], replicates=50_000_000)",
    "tare.test(probs=p, labels=y, resamples=10_000_000, statistics=['smece'], detectable=False)",
    "tare.compare(probs=P, labels=Y, methods=['matrix', 'dirichlet'], folds=100)",
    "[tare.measure(logits=P, labels=Y, reduction='classwise', seed=s) for s in range(10**6)]",
])
def test_ctrl_c_stops_long_work(work):
    """Work of hours; a minute for the exception to come is generous, so that no slow machine fails."""
    script = f"""
        import signal, numpy as np, tare
        signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background begin without
        rng = np.random.default_rng(1)
        p = rng.random(20000)
        y = rng.random(20000) < p
        P = rng.dirichlet(np.ones(50), 20000)
        Y = rng.integers(0, 50, 20000)
        print("ready", flush=True)
        try:
            {work}
        except KeyboardInterrupt:
            print("interrupted", tare.ece_ew(probs=[0.5], labels=[1]))
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "interrupted 0.5\n"
    finally:
        process.kill()


def test_threads_do_not_meet(network):
    """The same answers from several threads at once; the interpreter's lock is free meanwhile."""
    z, y = network["test_logits"], network["test_labels"]
    seeds = range(4)
    alone = [tare.measure(logits=z, labels=y, seed=s, estimators=["ece_ew", "sweep_em"]).to_json() for s in seeds]
    model = tare.TemperatureScaling("logits").fit(z, y)
    expected = model.predict_proba(z)
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(tare.measure, logits=z, labels=y, seed=s, estimators=["ece_ew", "sweep_em"]) for s in seeds]
        maps = [pool.submit(model.predict_proba, z) for _ in seeds]
        fits = [pool.submit(tare.TemperatureScaling("logits").fit, z, y) for _ in seeds]
        wrong = [pool.submit(tare.measure, probs=z, labels=y) for _ in seeds]
        assert [j.result().to_json() for j in jobs] == alone
        assert all(np.array_equal(m.result(), expected) for m in maps)
        assert all(f.result().to_json() == model.to_json() for f in fits)
        assert all(isinstance(w.exception(), tare.Error) for w in wrong)


def test_importing_imports_no_more_than_numpy():
    done = subprocess.run([sys.executable, "-c", "import sys, tare; print([m for m in ('sklearn', 'scipy', 'pandas', 'matplotlib',"
                           " 'torch', 'pyarrow') if m in sys.modules])"], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
