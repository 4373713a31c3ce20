"""Makes groups.csv: groups of rows by NumPy and SciPy, on rows that tests/answer draws again, bit for bit.

    python tests/golden/groups_reference.py > tests/golden/groups.csv

"set" rows: how the rows of each group are drawn (kind, lift of the odd groups, number of groups), and the p-value of "right on
average in every group" by 19,999 redrawings. "group" rows: seed and number of rows; p-value of the mean gap from the
characteristic function, adjusted by Holm and by Benjamini and Hochberg; gap and shrunken gap (mean score less hits).
"""

import numpy as np
from scipy.special import gammaln
from scipy.stats import chi2, false_discovery_control, norm
from watch_reference import cells, rows

SHIFTS = np.linspace(-4, 4, 161)
WIDTHS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)


def distribution(x, m):
    """Probabilities of 0 .. n hits, by a discrete Fourier transform of the characteristic function."""
    n = int(m.sum())
    w = np.exp(2j * np.pi * np.arange(n + 1) / (n + 1))
    log = sum(b * np.log(1 - a + a * w) for a, b in zip(x, m))
    p = np.maximum(np.fft.fft(np.exp(log)).real / (n + 1), 0)
    return p / p.sum()


def minus_log_chi2(x):
    tail = -chi2.logsf(x, 1)
    return np.where(tail < 600, tail, x / 2 + np.log(np.maximum(x, 1) / 2) / 2 + gammaln(0.5))


def every_group(groups, resamples=19_999, seed=1):
    rng = np.random.default_rng(seed)
    level, spread, variance, scale, smallest = 0, 0, 0, 0, 1
    for x, m, h in groups:
        f = distribution(x, m)
        low, high = np.cumsum(f), np.cumsum(f[::-1])[::-1]
        two = np.minimum(1, 2 * np.minimum(low, high))
        k = np.r_[int(h.sum()), np.minimum(np.searchsorted(low, rng.random(resamples)), len(f) - 1)]
        v = m @ (x * (1 - x))
        r = k - x @ m
        fourth = m @ (x * (1 - x) * (1 - 6 * x * (1 - x)))
        level, spread = level + r, spread + (r * r - v) / (v + 1)
        variance, scale = variance + v, scale + (2 * v * v + fourth) / (v + 1) ** 2
        smallest = np.minimum(smallest, two[k])
    one = -np.expm1(len(groups) * np.log1p(-np.minimum(smallest, 1 - 1e-16)))
    t = np.max(
        [minus_log_chi2(level**2 / variance), -norm.logsf(spread / np.sqrt(scale)), -np.log(np.maximum(one, 1e-300))], 0
    )
    return (t >= t[0] - 1e-9).mean()


def shrunken(groups):
    """The posterior mean of the gap; a prior of a point and six normals, its shares by EM with ten groups at 0."""
    log, gap = [], []
    for x, m, h in groups:
        q = 1 + np.outer(np.expm1(SHIFTS), x)
        log.append(SHIFTS * h.sum() - np.log(q) @ m)
        gap.append((x @ m - (np.exp(SHIFTS)[:, None] * x / q) @ m) / m.sum())
    log, gap = np.array(log), np.array(gap)
    prior = np.array([(np.arange(161) == 80) * 1.0] + [np.exp(-((SHIFTS / t) ** 2) / 2) for t in WIDTHS])
    prior /= prior.sum(1)[:, None]
    likelihood = np.exp(log - log.max(1)[:, None])
    each = likelihood @ prior.T
    share = np.full(7, 1 / 7)
    for _ in range(300):
        part = each * share
        share = (part / part.sum(1)[:, None]).sum(0) + np.r_[10, np.zeros(6)]
        share /= share.sum()
    post = likelihood * (share @ prior)
    return (post * gap).sum(1) / post.sum(1)


def holm(p):
    order = np.argsort(p, kind="stable")
    out = np.empty(len(p))
    out[order] = np.minimum(1, np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))))
    return out


print("kind,values")
for kind, lift, sizes in (
    ("uniform", 0.08, [3, 7, 12, 40, 90, 150, 180, 199]),
    ("tied10", -0.1, [1, 2, 5, 30, 60, 199, 100, 11, 80, 55]),
    ("high", 0.0, [20, 30, 50, 199, 120, 64]),
):
    seeds = [1000 + 10 * i + len(sizes) for i in range(len(sizes))]
    groups = [cells(*rows(kind, n, s, 0.0, lift * (i % 2))) for i, (n, s) in enumerate(zip(sizes, seeds))]
    groups = [(np.clip(x, 2.0**-20, 1 - 2.0**-20), m, h) for x, m, h in groups]
    p = []
    for x, m, h in groups:
        f, k = distribution(x, m), int(h.sum())
        p.append(min(1, 2 * min(f[: k + 1].sum(), f[k:].sum())))
    p = np.array(p)
    print("set", kind, lift, len(sizes), every_group(groups), sep=",")
    gaps = [(x @ m - h.sum()) / m.sum() for x, m, h in groups]
    for seed, n, *values in zip(seeds, sizes, p, holm(p), false_discovery_control(p), gaps, shrunken(groups)):
        print("group", seed, n, *(repr(float(v)) for v in values), sep=",")
