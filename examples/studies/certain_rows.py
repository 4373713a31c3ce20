"""Does a repair do harm where a classifier says exactly 0 or 1?

Forests, trees, neighbours and stated confidences say 0 and 1 often, and 0 has no logarithm. This study fits every
calibrator on held-out rows of such classifiers and judges it on others, beside scikit-learn's calibrators on the same rows.
It prints the tables of docs/studies/certain_rows.md:

    python examples/studies/certain_rows.py

The data sets of ../shared/data and the networks of data/ are left out where they are not there.
"""

import argparse
import pathlib
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits, make_classification
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import tare

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ("temperature", "ensemble_temperature", "platt", "beta", "vector", "matrix", "dirichlet", "scaling_binning", "isotonic")
THEIRS = ("temperature", "sigmoid", "isotonic")
PEER = {"temperature": "temperature", "ensemble_temperature": "temperature", "isotonic": "isotonic"}  # the others: sigmoid
MODELS = {
    "forest of 30": RandomForestClassifier(30, random_state=0), "forest of 300": RandomForestClassifier(300, random_state=0),
    "tree of depth 8": DecisionTreeClassifier(max_depth=8, random_state=0), "full tree": DecisionTreeClassifier(random_state=0),
    "5 neighbours": KNeighborsClassifier(5), "50 neighbours": KNeighborsClassifier(50), "naive Bayes": GaussianNB(),
    "boosting": GradientBoostingClassifier(random_state=0),
}


class Given(ClassifierMixin, BaseEstimator):
    """A classifier whose input are the probabilities."""

    def __init__(self, k):
        self.k = k

    def fit(self, X, y):
        self.classes_ = np.arange(self.k)
        return self

    def predict_proba(self, X):
        return np.asarray(X, dtype=float)

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)


def losses(p, y):
    """Brier score of every row; of two classes that of class 1."""
    return (p[:, 1] - y) ** 2 if p.shape[1] == 2 else ((p - np.eye(p.shape[1])[y]) ** 2).sum(axis=1)


def repaired(pv, yv, pt, given="probs"):
    """Probabilities of the test rows by every method."""
    out = {}
    for name in OURS:
        if given == "confidences":  # one number per row: hit or miss
            q = tare.calibrator(name, given).fit(pv[:, 1], yv).predict_proba(pt[:, 1])
            out[name] = np.column_stack([1 - q, q])
        else:
            out[name] = tare.calibrator(name, given).fit(pv, yv).predict_proba(pt)
    k = pv.shape[1]
    base = Given(k).fit(None, None)
    out["default"] = tare.CalibratedClassifier(base, cv="prefit").fit(pv, yv).predict_proba(pt)
    for name in THEIRS:
        theirs = CalibratedClassifierCV(FrozenEstimator(base), method=name, ensemble=False).fit(pv, yv)
        p = np.zeros(pt.shape)
        p[:, theirs.classes_] = theirs.predict_proba(pt)
        out["their " + name] = p
    return out


class Table:
    def __init__(self, title):
        names = [*OURS, "default", *("their " + t for t in THEIRS)]
        print(f"\n### {title}\n\n| scores | n | rows with 0 | raw | " + " | ".join(n.replace("_", " ") for n in names) + " |")
        print("|---|" * 1 + "---|" * (3 + len(names)))
        self.harm = []

    def add(self, label, pv, yv, pt, yt, given="probs"):
        raw = losses(pt, yt)
        worse, cells = {}, []
        for name, p in repaired(pv, yv, pt, given).items():
            d = losses(p, yt) - raw
            se = d.std(ddof=1) / np.sqrt(len(d))
            worse[name] = d.mean() > 2 * se
            cells.append(f"{raw.mean() + d.mean():.4f} ± {se:.4f}" + (" **worse**" if worse[name] else ""))
        for name in OURS:
            if worse[name] and not worse["their " + PEER.get(name, "sigmoid")]:
                self.harm.append(f"{label}: {name}")
        if worse["default"]:
            self.harm.append(f"{label}: default")
        zeros = (np.asarray(pv) == 0).any(axis=1).mean()
        print(f"| {label} | {len(pv)} | {100 * zeros:.0f} % | {raw.mean():.4f} | " + " | ".join(cells) + " |", flush=True)

    def done(self):
        print("\nWorse than raw by more than two standard errors where scikit-learn's counterpart is not: " +
              ("; ".join(self.harm) if self.harm else "none") + ".")


