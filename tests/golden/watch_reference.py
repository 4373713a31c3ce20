"""Makes watch.csv: monitoring by its NumPy reference, on rows that tests/watch draws again, bit for bit.

    python tests/golden/watch_reference.py > tests/golden/watch.csv

"moved" rows: how both periods are drawn, the number of strata that are compared, the share of the day's rows outside
them, -log p of level, tilt, shape and place (empty where there is none), mean change and its standard error, the
p-value by 19,999 redrawings, the distance of Kolmogorov and Smirnov, the tail of Kolmogorov's distribution.
"watch" rows: how the reference and the days are drawn; the rows "day" after it: evidence, detector (which begins again
after 5,000) and evidence against the reference.
"""

import numpy as np
from scipy.special import eval_legendre, expit, gammaln, kolmogorov, logit
from scipy.stats import chi2, ks_2samp
from state_reference import splitmix


def rows(kind, n, seed, bend, lift):
    """Scores of a kind; hits with probability bend s^2 + (1 - bend) s + lift. Single roundings only."""
    draw = splitmix(seed)
    uniform = lambda: (next(draw) >> 11) * 2.0**-53
    s, y = np.empty(n), np.empty(n)
    for i in range(n):
        u = uniform()
        if kind == "low":
            u = u * u
        elif kind == "high":
            u = 1.0 - u * u
        elif kind == "middle":
            u = (u + uniform()) / 2
        elif kind.startswith("tied"):
            steps = float(kind[4:])
            u = float(int(u * (steps + 1))) / steps
        s[i] = u
        y[i] = uniform() < bend * (u * u) + (1.0 - bend) * u + lift
    return s, y


def cells(s, y):
    u, inv, m = np.unique(s, return_inverse=True, return_counts=True)
    return u, m.astype(float), np.bincount(inv, weights=y)


def minus_log_tail(x, k):
    r = -chi2.logsf(x, k)
    g = np.maximum(x, 1) / 2
    return np.where(r < 600, r, g - (k / 2 - 1) * np.log(g) + gammaln(k / 2))


def orthonormal(t, w, K):
    t = 2 * (t - t.min()) / max(np.ptp(t), 1e-300) - 1
    F = [np.ones_like(t) / np.sqrt(w.sum())]
    for _ in range(1, K):
        f = t * F[-1]
        A = np.array(F)
        for _ in range(2):
            f = f - A.T @ (A @ (w * f))
        q = np.sqrt((w * f * f).sum())
        if not q > 1e-7 * np.sqrt((w * t * t * F[-1] ** 2).sum()):
            break
        F.append(f / q)
    return np.array(F)


