# The plain way to simulate: NumPy's Beta numbers, a sort, cumulative sums. Prints CPU seconds per replicate of drawing
# ResNet-110 on CIFAR-10 (Roelofs et al. 2022) and its six binned errors, for a given n.
import sys
import time

import numpy as np


def width_edges(score, bins):
    return np.concatenate(([0], np.searchsorted(score, np.arange(1, bins) / bins, side="right"), [len(score)]))


def mass_edges(score, bins):
    return -(-np.arange(bins + 1) * len(score) // bins)


def sums(edges, score_before, hits_before):
    count = np.diff(edges)
    kept = count > 0
    count = count[kept]
    return count, np.diff(score_before[edges])[kept] / count, np.diff(hits_before[edges])[kept] / count


def ece(count, f, a):
    return np.sqrt(np.sum(count * (f - a) ** 2) / count.sum())


def debias(count, f, a):
    many = count > 1
    noise = a[many] * (1 - a[many]) / (count[many] - 1)
    return np.sqrt(max(np.sum(count[many] * ((f[many] - a[many]) ** 2 - noise)) / count.sum(), 0))


def sweep(edges_of, score, score_before, hits_before):
    best = sums(edges_of(score, 1), score_before, hits_before)
    for bins in range(2, len(score) + 1):
        tried = sums(edges_of(score, bins), score_before, hits_before)
        if np.any(np.diff(tried[2]) < 0):
            break
        best = tried
    return ece(*best)


def replicate(rng, n):
    score = np.sort(rng.beta(2.7752, 0.0478, n))
    hit = rng.random(n) >= np.exp(-0.24) * (1 - score) ** 0.30
    score_before = np.concatenate(([0], np.cumsum(score)))
    hits_before = np.concatenate(([0], np.cumsum(hit)))
    out = []
    for edges_of in (width_edges, mass_edges):
        fixed = sums(edges_of(score, 15), score_before, hits_before)
        out += [ece(*fixed), debias(*fixed), sweep(edges_of, score, score_before, hits_before)]
    return out


n, replicates = int(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(1)
replicate(rng, n)
start = time.process_time()
for _ in range(replicates):
    replicate(rng, n)
print((time.process_time() - start) / replicates)
