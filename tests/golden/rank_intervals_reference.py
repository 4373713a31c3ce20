"""Writes rank_sign.csv and rank_interval.csv: value and 95% interval of rank_sign, and 95% interval of rank_poly.

    python3 rank_intervals_reference.py rank_sign > rank_sign.csv
    python3 rank_intervals_reference.py rank_poly > rank_interval.csv

Row by row on full arrays, Gram-Schmidt twice, binomial intervals by SciPy: nothing is shared with the C++ code but the
definition. rank_interval.csv has no sample that is large enough for the bins that look for rough curves: the higher
degrees that rank_poly then tries are left out.
"""
import sys

import numpy as np
from rank_poly_reference import draw, polynomials
from scipy.special import ndtr
from scipy.stats import beta

NEAR = 2.0 ** -20
Z95 = 1.959963984540054


def path(s, y, cap=16):
    """Per number of terms: D, N, L, c; D1, mean standard error and cost of wrong signs."""
    n = len(s)
    r = y - s; r2 = r * r; F = polynomials(s, cap)
    C = np.zeros((len(F), len(F))); fit = np.zeros(n); h = np.zeros(n); t = 0.0; out = []
    for k, f in enumerate(F):
        fit = fit + (f @ r / n) * f; h = h + f * f / n
        c = F[:k + 1] @ (r2 * f) / n; t += 2 * (c[:k] @ c[:k]) + c[k] ** 2; C[k, :k + 1] = c; C[:k + 1, k] = c
        hc = np.minimum(h, 0.9); known = h <= 0.5 + 1e-9  # a row of higher leverage is predicted by itself
        m = np.where(known, (fit - hc * r) / (1 - hc), 0.0)
        m[np.abs(m) < 1e-13 * (np.abs(fit) + np.abs(hc * r)) / (1 - hc)] = 0.0  # rounding has no sign
        D = r @ m / n; L = 4 * (r2 @ (m * m)) / n ** 2; pairs = t - (h * h) @ (r2 * r2)
        N = 2 * pairs / n ** 2 if pairs > 1e-13 * t else 0.0
        mm = (m * m).mean(); f2 = (fit * fit).mean(); slope = L / mm if mm > 0 else 4 * r2.mean() / n
        per = max(slope - (3 * (fit ** 4).mean() / f2 + f2) / n, slope / 10) if f2 > 0 else slope
        G = F[:k + 1]; se = np.sqrt(np.maximum(np.einsum("ki,ki->i", C[:k + 1, :k + 1] @ G, G) / n, 1e-300))
        out.append((D, N, L, per, (r * np.sign(m)).mean(), se.mean(), (2 * np.abs(m) * ndtr(-np.abs(m) / se)).mean()))
    return np.array(out)


def chosen(A):
    return int(np.argmax(A[:, 0] - np.sqrt(np.arange(1, len(A) + 1) * A[:, 1])))


def above(D, N, per):
    shift = Z95 ** 2 * per / 2; d = max(D, 0.0)
    return min(np.sqrt(d + shift + np.sqrt(shift * (shift + 2 * d) + Z95 ** 2 * N)), 1.0)


def squares(A):
    """Value, low and high in norm 2."""
    D, N, L, per = A[chosen(A), :4]; shift = Z95 ** 2 * per / 2; value = low = 0.0
    if D > 0:
        value = np.sqrt(D * (1 + L / (4 * (D * D + L))))
        low = np.sqrt(max(D + shift - np.sqrt(shift * (shift + 2 * D) + 3.2 ** 2 * N), 0.0))
    return value, low, max(above(D, N, per), above(A[-1, 0], A[-1, 1], A[-1, 3]), value)