def strata(ref, day, least=8, most=128):
    x = np.union1d(ref[0], day[0])
    c = []
    for p in (ref, day):
        i = np.searchsorted(x, p[0])
        c.append([np.bincount(i, weights=q, minlength=len(x)) for q in (p[1], p[2], p[0] * p[1])])
    n1 = c[1][0].sum()
    J = int(np.clip(n1 // least, 1, most))
    cum = np.cumsum(c[1][0]) - 0.5 * c[1][0]
    g = np.minimum((cum * J / n1).astype(int), J - 1)
    if len(x) <= most:
        g = np.arange(len(x))
    st = np.flatnonzero(np.r_[True, g[1:] != g[:-1]])
    S = [np.add.reduceat(q, st) for p in c for q in p]
    if len(x) > most:
        keep = [0]
        a, b = S[0][0], S[3][0]
        for j in range(1, len(st)):
            if a >= least and b >= least:
                keep.append(j)
                a = b = 0.0
            a += S[0][j]
            b += S[3][j]
        if len(keep) > 1 and (a < least or b < least):
            keep.pop()
        S = [np.add.reduceat(q, keep) for q in S]
    n0, h0, s0, n1, h1, s1 = S
    return n0, h0, s0 / np.maximum(n0, 1), n1, h1, s1 / np.maximum(n1, 1)


def window(q):
    """Sums over five neighbours each side."""
    return np.array([q[max(j - 5, 0):j + 6].sum() for j in range(len(q))])


def moved(ref, day, K=8, R=19999, seed=1):
    n0, h0, a0, n1, h1, a1 = strata(ref, day)
    all1 = n1.sum()
    N = n0 + n1
    H = h0 + h1
    k = (n0 > 0) & (n1 > 0) & (H > 0) & (H < N)
    p = H / N
    a = (n0 * a0 + n1 * a1) / N
    w = window(N)
    ma = window(N * a) / w
    mp = window(N * p) / w
    va = window(N * a * a) / w - ma**2
    b = np.where(va > 1e-12, (window(N * a * p) / w - ma * mp) / np.maximum(va, 1e-12), 0)
    drift = (b * n1 * n0 / N * (a1 - a0))[k]
    n0, h0, n1, h1, N, H = (q[k] for q in (n0, h0, n1, h1, N, H))
    w = n1 * n0 * H * (N - H) / (N * N * (N - 1))
    t = (np.cumsum(w) - 0.5 * w) / w.sum()
    P = orthonormal(t, w, min(K, len(w)))
    rng = np.random.default_rng(seed)
    drawn = rng.hypergeometric(H.astype(int), (N - H).astype(int), n1.astype(int), size=(R, len(N)))
    U = np.vstack([h1 - drift, drawn]) - n1 * H / N
    Z2 = (U @ P.T) ** 2
    L = {"level": minus_log_tail(Z2[:, 0], 1)}
    if len(P) > 1:
        L["tilt"] = minus_log_tail(Z2[:, 1], 1)
    if len(P) > 2:
        L["shape"] = minus_log_tail(Z2[:, 2:].sum(1), len(P) - 2)
    c = np.minimum((t * 16).astype(int), 15)
    st = np.flatnonzero(np.r_[True, c[1:] != c[:-1]])
    if len(st) > 1:
        A = np.add.reduceat(U, st, 1)
        q = np.add.reduceat(w, st)
        z = np.hstack([A**2 / q, (A[:, 1:] + A[:, :-1]) ** 2 / (q[1:] + q[:-1])]).max(1)
        one = minus_log_tail(z, 1)
        r = min(20, 2 * len(q) - 1)
        L["place"] = np.where(one < 30, -np.log(np.maximum(-np.expm1(r * np.log1p(-np.minimum(np.exp(-one), 1 - 1e-16))), 1e-300)),
                              one - np.log(r))
    weight = {"level": 3 / 8, "tilt": 2 / 8, "shape": 2 / 8, "place": 1 / 8}
    T = np.max([np.log(weight[j]) + q for j, q in L.items()], 0)
    overlap = (n1 * n0 / N).sum()
    return (len(N), 1 - n1.sum() / all1, *(L[j][0] if j in L else "" for j in weight), U[0].sum() / overlap,
            np.sqrt(w.sum()) / overlap, (T >= T[0] - 1e-9).mean())


def newton(F, base, M, H, b, prior, steps):
    for _ in range(steps):
        p = expit(np.clip(base + b @ F, -30, 30))
        d = np.linalg.solve((F * (M * p * (1 - p))) @ F.T + prior, F @ (H - M * p) - prior @ b)
        b = b + d * min(1, 1 / max(np.abs(d).max(), 1e-9))
    return b


def ball(F, base, M, H, V0, rad):
    b = newton(F, base, M, H, np.zeros(len(F)), V0 * 1e-6, 6)
    lo, hi = -14.0, 25.0
    if b @ V0 @ b <= rad:
        return b
    for _ in range(26):
        mu = (lo + hi) / 2
        b = newton(F, base, M, H, b, V0 * np.exp(mu), 3)
        lo, hi = (lo, mu) if b @ V0 @ b <= rad else (mu, hi)
    return newton(F, base, M, H, b, V0 * np.exp(lo), 6)


class Watch:
    HALF = (10.0, 60.0, np.inf)
    TAU, EDGE, DELTA = 0.15, 0.05, 0.04

    def __init__(self, ref, J=48):
        x, m, h = ref
        v = m * x * (1 - x)
        t = (np.cumsum(v) - 0.5 * v) / v.sum()
        r = (np.cumsum(m) - 0.5 * m) / m.sum()
        self.edge = e = np.unique(np.r_[np.interp(np.arange(1, J) / J, t, x), np.interp(np.arange(1, J // 2) / (J // 2), r, x),
                                        self.EDGE, 1 - self.EDGE])
        M, H, S = self.gather(*ref)
        c = np.where(M > 0, S / np.maximum(M, 1), np.r_[e[0] / 2, (e[1:] + e[:-1]) / 2, (1 + e[-1]) / 2])
        u = 2 * np.interp(c, x, t) - 1
        leg = np.array([np.sqrt(2 * k + 1) * eval_legendre(k, u) for k in range(8)])
        tails = np.array([c > 1 - self.EDGE, c < self.EDGE], float)
        self.F = F = np.vstack([leg[:4], tails])
        self.fixed = np.clip([sg * z * f for f in leg[:3] for z in (0.05, 0.15, 0.4) for sg in (1, -1)]
                             + [sg * z * f for f in tails for z in (0.2, 0.5, 1.0) for sg in (1, -1)], -2, 2)
        B, q = len(self.fixed), len(self.HALF)
        self.pi = np.r_[np.full(B, 0.5 / B), np.full(q, 0.5 / q)]
        self.lam = np.zeros((q, len(F)))
        self.past = np.zeros((q, 3, len(c)))
        self.t = 0
        self.cash = 1.0
        self.M = np.zeros(B + q)
        self.R = np.zeros(B + q)
        base = logit(np.clip(c, 2.0**-20, 1 - 2.0**-20))
        known = np.array([h * (n - h) >= 10 * n > 0 for n, h in ((f @ M, f @ H) for f in tails)], float)
        tails = tails * known[:, None]  # a tail with few hits or misses has no ellipsoid
        self.G = F = np.vstack([leg[:4], tails])
        curve = np.vstack([leg, tails])  # with the tails, beta = 0 is the best fit to the reference
        self.base = base + newton(curve, base, M, H, np.zeros(10), 0.01 * np.eye(10), 30) @ curve
        p = expit(self.base)
        self.V0 = (F * (M * p * (1 - p))) @ F.T + 1e-6 * np.eye(len(F))
        self.rad = chi2.ppf(1 - self.DELTA, len(F))
        self.b = np.zeros((q, len(F)))
        self.share = np.full(q, 1 / q)
        self.logN = 0.0
        self.all = np.zeros((3, len(c)))

    def gather(self, x, m, h):
        j = np.searchsorted(self.edge, x)
        return np.array([np.bincount(j, weights=q, minlength=len(self.edge) + 1) for q in (m, h, x * m)])

    def day(self, d):
        M, H, S = g = self.gather(*d)
        s = np.where(M > 0, S / np.maximum(M, 1), 0.5)
        self.t += 1
        t = self.t
        eta = np.vstack([self.fixed, np.clip(self.lam @ self.F, -2, 2)])
        e = np.exp(np.clip(eta @ H - np.log1p(s * np.expm1(eta)) @ M, -600, 600))
        w = 0.5 if t == 1 else 0.5 / np.log2(t) - 0.5 / np.log2(t + 1)
        self.cash -= w
        self.M = np.minimum(e * (self.M + w * self.pi), 1e290)
        if self.R.sum() >= 5000:
            self.R[:] = 0
        self.R = np.minimum(e * (self.R + self.pi), 1e290)
        z = self.base + self.b @ self.G
        l = z @ H - np.logaddexp(0, z) @ M
        N = self.share * np.exp(l - l.max())
        self.logN += l.max() + np.log(N.sum())
        self.share = 0.99 * N / N.sum() + 0.01 / len(N)
        self.all += g
        z = self.base + ball(self.G, self.base, self.all[0], self.all[1], self.V0, self.rad) @ self.G
        logD = self.all[1] @ z - self.all[0] @ np.logaddexp(0, z)
        for i, hl in enumerate(self.HALF):
            self.past[i] = self.past[i] * 0.5 ** (1 / hl) + g
            A, Hh, Ss = self.past[i]
            sc = np.clip(np.where(A > 0, Ss / np.maximum(A, 1e-9), 0.5), 2.0**-20, 1 - 2.0**-20)
            self.lam[i] = newton(self.F, logit(sc), A, Hh, self.lam[i], np.eye(len(self.F)) / self.TAU**2, 2)
            self.b[i] = newton(self.G, self.base, A, Hh, self.b[i], self.V0 * (1 if hl == np.inf else 0.05), 2)
        return max(self.cash, 0) + self.M.sum(), self.R.sum(), float(np.exp(min(self.logN - logD, 600)))


def main():
    print("kind,values")
    seed = 0
    for kind, n_ref, today, n, bend, bend_today, lift in [
            ("uniform", 4000, "uniform", 1000, 0.3, 0.3, 0.0), ("uniform", 4000, "high", 1000, 0.3, 0.3, 0.0),
            ("uniform", 4000, "middle", 3000, 0.3, 0.8, 0.0), ("low", 2000, "uniform", 500, 0.0, 0.0, 0.03),
            ("high", 300, "high", 40, 0.5, 0.5, 0.0), ("tied20", 3000, "tied20", 700, 0.4, 0.4, 0.0),
            ("tied20", 3000, "tied10", 700, 0.4, 0.9, 0.0), ("tied4", 500, "tied4", 100, 0.2, 0.2, 0.1),
            ("tied4", 60, "tied2", 30, 0.2, 0.2, 0.0), ("uniform", 50, "uniform", 20000, 0.0, 0.0, 0.0)]:
        seed += 2
        one, two = rows(kind, n_ref, seed, bend, 0.0), rows(today, n, seed + 1, bend_today, lift)
        d = ks_2samp(one[0], two[0]).statistic
        m = np.sqrt(n_ref * n / (n_ref + n))
        print("moved", kind, n_ref, today, n, seed, bend, bend_today, lift, *moved(cells(*one), cells(*two)), d,
              kolmogorov((m + 0.12 + 0.11 / m) * d), sep=",")
    for kind, n_ref, today, n, days, since, bend, lift in [
            ("uniform", 5000, "uniform", 400, 30, 16, 0.3, 0.0), ("low", 3000, "middle", 200, 25, 11, 0.0, 0.08),
            ("tied20", 2000, "tied20", 300, 20, 99, 0.0, 0.0), ("high", 6000, "high", 800, 15, 6, 0.0, -0.05)]:
        seed += 1
        print("watch", kind, n_ref, today, n, days, since, seed, bend, lift, sep=",")
        watch = Watch(cells(*rows(kind, n_ref, seed, 0.0, 0.0)))
        for day in range(1, days + 1):
            late = day >= since
            drawn = rows(today, n, 1000 * seed + day, bend if late else 0.0, lift if late else 0.0)
            print("day", *watch.day(cells(*drawn)), sep=",")


if __name__ == "__main__":
    main()
