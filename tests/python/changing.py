"""Calls everything on arrays that another thread writes to all the time: python changing.py SEED SECONDS. Any answer will do,
and any tare.Error; what must not come is a signal. Prints how many calls there were."""

import sys
import threading
import time
import warnings

import numpy as np

import tare

warnings.simplefilter("ignore")
seed, seconds = int(sys.argv[1]), float(sys.argv[2])
rng = np.random.default_rng(seed)
WILD = np.array([np.nan, np.inf, -np.inf, 1e308, -1e308, 1e-320, -1.0, 2.0, 0.5, 0.0, 1.0, 1e6, -1048576.0])


def data(n, k, kind, dtype):
    """Good rows, and wild ones to write over some of them."""
    z = rng.normal(size=(n, k)) * 2
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    y = (p.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    x = {"logits": z, "probs": p}[kind].astype(dtype)
    return (x, y) if k > 2 or rng.random() < 0.5 else (np.ascontiguousarray(x[:, 1]) if kind == "probs" else x[:, 1] - x[:, 0], y)


class Writer(threading.Thread):
    """Makes some numbers wild, and good again."""

    def __init__(self, *arrays):
        super().__init__(daemon=True)
        self.arrays, self.go_on = [(a, a.copy()) for a in arrays], True

    def run(self):
        rng = np.random.default_rng(seed + 1)
        while self.go_on:
            for a, good in self.arrays:
                flat = a.reshape(-1)
                at = rng.integers(0, flat.size, 50)
                with np.errstate(all="ignore"):
                    wild = rng.choice(WILD, 50) if a.dtype.kind == "f" else rng.integers(-2**31, 2**31 - 1, 50)
                    flat[at] = wild.astype(a.dtype)
                time.sleep(rng.choice([0, 1e-5, 1e-4, 1e-3]))
                flat[:] = good.reshape(-1)
            time.sleep(rng.choice([1e-4, 2e-3, 1e-2]))


def slow_calls(given, w, group):
    yield lambda: tare.measure(**given, intervals=False)
    yield lambda: tare.measure(**given, weights=w, intervals=False)
    yield lambda: tare.measure(**given, reduction="classwise", estimators=["ece_ew", "ece_em"])
    yield lambda: tare.measure(**given, group=group, estimators=["ece_em"])
    yield lambda: tare.test(**given, resamples=20, detectable=False)
    yield lambda: tare.verdict(**given)
    yield lambda: tare.compare(**given, resamples=20, folds=2, methods=["temperature", "isotonic", "histogram"])
    yield lambda: tare.State().update(**given).measure(intervals=False)


def calls(x, y, kind, w, group):
    given = {kind: x, "labels": y}
    if len(x) < 10_000:
        yield from slow_calls(given, w, group)
    for name in ("ece_ew", "ece_em", "ece_sweep_em", "smece", "brier", "nll", "corp", "ks"):
        if hasattr(tare, name):
            yield lambda name=name: getattr(tare, name)(**given)
    quick = x.size < 10_000 or x.ndim == 1
    for row in tare.list().calibrators if quick else []:
        def fit(row=row):
            made = tare.calibrator(row.name, kind).fit(x, y)
            made.predict_proba(x)
        yield fit
    yield lambda: tare.State().update(**given)
    yield lambda: tare.State().update(**given, weights=w)
    yield lambda: tare.State(reduction="classwise").update(**given)
    if x.ndim == 1 and kind == "probs":
        hits = (y == 1).astype(np.uint8)
        yield lambda: tare.ece_em(confidences=x, correct=hits.view(bool))


def main():
    tare.calibrator("platt", "probs").fit(np.array([0.2, 0.4, 0.8]), np.array([0, 1, 1]))  # imports what it needs
    end, count, failed = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        kind, dtype = rng.choice(["logits", "probs"]), rng.choice([np.float32, np.float64])
        n, k = (int(rng.choice([40, 3000, 150_000])), 2) if rng.random() < 0.4 else (int(rng.choice([40, 1000])), int(rng.choice([3, 10, 70])))
        x, y = data(n, k, kind, dtype)
        y = y.astype(rng.choice([np.int32, np.int64, np.uint8]))
        w = rng.random(n) + 0.5
        group = np.array(["a", "b", "c"])[rng.integers(0, 3, n)]
        writer = Writer(*([x, y, w] if rng.random() < 0.7 else [x]))
        writer.start()
        for call in rng.permutation(np.array(list(calls(x, y, kind, w, group)), dtype=object)):
            try:
                call()
            except tare.Error:
                failed += 1
            count += 1
            if time.monotonic() > end:
                break
        writer.go_on = False
        writer.join()
    print(count, "calls,", failed, "refused")


main()