def bins(s, y, A):
    """The debiased square of 32, 64 or 128 bins: D, N, c, and by how much it is above the polynomials."""
    n = len(s); best = (0.0, 0.0, 0.0, 0.0)
    u, inv, cnt = np.unique(s, return_inverse=True, return_counts=True); end = np.cumsum(cnt)
    for b in (32, 64, 128):
        if 10 * b > n: break
        at = ((2 * end - cnt - 1) * b // (2 * n))[inv]; m = np.bincount(at, minlength=b)
        many = m > 1; m = m[many]; share = m / n
        rate = np.bincount(at, y, b)[many] / m; gap = np.bincount(at, s, b)[many] / m - rate
        v = rate * (1 - rate) / (m - 1); g = gap * gap - v; plus = np.maximum(g, 0); D = share @ g; N = share ** 2 @ (2 * v * v)
        away = share ** 2 @ (4 * plus * v) + max(share @ plus ** 2 - max(D, 0.0) ** 2, 0.0) / n
        if N <= 0: continue
        z = (D - max(A[chosen(A), 0], A[-1, 0])) / np.sqrt(N) - (0.5 if b == 128 else 0)
        if z > best[3]: best = (D, N, away / (share @ plus) if plus.any() else 0.0, z)
    return best


def allowing(A, s, y):
    """The upper end in norm 2 that allows for what the bins show, and by how much they do."""
    D, N, per, z = bins(s, y, A); high = squares(A)[2]
    return (max(high, above(D, N, per)) if z > 0.5 else high), z


def signs(A, s, y):
    """The same in norm 1."""
    n = len(s); r2 = ((y - s) ** 2).mean(); se = np.sqrt(r2 / n)
    if se == 0: return 0.0, 0.0, 0.0
    D, N, D1, e, b = A[:, 0], A[:, 1], A[:, 4], A[:, 5], A[:, 6]
    q = (D1 - e / 2) / (se / 2); w = np.exp(q - q.max()); w /= w.sum(); T = w @ D1; K = chosen(A)
    at = lambda x: np.sqrt(max(r2 - max(x, 0.0) ** 2, 0.0) / n)
    low = 0.0 if D[K] <= 3.2 * np.sqrt(N[K]) else max(0.0, T - 2.24 * at(T))
    high = max(max(T, 0.0) + 1.96 * at(T) + w @ b, max(D1[-1], 0.0) + 1.96 * at(D1[-1]) + b[-1])
    return max(T, 0.0), low, max(min(high, squares(A)[2]), max(T, 0.0))


def plain(s, y, norm):
    A = path(s, y); value, low, high = squares(A) if norm == 2 else signs(A, s, y)
    allowed, z = allowing(A, s, y)
    if norm == 2: high = allowed
    elif z > 2: high = max(high, allowed)
    elif squares(A)[2] > 0: high *= allowed / squares(A)[2]
    bound = np.mean(np.maximum(s, 1 - s) ** norm) ** (1 / norm)
    if len(s) < 5: return value, 0.0, max(bound, value)
    return value, low, max(min(high, bound), value)


def wary(s, y, norm):
    """The upper end had two of the surest labels gone the other way, where that is higher."""
    value, low, high = plain(s, y, norm)
    if len(s) < 5: return value, low, high
    other = y.copy(); i = np.lexsort((-y, np.abs(y - s)))[:2]; other[i] = 1 - other[i]
    flipped = path(s, other); bound = np.mean(np.maximum(s, 1 - s) ** norm) ** (1 / norm)
    if norm == 2: return value, low, max(high, min(squares(flipped)[2], bound))
    return value, low, max(high, min(signs(flipped, s, other)[2], bound, wary(s, y, 2)[2]))


def certain(wrong, n, doubt, norm):
    value = np.sqrt(wrong * (wrong - 1) / (n * (n - 1))) if norm == 2 and n > 1 else wrong / n if norm == 1 and wrong > 1 else 0.0
    low = min(max(beta.ppf(0.025, wrong, n - wrong + 1) - doubt, 0.0), value) if wrong else 0.0
    return value, low, beta.ppf(0.975, wrong + 1, n - wrong) if wrong < n else 1.0


def interval(s, y, norm):
    """Value, low, high. Rows near 0 and near 1 are parts of their own, beside all rows taken alike."""
    one = s >= 1 - NEAR; zero = s <= NEAR; rest = ~(one | zero)
    if rest.all(): return wary(s, y, norm)
    parts = []
    if one.any(): parts.append((one.mean(), *certain((y[one] == 0).sum(), one.sum(), (1 - s[one]).mean(), norm)))
    if zero.any(): parts.append((zero.mean(), *certain((y[zero] == 1).sum(), zero.sum(), s[zero].mean(), norm)))
    if rest.any():
        few = rest.sum() < 5; bound = np.mean(np.maximum(s[rest], 1 - s[rest]) ** norm) ** (1 / norm)
        parts.append((rest.mean(), *((0.0, 0.0, bound) if few else wary(s[rest], y[rest], norm))))
    w, v, l, h = np.array(parts, float).T; v, l, h = v ** norm, l ** norm, h ** norm
    total = w @ v; down = np.sqrt(((w * (v - l)) ** 2).sum()); up = np.sqrt(((w * (h - v)) ** 2).sum())
    low = max(total - down, 0.0) ** (1 / norm) if (l > 0).any() else 0.0
    a = plain(s, y, norm)
    return a[0], a[1] if low > 0 else 0.0, max(min((total + up) ** (1 / norm), 1.0), a[2])


if __name__ == "__main__":
    norm = 1 if sys.argv[1] == "rank_sign" else 2
    print("kind,n,seed,value,low,high" if norm == 1 else "kind,n,seed,low,high")
    kinds = ["uniform", "grid", "cents", "piled", "saturated", "certain", "half", "constant", "nearly", "ones", "five"]
    sizes = list(range(2, 11)) + [31, 50, 100, 200, 300] + ([333, 1000, 1500, 5000, 7000] if norm == 1 else [])
    for kind in kinds:
        for n in sizes:
            for seed in range(1, 5 if n <= 300 else 2):
                s, y = draw(kind, n, seed)
                print(kind, n, seed, *(repr(float(x)) for x in interval(s, y.astype(float), norm)[norm - 1:]), sep=",")
