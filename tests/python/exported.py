"""Fitted calibrators of every kind, and rows that are hard on them, for the tests of what is exported."""

import warnings

import numpy as np

import tare
from tare._calibrators import CALIBRATORS


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def edge_logits(k):
    rows = [np.zeros(k), np.full(k, 3.25), np.arange(k) * 1.0, np.arange(k) * -40.0, np.eye(k)[0] * 80, np.eye(k)[-1] * 1e4, np.full(k, -1e3)]
    rows.append(np.where(np.arange(k) % 2, 1e-9, 0.0))
    if k > 1:
        masked = np.zeros(k)
        masked[0] = -np.inf
        alone = np.full(k, -np.inf)
        alone[-1] = 2
        rows += [masked, alone]
    return np.array(rows)


def edge_probs(k):
    if k == 1:
        return np.array([[0.0], [1.0], [0.5], [1e-300], [1 - 2.0**-53], [2.0**-60], [0.25], [1e-9]])
    rows = [np.full(k, 1 / k), np.eye(k)[0], np.eye(k)[-1], np.where(np.arange(k) < 2, 0.5, 0), np.r_[1 - 1e-9, np.full(k - 1, 1e-9 / (k - 1))]]
    return np.array(rows)


def fit(method, kind, x, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tare.calibrator(method, kind, **({"prior": list(np.bincount(y.astype(int)) / len(y))} if method == "prior_shift" and kind == "probs" else {})).fit(x, y)


def problems(network, seed=3):
    """(name, kind, rows to fit on, labels, rows to try): scores on knots and rows at the edges are among the last."""
    rng = np.random.default_rng(seed)
    z, y = network["val_logits"][:500].astype(np.float64), network["val_labels"][:500]
    p = softmax(z[:, :5])
    y5 = y % 5
    p[:40] = np.eye(5)[np.where(np.arange(40) < 36, y5[:40], (y5[:40] + 1) % 5)]  # certain, four of them wrong
    p[40:60, 3:] = 0
    p[40:60] /= p[40:60].sum(axis=1, keepdims=True)
    odds = rng.normal(size=500) * 2
    hit = (rng.random(500) < 1 / (1 + np.exp(-0.7 * odds))).astype(int)
    one = np.round(1 / (1 + np.exp(-odds)), 2)
    two = np.column_stack([np.zeros(500), odds])
    test = network["test_logits"][:100].astype(np.float64)
    yield "logits", "logits", z, y, np.vstack([z[:100], test, edge_logits(10)])
    yield "zeros", "probs", p, y5, np.vstack([p[:100], softmax(test[:, :5]), edge_probs(5)])
    yield "odds", "logits", odds, hit, np.r_[odds[:100], edge_logits(1)[:, 0]]
    yield "binary", "probs", one, hit, np.r_[one[:100], edge_probs(1)[:, 0]]
    yield "two", "logits", two, hit, np.vstack([two[:100], edge_logits(2)])
    yield "pairs", "probs", softmax(two), hit, np.vstack([softmax(two)[:100], edge_probs(2)])
    yield "confidences", "confidences", np.maximum(one, 1 - one), hit, np.r_[np.maximum(one, 1 - one)[:100], 0.5, 1.0]


VARIANTS = [(name, {}) for name in CALIBRATORS] + [("histogram", {"binning": "mass"}), ("isotonic", {"shape": "step"})]


def models(network, few=True):
    """(name, fitted calibrator, rows); with ``few`` every calibrator on logits and zeros, the others in turn."""
    at = 0
    for name, kind, x, y, rows in problems(network):
        for method, options in VARIANTS:
            at += 1
            if few and name not in ("logits", "zeros") and at % 3:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = tare.calibrator(method, kind, **options).fit(x, y)
            yield f"{name}_{method}{'_' + '_'.join(options.values()) if options else ''}", made, rows


def applied(calibrator, rows):
    """What `tare apply` writes: as many columns as the model has."""
    model = calibrator.model_
    out = np.empty(rows.shape)
    model.apply({calibrator.input: np.ascontiguousarray(rows), "source": "rows"}, out, None)
    return out.reshape(len(rows), -1)
