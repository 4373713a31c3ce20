"""Writes rank_poly.csv: the NumPy reference of the specification of rank_poly on samples that the test draws again.

    python3 rank_poly_reference.py > rank_poly.csv

It works row by row on full arrays, Gram-Schmidt twice: nothing is shared with the C++ code but the definition.
"""
import numpy as np


def polynomials(s, cap):
    """Orthonormal polynomials in the middle rank, one row each."""
    n = len(s)
    u, inv, cnt = np.unique(s, return_inverse=True, return_counts=True)
    x = ((np.cumsum(cnt) - 0.5 * cnt) / n)[inv]
    x = 2 * (x - x.min()) / np.ptp(x) - 1 if len(u) > 1 else np.zeros(n)
    F = np.ones((max(1, min(cap, int(n ** 0.4 + 1e-9), len(u))), n))
    for k in range(1, len(F)):
        f = x * F[k - 1]
        for _ in range(2): f = f - F[:k].T @ (F[:k] @ f / n)
        q = np.sqrt(f @ f / n)
        if q < 1e-7: return F[:k]
        F[k] = f / q
    return F


def rank_poly(s, y, cap=16):
    s = np.asarray(s, float); y = np.asarray(y, float); n = len(s)
    r = y - s; r2 = r * r; F = polynomials(s, cap)
    fit = np.zeros(n); h = np.zeros(n); t = 0.0; best = None; Z = -np.inf
    v = s * (1 - s); tv = 0.0  # what the labels vary by if the model is calibrated: Z uses it
    for k, f in enumerate(F):
        fit = fit + (f @ r / n) * f; h = h + f * f / n
        c = F[:k + 1] @ (r2 * f) / n; t += 2 * (c[:k] @ c[:k]) + c[k] ** 2
        cv = F[:k + 1] @ (v * f) / n; tv += 2 * (cv[:k] @ cv[:k]) + cv[k] ** 2
        hc = np.minimum(h, 0.9); m = np.where(h <= 0.5 + 1e-9, (fit - hc * r) / (1 - hc), 0.0)  # above: not predicted
        D = r @ m / n; L = 4 * (r2 @ (m * m)) / n ** 2; N = max(2 * (t - (h * h) @ (r2 * r2)) / n ** 2, 1e-300)
        pairs = tv - (h * h) @ (v * v); Nv = 2 * pairs / n ** 2
        Z = max(Z, (D / np.sqrt(Nv) if pairs > 1e-13 * tv else 0) - np.sqrt(k + 1)); crit = D - np.sqrt((k + 1) * N)
        if best is None or crit > best[0]: best = (crit, D, L, N, k + 1)
    _, D, L, N, K = best; d = max(D, 0.0)
    return (np.sqrt(d * (1 + L / (4 * (d * d + L)))) if d > 0 else 0.0), D, K, N, L, Z


class SplitMix:
    """Steele, Lea and Flood 2014; uniform numbers of 53 bits."""
    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 11) * 2.0 ** -53


def draw(kind, n, seed):
    """Only operations that every machine rounds alike: no powers, no logarithms."""
    rng = SplitMix(seed)
    score, label = [], []
    for _ in range(n):
        u, v, w = rng.uniform(), rng.uniform(), rng.uniform()
        u8 = u * u * (u * u)
        u8 = u8 * u8
        if kind == "uniform": s = u
        elif kind == "grid": s = np.floor(u * 20) / 20
        elif kind == "cents": s = np.floor(u * 100) / 100
        elif kind == "piled": s = 1 - u8
        elif kind == "saturated": s = float(np.float32(1 - u8 * u8))
        elif kind == "certain": s = 0.0 if u < 0.5 else 1.0
        elif kind == "half": s = 1.0 if w < 0.5 else u
        elif kind == "constant": s = 0.7
        elif kind == "nearly": s = 1 - u * 2.0 ** -21 if w < 0.95 else u
        elif kind == "ones": s = 1.0
        elif kind == "five": s = 0.1 + 0.2 * np.floor(u * 5)
        score.append(s)
        rate = 0.98 if kind == "ones" else s * s + 0.1 * (1 - s)  # neither calibrated nor far from it
        label.append(1 if v < rate else 0)
    return np.array(score), np.array(label)


if __name__ == "__main__":
    print("kind,n,seed,value,squared,terms,null,away,z")
    kinds = ["uniform", "grid", "cents", "piled", "saturated", "certain", "half", "constant"]
    sizes = list(range(2, 11)) + [31, 100, 333, 1000, 1500, 5000, 30000]
    for kind in kinds:
        for n in sizes:
            for seed in range(1, 5 if n <= 10 else 2):
                result = rank_poly(*draw(kind, n, seed))
                print(kind, n, seed, *(repr(float(x)) for x in result), sep=",")
