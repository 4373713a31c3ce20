"""A call from Python beside the same call from C++, on the same arrays, in one process, in turns. At most 1.3 times as long is the aim.

    cmake --preset bench -DTARE_PYTHON=ON && cmake --build --preset bench --target tare_calls tare_python
    python bench/python_call.py build/bench/bench/libtare_calls.so [n]

The calls from C++ are those of bench/calls/calls.cpp: predictions from arrays (labels are 64 bits wide), then the work. Milliseconds of
the best of many runs, on the clock and of all processors; the ratio is that of processor time, which other programs disturb less.
Exits with 1 where a ratio is above 1.3 or the numbers differ.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from typing import Callable

import numpy as np

import tare

AIM = 1.3


def timed(*works: Callable[[], float]) -> list[tuple[float, float, float]]:
    """The best of each, on the clock and of all processors, and its number; they take turns for two seconds."""
    best = [(float("inf"), float("inf"), 0.0)] * len(works)
    begun, runs = time.perf_counter(), 0
    while runs < 3 or time.perf_counter() - begun < 2:
        for i, work in enumerate(works):
            wall, used = time.perf_counter(), time.process_time()
            value = work()
            used, wall = time.process_time() - used, time.perf_counter() - wall
            best[i] = (min(best[i][0], wall), min(best[i][1], used), value)
        runs += 1
    return best


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one thread on either side
    library = ctypes.CDLL(sys.argv[1])
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    rng = np.random.default_rng(1)
    p = rng.beta(2, 1, n)
    y = (rng.random(n) < 0.3 + 0.5 * p).astype(np.int64)
    z = rng.normal(0, 3, (n // 10, 20))
    soft = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    cooler = np.exp(z / 2) / np.exp(z / 2).sum(axis=1, keepdims=True)
    k = (cooler.cumsum(axis=1) > rng.random((len(z), 1))).argmax(axis=1)

    def array(a: np.ndarray) -> ctypes.c_void_p:
        return ctypes.c_void_p(a.ctypes.data)

    def from_cpp(function: str, *arguments: object) -> float:
        out = ctypes.c_double()
        if not getattr(library, function)(*arguments, ctypes.byref(out)):
            raise RuntimeError(f"{function} failed")
        return out.value

    def estimate(name: str, norm: int) -> tuple[str, Callable[[], float], Callable[[], float]]:
        return (name, lambda: float(getattr(tare, name)(probs=p, labels=y, norm=norm)),
                lambda: from_cpp("call_estimate", name.encode(), norm, array(p), array(y), ctypes.c_size_t(n)))

    def fit(name: str, kind: type, x: np.ndarray, labels: np.ndarray) -> tuple[str, Callable[[], float], Callable[[], float]]:
        columns = x.shape[1] if x.ndim == 2 else 1
        return (f"{name}, fit and apply", lambda: float(kind("probs").fit(x, labels).predict_proba(x)[0, 1 if columns == 1 else 0]),
                lambda: from_cpp("call_fit", name.encode(), array(x), array(labels), ctypes.c_size_t(len(labels)), ctypes.c_size_t(columns)))

    calls = [
        *(estimate(*chosen) for chosen in (("ece_ew", 1), ("ece_em", 1), ("debias_em", 2), ("sweep_em", 1), ("rank_poly", 2))),
        ("measure, debias_em", lambda: float(tare.measure(probs=p, labels=y, estimators=["debias_em"])["debias_em"].value),
         lambda: from_cpp("call_measure", array(p), array(y), ctypes.c_size_t(n))),
        fit("isotonic", tare.IsotonicCalibration, p, y),
        fit("platt", tare.PlattScaling, p, y),
        fit("beta", tare.BetaCalibration, p, y),
        fit("temperature", tare.TemperatureScaling, soft, k),
    ]
    print(f"n = {n:,}\n\n| call | Python, ms | C++, ms | Python, CPU ms | C++, CPU ms | ratio |\n|---|--:|--:|--:|--:|--:|")
    fine = True
    for what, ours, theirs in calls:
        (wall, used, value), (wall_cpp, used_cpp, same) = timed(ours, theirs)
        ratio = used / used_cpp
        fine = fine and ratio <= AIM and value == same
        print(f"| {what} | {1e3 * wall:.2f} | {1e3 * wall_cpp:.2f} | {1e3 * used:.2f} | {1e3 * used_cpp:.2f} | {ratio:.2f}"
              f"{'' if value == same else ', numbers differ'} |", flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
