"""Every estimator from its formula (docs/methods), in rational numbers as far as there are any: written from the
formulas and sharing nothing with the library. Rows are tuples (score, label, weight), all Fractions.

Weights enter as they are. The middle rank of a group is F + (w - u) / 2, F the weight before it, w its own and u one
unit of mass: 1 where all weights are whole, else something small enough not to matter (`near_an_edge` says where it might).
"""
from decimal import Decimal, getcontext
from fractions import Fraction as Q
import math

getcontext().prec = 40
FINEST = Q(1, 2**20)  # no unit of fractional weights is coarser than this


class Undefined(Exception):
    pass


class Groups:
    """Equal scores together, ascending: score, weight and weight of hits of each."""

    def __init__(self, rows):
        found = {}
        for score, label, weight in rows:
            w, h = found.get(score, (Q(0), Q(0)))
            found[score] = (w + weight, h + weight * label)
        self.all = [(s, *found[s]) for s in sorted(found) if found[s][0] > 0]
        self.n = sum(w for _, w, _ in self.all)
        self.whole = all(w.denominator == 1 for _, _, w in rows)


def width_bin(score, b):
    """(e_j, e_j+1] with e_j the double nearest to j / b, and 0 in the first bin."""
    j = min(int(score * b), b - 1)
    while j > 0 and score <= Q(j / b):
        j -= 1
    while j + 1 < b and score > Q((j + 1) / b):
        j += 1
    return j


def bins_of(groups, b, by_mass):
    """The non-empty bins, ascending: {index: [groups]}."""
    out, before = {}, Q(0)
    for g in groups.all:
        if by_mass:
            twice = (2 * before + g[1]) * b  # less a unit times b
            j = math.floor((twice - b) / (2 * groups.n)) if groups.whole else math.ceil(twice / (2 * groups.n)) - 1
            before += g[1]
        else:
            j = width_bin(g[0], b)
        out.setdefault(j, []).append(g)
    return out


def near_an_edge(groups, b):
    """Does the bin of a group depend on how small the unit of fractional weights is?"""
    before = Q(0)
    for _, w, _ in groups.all:
        rest = ((2 * before + w) * b) % (2 * groups.n)
        if not groups.whole and 0 < rest < b * FINEST:
            return True
        before += w
    return False


def sums(bin_groups):
    """Weight, mean score and mean label of a bin."""
    w = sum(g[1] for g in bin_groups)
    return w, sum(g[0] * g[1] for g in bin_groups) / w, sum(g[2] for g in bin_groups) / w


def root(x):
    return math.sqrt(x) if x < Q(1, 10**300) or x > 10**300 else float(Decimal(x.numerator) / Decimal(x.denominator)) ** 0.5


def normed(total, norm):
    return float(total) if norm == 1 else root(total)


def ece(groups, b, by_mass, norm):
    parts = [sums(x) for x in bins_of(groups, b, by_mass).values()]
    return normed(sum(w * abs(f - a) ** norm for w, f, a in parts) / groups.n, norm)


def lb(groups, b, by_mass, norm):
    total = Q(0)
    for x in bins_of(groups, b, by_mass).values():
        rate = sums(x)[2]
        total += sum(w * abs(s - rate) ** norm for s, w, _ in x)
    return normed(total / groups.n, norm)


def mce(groups, b, by_mass):
    return float(max(abs(f - a) for _, f, a in map(sums, bins_of(groups, b, by_mass).values())))


def debias_squared(groups, b, by_mass):
    parts = [p for p in map(sums, bins_of(groups, b, by_mass).values()) if p[0] > 1]
    if not parts:
        raise Undefined
    return sum(w * ((f - a) ** 2 - a * (1 - a) / (w - 1)) for w, f, a in parts) / groups.n


def rates_fall(bins):
    rates = [sums(bins[j])[2] for j in sorted(bins)]
    return any(p > q for p, q in zip(rates, rates[1:]))


def sweep_bins(groups, by_mass, most=3000):
    """The chosen number of bins; None where finding it takes too long here."""
    limit = max(int(groups.n), 1)
    if not rates_fall({i: [g] for i, g in enumerate(groups.all)}):
        return limit  # neighbours that never fall do not fall when pooled either
    for b in range(2, limit + 1):
        if b > most:
            return None
        if by_mass and near_an_edge(groups, b):
            return None
        if rates_fall(bins_of(groups, b, by_mass)):
            return b - 1
    return limit


def ks(groups):
    gap = largest = Q(0)
    for s, w, h in groups.all:
        gap += s * w - h
        largest = max(largest, abs(gap))
    return float(largest / groups.n)


def mean_loss(groups, hit, miss):
    return sum(h * hit(s) + (w - h) * miss(s) for s, w, h in groups.all) / groups.n


def brier(groups):
    return mean_loss(groups, lambda s: (1 - s) ** 2, lambda s: s ** 2)


