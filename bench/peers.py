"""tare against the other programs that are installed: one table, one run, the same data, the same cores. Agreement is
checked first; a row that does not agree says so instead of a ratio.

    python bench/peers.py [n]          n rows (30000)

What the columns mean: seconds of the best of the runs that fit into half a second, and of at least three (of one, when it
takes more than five seconds); how many times longer the peer takes; the largest difference of any number that both give.
BBQ has other priors and other numbers of bins in each program: there the difference is the mean over rows.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
import warnings
from typing import Any, Callable

import numpy as np

import tare

warnings.filterwarnings("ignore")


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    best, out, begun, runs = np.inf, None, time.perf_counter(), 0
    while runs == 0 or (runs < 3 or time.perf_counter() - begun < 0.5) and best < 5:
        start = time.perf_counter()
        out = work()
        best = min(best, time.perf_counter() - start)
        runs += 1
    return best, out


def peer(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def first(p: Any) -> np.ndarray:
    return np.asarray(p)[:, 1]


def cases(n: int) -> list[tuple[str, Callable, list[tuple[str, Callable | None, float]]]]:
    """(what, ours, [(peer, theirs, tolerance)])"""
    rng = np.random.default_rng(1)
    p = rng.beta(2, 1, n)
    y = (rng.random(n) < 0.3 + 0.5 * p).astype(np.int64)
    z = rng.normal(0, 3, (n // 10, 20))
    k = (np.exp(z / 2) / np.exp(z / 2).sum(axis=1, keepdims=True)).cumsum(axis=1)
    k = (k > rng.random((len(z), 1))).argmax(axis=1)
    soft = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    data = dict(probs=p, labels=y)

    uc, pb, rp = peer("calibration"), peer("probcal.metrics"), peer("relplot")
    torch, tm = peer("torch"), peer("torchmetrics.functional.classification")
    nm, nb, ns = peer("netcal.metrics"), peer("netcal.binning"), peer("netcal.scaling")
    pbb, iso = peer("probcal.bayesian"), peer("sklearn.isotonic")
    t = (torch.tensor(p), torch.tensor(y)) if torch else None

    def netcal(model: Any, x: np.ndarray, labels: np.ndarray) -> np.ndarray:
        model.fit(x, labels)
        return model.transform(x)

    def uc_debias() -> float:
        return uc.utils.lower_bound_scaling_ce(p, y, p=2, debias=True, num_bins=15, binning_scheme=uc.utils.get_equal_bins)

    def interval() -> np.ndarray:
        e = tare.measure(**data, estimators=["debias_em"])["debias_em"]
        return np.array([e.low, e.high])

    def uc_interval() -> np.ndarray:  # plug-in, 100 resamples
        low, _, high = uc.get_calibration_error_uncertainties(p, y, p=2, alpha=5)
        return np.array([low, high])

    few = 1e-9 if n % 15 == 0 else 300 / n  # a few rows change bins where b does not divide n
    return [
        ("ece_ew", lambda: tare.ece_ew(**data), [
            ("torchmetrics", tm and (lambda: float(tm.binary_calibration_error(*t, n_bins=15))), 1e-9),
            ("netcal", nm and (lambda: nm.ECE(15).measure(p, y)), 1e-9),
            ("probcal", pb and (lambda: pb.ece(y, p, strategy="width")), 1e-9),
            ("uncertainty-calibration", uc and (lambda: uc.get_ece(p, y, num_bins=15)), 1e-9)]),
        ("ece_em", lambda: tare.ece_em(**data), [
            ("probcal", pb and (lambda: pb.ece(y, p, strategy="mass")), few),
            ("uncertainty-calibration", uc and (lambda: uc.get_ece_em(p, y, num_bins=15)), few)]),
        ("debias_em", lambda: tare.debias_em(**data), [("uncertainty-calibration", uc and uc_debias, few)]),
        ("sweep_em", lambda: tare.sweep_em(**data), [("probcal, up to 100 bins", pb and (lambda: pb.ece_sweep(y, p)), 300 / n)]),
        ("smece", lambda: tare.smece(**data), [("relplot", rp and (lambda: rp.smECE(p, y)), 1e-3)]),
        ("interval of the l2 error", interval, [("uncertainty-calibration, 100 resamples", uc and uc_interval, 5e-3)]),
        ("isotonic, fit and apply", lambda: first(tare.IsotonicCalibration("probs").fit(p, y).predict_proba(p)), [
            ("scikit-learn", iso and (lambda: iso.IsotonicRegression(out_of_bounds="clip").fit(p, y).predict(p)), 1e-9),
            ("netcal", nb and (lambda: netcal(nb.IsotonicRegression(), p, y)), 1e-9)]),
        ("temperature, 20 classes", lambda: tare.TemperatureScaling("probs").fit(soft, k).predict_proba(soft), [
            ("netcal", ns and (lambda: netcal(ns.TemperatureScaling(), soft, k)), 1e-3)]),
        ("bbq, fit and apply", lambda: first(tare.BBQ("probs").fit(p, y).predict_proba(p)), [
            ("probcal, up to 50 bins", pbb and (lambda: pbb.BBQCalibrator().fit(p, y).predict_proba(p)), 0.01),
            ("netcal", nb and (lambda: netcal(nb.BBQ(), p, y)), 0.01)]),
    ]


def main() -> int:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
    print(f"n = {n:,}; {len(os.sched_getaffinity(0))} cores; tare {tare.__version__}, numpy {np.__version__}\n")
    print("| what | tare, s | peer | peer, s | times longer | difference |")
    print("|---|--:|---|--:|--:|--:|")
    wrong = 0
    for what, ours, rivals in cases(n):
        seconds, value = timed(ours)
        for name, theirs, tolerance in rivals:
            if theirs is None:
                print(f"| {what} | {seconds:.4f} | {name} | not installed | | |", flush=True)
                continue
            slow, other = timed(theirs)
            apart = np.abs(np.asarray(value) - np.asarray(other))
            off = float(apart.mean() if what.startswith("bbq") else apart.max())
            wrong += off > tolerance
            verdict = f"{slow / seconds:,.0f}" if off <= tolerance else "DIFFERS"
            print(f"| {what} | {seconds:.4f} | {name} | {slow:.3f} | {verdict} | {off:.1e} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
