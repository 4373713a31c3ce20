"""The two smooth estimators, straight from their definitions: no grid for the data but the one that is part of kde."""
import math

from exact_reference import Undefined

KDE_POINTS, KDE_LOW, KDE_HIGH = 2**14, -0.6, 1.6
STEP = (KDE_HIGH - KDE_LOW) / (KDE_POINTS - 1)


def kde(groups, norm):
    """Triweight densities of all rows and of the hits; every kernel summed at every grid point it reaches."""
    n, hits = float(groups.n), float(sum(h for _, _, h in groups.all))
    if hits < 2:
        raise Undefined
    mean = sum(s * h for s, _, h in groups.all) / sum(h for _, _, h in groups.all)
    variance = sum(h * (s - mean) ** 2 for s, _, h in groups.all) / sum(h for _, _, h in groups.all)
    h = math.sqrt(variance) * (2 * n) ** -0.2
    if h < STEP:
        raise Undefined
    weight = {}  # of grid points: linear binning of every score and its mirror image
    for s, w, hit in groups.all:
        s = float(s)
        for x in (s, -s if s < 0.5 else 2 - s):
            position = (x - KDE_LOW) / STEP
            i = int(position)
            for at, part in ((i, 1 - (position - i)), (i + 1, position - i)):
                a, b = weight.get(at, (0.0, 0.0))
                weight[at] = (a + part * float(w) / n, b + part * float(hit) / hits)
    radius = 3 * h / STEP
    d, d1 = [0.0] * KDE_POINTS, [0.0] * KDE_POINTS
    scale = 35 / 32 / (3 * h)
    for at, (a, b) in weight.items():
        for i in range(max(0, math.ceil(at - radius)), min(KDE_POINTS, math.floor(at + radius) + 1)):
            u = (i - at) / radius
            k = scale * (1 - u * u) ** 3
            d[i] += a * k
            d1[i] += b * k
    first, last = math.ceil(-KDE_LOW / STEP), math.floor((1 - KDE_LOW) / STEP)
    error = total = integrand = 0.0
    for i in range(first, last + 1):
        if max(d[i], d1[i]) > 1e-6:
            gap = abs(KDE_LOW + i * STEP - min(hits / n * d1[i] / d[i], 1.0))
            integrand = gap**norm * d[i]
        end = 0.5 if i in (first, last) else 1.0
        error += end * integrand
        total += end * d[i]
    return min(error / total, 1.0) ** (1 / norm)


def smooth_error(groups, sigma):
    """smECE at width sigma: between two changes of sign the integral is a sum of error functions."""
    points = [(float(s), float((h - s * w) / groups.n)) for s, w, h in groups.all]
    images = math.ceil(5 * sigma) + 1
    centres = [(x + 2 * k, m) for s, m in points for x in (s, -s) for k in range(-images, images + 1)]

    def at(t):
        return sum(m * math.exp(-0.5 * ((t - c) / sigma) ** 2) for c, m in centres if abs(t - c) < 9 * sigma)

    def integral(t):
        return sum(m * 0.5 * math.erf((t - c) / (sigma * math.sqrt(2))) for c, m in centres)

    mesh = set()
    for s, _ in points:
        mesh.update(min(max(s + i * sigma / 8, 0.0), 1.0) for i in range(-64, 65))
    mesh = sorted(mesh | {0.0, 1.0})
    cuts = [0.0]
    value = at(mesh[0])
    for a, b in zip(mesh, mesh[1:]):
        next_value = at(b)
        if (value < 0) != (next_value < 0):
            low, high = a, b
            for _ in range(40):
                middle = (low + high) / 2
                low, high = (middle, high) if (at(middle) < 0) == (value < 0) else (low, middle)
            cuts.append(low)
        value = next_value
    totals = [integral(t) for t in cuts + [1.0]]
    return sum(abs(q - p) for p, q in zip(totals, totals[1:]))