def brier_parts(groups, b):
    base = sum(h for _, _, h in groups.all) / groups.n
    parts = [sums(x) for x in bins_of(groups, b, False).values()]
    reliability = sum(w * (f - a) ** 2 for w, f, a in parts) / groups.n
    resolution = sum(w * (a - base) ** 2 for w, _, a in parts) / groups.n
    uncertainty = base * (1 - base)
    return {"reliability": reliability, "resolution": resolution, "uncertainty": uncertainty,
            "within_bin": brier(groups) - (reliability - resolution + uncertainty)}


def ln(x):
    return Q((Decimal(x.numerator) / Decimal(x.denominator)).ln())


def nll(groups):
    if any((s == 0 and h > 0) or (s == 1 and h < w) for s, w, h in groups.all):
        raise Undefined
    return mean_loss(groups, lambda s: -ln(s) if s > 0 else Q(0), lambda s: -ln(1 - s) if s < 1 else Q(0))


def isotonic(groups):
    """[(weight, rate)]: slopes of the greatest convex minorant of the running totals, as a lower convex hull."""
    points = [(Q(0), Q(0))]
    for _, w, h in groups.all:
        points.append((points[-1][0] + w, points[-1][1] + h))
    hull = []
    for c in points:
        while len(hull) > 1:
            a, b = hull[-2:]
            if (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]):
                break
            hull.pop()
        hull.append(c)
    return [(q[0] - p[0], (q[1] - p[1]) / (q[0] - p[0])) for p, q in zip(hull, hull[1:])]


def corp_parts(groups):
    blocks = isotonic(groups)
    base = sum(h for _, _, h in groups.all) / groups.n
    out = {}

    def decompose(name, score, at_rate):
        best = sum(w * at_rate(a) for w, a in blocks) / groups.n
        out.update({name + "_mcb": score - best, name + "_dsc": at_rate(base) - best, name + "_unc": at_rate(base)})

    decompose("brier", brier(groups), lambda a: a * (1 - a))
    try:
        decompose("log", nll(groups), lambda a: Q(0) if a in (0, 1) else -a * ln(a) - (1 - a) * ln(1 - a))
    except Undefined:
        pass
    return out


def solve(matrix, right):
    """Gauss and Jordan, in Fractions: matrix^-1 right, a list of columns."""
    n = len(matrix)
    m = [list(matrix[i]) + [column[i] for column in right] for i in range(n)]
    for i in range(n):
        pivot = next(r for r in range(i, n) if m[r][i] != 0)
        m[i], m[pivot] = m[pivot], m[i]
        m[i] = [x / m[i][i] for x in m[i]]
        for r in range(n):
            if r != i and m[r][i] != 0:
                m[r] = [x - m[r][i] * y for x, y in zip(m[r], m[i])]
    return [[m[i][n + c] for i in range(n)] for c in range(len(right))]


def rank_poly_terms(groups):
    """For K = 1, 2, ... polynomials in rank: (D, N, L), exact. No basis is needed: projections do not depend on it."""
    n = groups.n
    if n <= 1:
        raise Undefined
    most = max(1, min(16, int(float(n) ** 0.4 + 1e-9), len(groups.all)))
    x, before = [], Q(0)
    for _, w, _ in groups.all:
        x.append((2 * before + w) / n - 1)
        before += w
    rows = []  # x, weight, residual
    for at, (s, w, h) in zip(x, groups.all):
        rows += [(at, h, 1 - s), (at, w - h, -s)]
    rows = [r for r in rows if r[1] > 0]
    out = []
    for k in range(1, most + 1):
        v = {at: [at**i for i in range(k)] for at in x}
        mean = lambda f: [[sum(w * f(at, r) * v[at][i] * v[at][j] for at, w, r in rows) / n for j in range(k)] for i in range(k)]
        gram, squares = mean(lambda at, r: 1), mean(lambda at, r: r * r)
        moment = [sum(w * r * v[at][i] for at, w, r in rows) / n for i in range(k)]
        coefficient, *columns = solve(gram, [moment] + [[row[j] for row in squares] for j in range(k)])
        inverse_at = dict(zip(x, solve(gram, [v[at] for at in x])))
        trace = sum(columns[j][i] * columns[i][j] for i in range(k) for j in range(k))
        d = away = noise = Q(0)
        for at, w, r in rows:
            fit = sum(c * p for c, p in zip(coefficient, v[at]))
            h = sum(c * p for c, p in zip(inverse_at[at], v[at])) / n
            cut = min(h, Q(9, 10))
            m = (fit - cut * r) / (1 - cut)
            d += w * r * m / n
            away += w * r * r * m * m * 4 / n**2
            noise += w * h * h * r**4
        out.append((d, 2 * (trace - noise) / n**2, away))
    return out