def simulated():
    sets = {
        "2 classes": make_classification(4000, n_features=20, n_informative=4, flip_y=.1, random_state=1),
        "2 classes, 15 % positive": make_classification(6000, n_features=20, n_informative=4, flip_y=.05, weights=[.85], random_state=1),
        "4 classes": make_classification(4000, n_features=20, n_informative=5, n_classes=4, n_clusters_per_class=1, flip_y=.1,
                                         random_state=1),
        "digits, 10 classes": load_digits(return_X_y=True),
    }
    for title, (X, y) in sets.items():
        table = Table(title)
        rest, test, y_rest, yt = train_test_split(X, y, test_size=1 / 3, random_state=0)
        train, val, y_train, yv = train_test_split(rest, y_rest, test_size=1 / 2, random_state=0)
        for name, model in MODELS.items():
            model.fit(train, y_train)
            table.add(name, model.predict_proba(val), yv, model.predict_proba(test), yt)
        table.done()


def halves(p, y, seed=0):
    order = np.random.default_rng(seed).permutation(len(y))
    a, b = order[: len(y) // 2], order[len(y) // 2:]
    return p[a], y[a], p[b], y[b]


def real(folder):
    names = ("adult_rf", "pycalib_pcam_random_forest", "pycalib_mnist_xgboost", "cleanlab_imdb", "cleanlab_20news", "plambda_vgg16_c10",
             "gpt4o_stance_top1", "imagenet_tv_densenet161_top1")
    if not all((folder / n).is_dir() for n in names):
        print(f"\n{folder} is not there: skipped.")
        return
    table = Table("Real outputs, halves at random")
    for name in names:
        if name.endswith("_top1"):
            c, guess, y = (np.load(folder / name / f"test_{part}.npy") for part in ("conf", "pred", "labels"))
            c = np.clip(c, 0, 1)
            table.add(name, *halves(np.column_stack([1 - c, c]), (guess == y).astype(int)), given="confidences")
        else:
            p = np.clip(np.load(folder / name / "test_probs.npy").astype(float), 0, 1)  # some are above 1 by rounding
            table.add(name, *halves(p / p.sum(axis=1, keepdims=True), np.load(folder / name / "test_labels.npy")))
    table.done()


def networks(folder):
    files = sorted(folder.glob("*_cifar10*.npz"))
    if not files:
        print(f"\n{folder} has no networks: skipped.")
        return
    print("\n### Networks, as probabilities of float32 and float64\n\n| network | rows with 0 in float32 | T, float32 | T, float64 | T, logits |"
          " Brier raw | temperature, float32 | float64 |\n|---|---|---|---|---|---|---|---|")
    for file in files:
        data = np.load(file)
        yv, yt = data["val_labels"], data["test_labels"]
        t, b, zeros = {}, {}, 0
        for kind in (np.float32, np.float64):
            p = {}
            for part in ("val", "test"):
                z = data[part + "_logits"].astype(kind)
                e = np.exp(z - z.max(axis=1, keepdims=True))
                p[part] = e / e.sum(axis=1, keepdims=True)
            if kind is np.float32:
                zeros = (p["val"] == 0).any(axis=1).sum()
            fit = tare.calibrator("temperature", "probs").fit(p["val"], yv)
            t[kind], b[kind] = fit.parameters_["temperature"], losses(fit.predict_proba(p["test"]), yt).mean()
            raw = losses(p["test"], yt).mean()
        logits = tare.calibrator("temperature", "logits").fit(data["val_logits"], yv).parameters_["temperature"]
        print(f"| {file.stem} | {zeros} | {t[np.float32]:.6f} | {t[np.float64]:.6f} | {logits:.6f} | {raw:.4f} | {b[np.float32]:.4f} | "
              f"{b[np.float64]:.4f} |", flush=True)


def extremes():
    rng = np.random.default_rng(1)
    p = rng.uniform(0.01, 0.99, 2000)
    y = (rng.uniform(size=2000) < p).astype(int)
    fit = tare.calibrator("temperature", "probs")
    print("\n### Extremes\n")
    print(f"- 2,000 calibrated rows: T = {fit.fit(p, y).parameters_['temperature']:.4f}; "
          f"one row more, p = 0 and label 1: T = {fit.fit(np.append(p, 0), np.append(y, 1)).parameters_['temperature']:.4f}.")
    votes = rng.binomial(16, p) / 16
    t = [fit.fit(votes.astype(kind), y).parameters_["temperature"] for kind in (np.float32, np.float64)]
    print(f"- Sixteen votes, {100 * np.isin(votes, (0, 1)).mean():.0f} % of rows 0 or 1: T = {t[0]!r} in float32, {t[1]!r} in float64.")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--shared", type=pathlib.Path, default=ROOT.parent / "shared" / "data")
    options = options.parse_args()
    warnings.simplefilter("ignore")
    simulated()
    real(options.shared)
    networks(ROOT / "data")
    extremes()
