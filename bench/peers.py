"""tare against the other programs that are installed: one table, one run, the same data, the same cores. Agreement is
checked first; a row that does not agree says so instead of a ratio. What peers print is thrown away: bars, warnings, logs.

    python bench/peers.py [n]          n rows (1000000)

What the columns mean: milliseconds of the best run, where tare and the peer take turns for a second and at least three times (once,
when it takes more than five seconds), so that both meet the same noise; how many times longer the peer takes; the largest difference
of any number that both give. Every program may use all cores. Below the table: what the machine needs to read the rows and to sort them.
BBQ has other priors and other numbers of bins in each program: there the difference is the mean over rows. Peers that would take
minutes are given a part of the rows, and their time is multiplied: "(x 10)" says so, and their numbers are not compared.
"""

from __future__ import annotations

import contextlib
import datetime
import importlib
import logging
import os
import sys
import time
import warnings
from typing import Any, Callable, Iterator

import numpy as np

import tare

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Nothing on standard output and error, whoever writes there."""
    sys.stdout.flush()
    kept = [os.dup(1), os.dup(2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        for fd, old in zip((1, 2), kept):
            os.dup2(old, fd)
            os.close(old)
        os.close(nowhere)


def once(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    out = work()
    return time.perf_counter() - start, out


def timed(*works: Callable[[], Any]) -> list[tuple[float, Any]]:
    """The best time of each and what it gives; they take turns."""
    best = [once(work) for work in works]
    begun, runs = time.perf_counter(), 1
    while runs < 3 or time.perf_counter() - begun < 1:
        for i, work in enumerate(works):
            if best[i][0] < 5:
                best[i] = min(best[i], once(work), key=lambda run: run[0])
        runs += 1
    return best


def peer(name: str) -> Any:
    try:
        with quiet():
            return importlib.import_module(name)
    except ImportError:
        return None


def first(p: Any) -> np.ndarray:
    return np.asarray(p)[:, 1]


def cases(n: int) -> list[tuple[str, Callable, list[tuple[str, Callable | None, float]]]]:
    """(what, ours, [(peer, theirs, tolerance)])."""
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


SLOW = {"interval of the l2 error": 50, "sweep_em": 10, "bbq, fit and apply": 50}  # peers get one row of so many, where there are many


def line(what: str, ours: Callable, theirs: tuple[str, Callable | None, float], times: int) -> tuple[str, bool]:
    """A row of the table, and whether the numbers agree."""
    name, work, tolerance = theirs
    if work is None:
        return f"| {what} | | {name} | not installed | | |", True
    with quiet():
        (seconds, value), (slow, other) = timed(ours, work)
    begin = f"| {what} | {1e3 * seconds:.1f} | {name} |"
    if times > 1:
        return f"{begin} {1e3 * slow * times:,.0f} (x {times}) | {slow * times / seconds:,.0f} | |", True
    apart = np.abs(np.asarray(value) - np.asarray(other))
    off = float(apart.mean() if what.startswith("bbq") else apart.max())
    ratio = slow / seconds
    verdict = (f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}") if off <= tolerance else "differs"
    return f"{begin} {1e3 * slow:,.1f} | {verdict} | {off:.1e} |", off <= tolerance or what.startswith("bbq")


def limits(n: int) -> str:
    """What no program does without: every row is read, and equal masses, isotonic fits and ranks take an order."""
    rng = np.random.default_rng(1)
    p, y = rng.beta(2, 1, n), rng.integers(0, 2, n)
    (read, _), (order, _) = timed(lambda: (p.sum(), y.sum()), lambda: np.sort(p))
    return f"NumPy sums the {n:,} scores and labels in {1e3 * read:.1f} ms and sorts the scores in {1e3 * order:.1f} ms, on one core."


def main() -> int:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    print(f"{datetime.date.today()}; n = {n:,}; {len(os.sched_getaffinity(0))} cores; tare {tare.__version__}, numpy {np.__version__}\n")
    print("| what | tare, ms | peer | peer, ms | times longer | difference |")
    print("|---|--:|---|--:|--:|--:|")
    fine = True
    parts = {times: cases(n // times) for times in {1, *SLOW.values()}} if n > 100_000 else {1: cases(n)}
    for i, (what, ours, _) in enumerate(parts[1]):
        times = SLOW.get(what, 1) if n > 100_000 else 1
        for rival in parts[times][i][2]:
            text, agrees = line(what, ours, rival, times)
            print(text, flush=True)
            fine = fine and agrees
    print("\nThe machine: " + limits(n))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
