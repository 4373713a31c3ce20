"""What a fitted map does to rows, in operations that ONNX and torch both have: fit/rows/rows.inl once more, for whole batches.

``ops`` makes the operations (``_onnx.Graph``, ``_torch_maps.Ops``); a value is whatever it works on, with the operators of Python.
All arithmetic is in float64. Where a map has jumps, exponentials and logarithms are made of the same additions and products as in
numeric/strict/functions.inl, because a score on the edge of a step must fall on the same side of it.
"""

from __future__ import annotations

import math
from typing import Any

_MASKED = -(2.0**20)
_LARGEST_LOG_ODDS = 36.04365338911715
_LOG_OF_ZERO = -1e300
_MOST = 1e100


def probabilities(recipe: dict[str, Any], ops: Any, x: Any, least: float) -> Any:
    """The calibrated rows of x, of shape (n, columns). ``least`` is the smallest normal number of the type x came in."""
    logits = recipe["input"] == "logits"
    none = ops.equal(x, -math.inf) if logits else None
    rows = ops.where(none, _MASKED, x) if logits else x
    poison = ops.sum(rows - rows)  # 0, or NaN where a number is none
    fill = recipe["fill"]
    if fill:
        rows, least = _filled(ops, rows, recipe["columns"], fill), 2.2250738585072014e-308
    out = _FORMS[recipe["form"]](recipe, ops, rows, logits, least)
    if logits and recipe["columns"] > 1:
        out = _without_masked(ops, out, none)
    return out + poison


# ---- softmax(v z)

def _tempered(recipe: dict[str, Any], ops: Any, x: Any, logits: bool, least: float) -> Any:
    out = tempered(ops, x, recipe["columns"], logits, least, recipe["v"])
    return _mixed(ops, out, tempered(ops, x, recipe["columns"], logits, least, 1.0), recipe) if recipe["weights"] else out


def tempered(ops: Any, x: Any, k: int, logits: bool, least: float, v: Any) -> Any:
    if k == 1:
        z = x if logits else _clipped_log_odds(ops, x, least)
        e = ops.exp(ops.abs(z) * -v)
        return ops.where(ops.less(0.0, z), ops.maximum(1 / (e + 1), 0.5 + 2.0**-53), e / (e + 1))
    top = ops.max(x)
    a = (x - top) if logits else ops.log(ops.maximum(x, least) / top)
    return ops.softmax(ops.where(ops.less(x, top), ops.minimum(a * v, -(2.0**-50)), 0.0))


def _mixed(ops: Any, out: Any, plain: Any, recipe: dict[str, Any]) -> Any:
    k, w = recipe["columns"], recipe["weights"]
    uniform = w[2] / max(k, 2)
    mixed = out * w[0] + plain * w[1] + uniform
    if k == 1:
        return ops.where(ops.less_equal(out, 0.5), ops.minimum(mixed, 0.5), ops.maximum(mixed, 0.5 + 2.0**-53))
    top = ops.max(out)
    mixed_top = top * w[0] + ops.max(plain) * w[1] + uniform
    return ops.where(ops.less(out, top), ops.minimum(mixed, mixed_top * (1 - 2.0**-50)), mixed)


# ---- softmax(W x + b)

def _clipped_log_odds(ops: Any, p: Any, least: float) -> Any:
    return ops.log(ops.maximum(p, least) / ops.maximum(1 - p, least))


def _log_sigma(ops: Any, z: Any) -> Any:
    return ops.minimum(z, 0.0) - ops.log(ops.exp(ops.abs(z) * -1.0) + 1)


def _features(recipe: dict[str, Any], ops: Any, x: Any, logits: bool, least: float) -> Any:
    kind = recipe["features"]
    if kind == "exact_logarithms" and not logits:
        def log(p: Any) -> Any:
            return ops.where(ops.less(0.0, p), ops.log(ops.where(ops.less(0.0, p), p, 1.0)), _LOG_OF_ZERO)

        return log(ops.concat([1 - x, x]) if recipe["columns"] == 1 else x)
    if recipe["columns"] == 1:
        z = ops.minimum(ops.maximum(x if logits else _clipped_log_odds(ops, x, least), -_MOST), _MOST)
        one = _log_sigma(ops, z) if kind == "log_probabilities" else z / 2
        return ops.concat([one - z, one])
    if not logits:
        return ops.log(ops.maximum(x, least))
    z = ops.minimum(ops.maximum(x, -_MOST), _MOST)
    if kind != "log_probabilities":
        return z
    top = ops.max(z)
    return z - (top + ops.log(ops.sum(ops.exp(z - top))))


def _affine(recipe: dict[str, Any], ops: Any, x: Any, logits: bool, least: float) -> Any:
    f, w, b = _features(recipe, ops, x, logits, least), recipe["w"], recipe["b"]
    k = max(2, recipe["columns"])
    if len(w) == 1:  # one column: only the difference of the two outputs is known
        one = (ops.column(f, 1) - ops.column(f, 0)) * w[0] + b[0]
        u = ops.concat([one * 0.0, one])
    elif len(w) <= k:
        u = (f * ops.constant([w]) if w else f) + ops.constant([b])
    else:
        u = ops.times_matrix(f, [[w[c * k + j] for c in range(k)] for j in range(k)]) + ops.constant([b])
    out = ops.softmax(u)
    return ops.column(out, 1) if recipe["columns"] == 1 else out


# ---- one curve per class

class _Plain:
    """Exponentials and logarithms of the library at hand."""

    def __init__(self, ops: Any) -> None:
        self.ops, self.exp, self.log = ops, ops.exp, ops.log

    def log1p(self, x: Any) -> Any:
        u = x + 1
        return self.ops.where(self.ops.equal(u, 1.0), x, self.log(u) + (x - (u - 1)) / u)


class _Strict:
    """The same bits as numeric/strict/functions.inl."""

    high, low, whole = float.fromhex("0x1.62e42fefa38p-1"), float.fromhex("0x1.ef35793c7673p-45"), float.fromhex("0x1.8p52")
    root_half = float.fromhex("0x1.6a09e667f3bcdp-1")
    even = [0.5000000000000012, 0.04166666666651542, 0.0013888888947016294, 2.4801489941986953e-05, 2.763128037806136e-07]
    odd = [0.166666666666667, 0.008333333333307217, 0.00019841269917354886, 2.755721632951509e-06, 2.511785118876895e-08]
    series = [0.6666666666666734, 0.39999999999414315, 0.28571428742475385, 0.2222219856344929, 0.18183564867954755,
              0.15314035814324084, 0.14796105555957476]

    def __init__(self, ops: Any) -> None:
        self.ops = ops
        self.powers = ops.constant([2.0**n for n in range(-545, 546)])

    def _rounded(self, x: Any) -> Any:
        return self.ops.still((x + self.whole) - self.whole)

    def _times_power(self, x: Any, n: Any) -> Any:
        half = self._rounded(n * 0.5)
        return x * self._power(half) * self._power(n - half)

    def _power(self, n: Any) -> Any:
        return self.ops.take(self.powers, self.ops.whole(n + 545))

    def exp(self, x: Any) -> Any:
        x = self.ops.maximum(x, -750.0)
        n = self._rounded(x * 1.4426950408889634)
        r = (x - n * self.high) - n * self.low
        r2 = r * r
        return self._times_power((r + r2 * (self._horner(r2, self.even) + r * self._horner(r2, self.odd))) + 1, n)

    @staticmethod
    def _horner(x: Any, c: list[float]) -> Any:
        out = x * c[-1] + c[-2]
        for number in c[-3::-1]:
            out = x * out + number
        return out

    def _log_near_one(self, k: Any, f: Any) -> Any:
        s = f / (f + 2)
        z, half_square = s * s, (f * 0.5) * f
        series = z * self._horner(z, self.series)
        return k * self.high - ((half_square - (s * (half_square + series) + k * self.low)) - f)

    def log(self, x: Any) -> Any:
        ops = self.ops
        positive = ops.less(0.0, x)
        safe = ops.where(positive, x, 1.0)
        k = self._rounded(ops.log(safe) * 1.4426950408889634)
        m = self._times_power(safe, k * -1.0)
        low, high = ops.less(m, self.root_half), ops.less_equal(2 * self.root_half, m)
        k = ops.where(low, k - 1, ops.where(high, k + 1, k))
        f = ops.where(low, m * 2.0, ops.where(high, m * 0.5, m)) - 1
        return ops.where(positive, self._log_near_one(k, f), -math.inf)

    def log1p(self, x: Any) -> Any:
        ops = self.ops
        low, high, none = ops.less(x, -0.2928932), ops.less(0.4142135, x), x * 0.0
        k = ops.where(low, none - 1, ops.where(high, none + 1, none))
        return self._log_near_one(k, ops.where(low, x * 2.0 + 1, ops.where(high, (x - 1) * 0.5, x)))


def _sigma(ops: Any, f: Any, z: Any) -> Any:
    e = f.exp(ops.abs(z) * -1.0)
    return ops.where(ops.less_equal(0.0, z), 1 / (e + 1), e / (e + 1))


def _between(ops: Any, x: Any, most: float) -> Any:
    return ops.minimum(ops.maximum(x, -most), most)


def _log_odds_of(ops: Any, f: Any, p: Any, rest: Any) -> Any:
    return _between(ops, f.log(p / ops.maximum(rest, 2.2250738585072014e-308)), _LARGEST_LOG_ODDS)


def _in_eight(ops: Any, x: Any, k: int) -> Any:
    """The sum of a row in the order of sum_of_eight()."""
    s = [ops.column(ops.running_sum(ops.every(x, j, 8)), len(range(j, k, 8)) - 1) if j < k else 0.0 for j in range(8)]
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))


def _scores(ops: Any, f: Any, x: Any, k: int, logits: bool, odds: bool) -> Any:
    """The probability of every class, or its log-odds; of two classes that of class 1."""
    if k == 1:
        return (x if odds else _sigma(ops, f, x)) if logits else (_log_odds_of(ops, f, x, 1 - x) if odds else x)
    if k == 2:
        zero, one = ops.column(x, 0), ops.column(x, 1)
        if logits:
            return _between(ops, one - zero, _MOST) if odds else _sigma(ops, f, one - zero)
        return _log_odds_of(ops, f, one, zero) if odds else one
    if not odds and not logits:
        return x
    first = ops.first_largest(x, k)
    if logits:
        top = ops.max(x)
        normaliser = top + f.log(_in_eight(ops, f.exp(x - top), k))
        if not odds:
            return ops.minimum(f.exp(x - normaliser), 1.0)
        second = ops.max(ops.where(first, -math.inf, x))
        rest = _in_eight(ops, ops.where(first, 0.0, f.exp(ops.where(first, 0.0, x - second))), k)
        top_odds = _between(ops, top - second - f.log(rest), _MOST)
        log_p = x - normaliser
        other = _between(ops, log_p - f.log1p(ops.minimum(f.exp(log_p), 0.5) * -1.0), _MOST)
        return ops.where(first, top_odds, other)
    rest = _in_eight(ops, ops.where(first, 0.0, x), k)
    return ops.where(first, _log_odds_of(ops, f, ops.max(x), rest), _log_odds_of(ops, f, x, 1 - x))


class _Knots:
    """The numbers x and y of all curves, one after another; the x of each are filled up to 2^p - 1 of them."""

    def __init__(self, ops: Any, curves: list[dict[str, Any]]) -> None:
        self.ops = ops
        longest = max(len(c["x"]) for c in curves)
        self.steps = [2**p for p in reversed(range(longest.bit_length()))]
        width = 2 ** len(self.steps) - 1
        self.x = ops.constant([v for c in curves for v in [*c["x"], *[math.inf] * (width - len(c["x"]))]] or [math.inf])
        self.y = ops.constant([v for c in curves for v in c["y"]])
        y_from = [sum(len(c["y"]) for c in curves[:j]) for j in range(len(curves))]
        self.x_from, self.y_from = ops.wholes([[width * j for j in range(len(curves))]]), ops.wholes([y_from])
        self.last = ops.wholes([[len(c["x"]) - 1 for c in curves]])

    def count(self, score: Any, or_equal: bool) -> Any:
        """How many x of the curve are below the score, or not above it: by halves."""
        ops = self.ops
        at = ops.wholes_like(score)
        for step in self.steps:
            x = ops.take(self.x, self.x_from + (at + (step - 1)))
            at = ops.where(ops.less_equal(x, score) if or_equal else ops.less(x, score), at + step, at)
        return at

    def y_at(self, place: Any) -> Any:
        return self.ops.take(self.y, self.y_from + place)

    def on_line(self, score: Any) -> Any:
        ops = self.ops
        right = self.count(score, True)
        before, after = ops.equal(right, 0), ops.less(self.last, right)
        r = ops.where(after, self.last, right)
        l = ops.where(before, r, right - 1)
        outside = ops.either(before, after)
        x_l, x_r, y_l, y_r = ops.take(self.x, self.x_from + l), ops.take(self.x, self.x_from + r), self.y_at(l), self.y_at(r)
        t = (score - x_l) / ops.where(outside, 1.0, x_r - x_l)
        return ops.where(before, y_r, ops.where(after, y_l, ops.minimum(y_l + (y_r - y_l) * t, y_r)))


def _curves(recipe: dict[str, Any], ops: Any, x: Any, logits: bool, least: float) -> Any:
    shape, curves, k = recipe["shape"], recipe["curves"], recipe["columns"]
    odds = shape in ("sigmoid", "beta", "sigmoid_steps")
    f = _Plain(ops) if shape in ("sigmoid", "beta") else _Strict(ops)
    score = _scores(ops, f, x, k, logits, odds)
    a, b, c = (ops.constant([[curve[name] for curve in curves]]) for name in "abc")
    complement = None
    if shape in ("sigmoid", "beta"):
        eta = score * a + b if shape == "sigmoid" else a * _log_sigma(ops, score) - b * _log_sigma(ops, score * -1.0) + c
        out, complement = _sigma(ops, f, eta), _sigma(ops, f, eta * -1.0)
    elif shape == "linear":
        out = _Knots(ops, curves).on_line(score)
    else:
        knots = _Knots(ops, curves)
        if shape == "sigmoid_steps":
            score = _sigma(ops, f, score * a + b)
        count = knots.count(score, shape == "stairs")
        out = knots.y_at(ops.where(ops.equal(count, 0), count, count - 1) if shape == "stairs" else count)
    if k == 1:
        return out
    if k == 2:
        return ops.concat([1 - out if complement is None else complement, out])
    return _normalised(ops, out, x, logits)


def _normalised(ops: Any, out: Any, x: Any, logits: bool) -> Any:
    """Rows whose curves are all 0 keep their uncalibrated probabilities."""
    total = ops.sum(out)
    lost = ops.less(total, 2.2250738585072014e-308)
    plain = ops.softmax(x) if logits else x / ops.sum(x)
    return ops.where(lost, plain, out / ops.where(lost, 1.0, total))


# ---- before and after

def _filled(ops: Any, p: Any, k: int, fill: dict[str, Any]) -> Any:
    tiny = 2.0**-53
    if k == 1:
        odds = 1 - 2.0**-20
        rate = min(fill["certain"], odds / (1 + odds)) if fill["keep_top"] else fill["certain"]
        return ops.where(ops.less(p, tiny), rate, ops.where(ops.equal(p, 1.0), 1 - rate, p))
    nothing = ops.less(p, tiny)
    zeros = ops.sum(ops.where(nothing, 1.0, p * 0.0))
    rate = ops.where(ops.less_equal(float(k), zeros + 1), fill["certain"], fill["partial"] + zeros * 0.0)
    if fill["keep_top"]:
        odds = ops.max(p) * zeros * (1 - 2.0**-20)
        rate = ops.minimum(rate, odds / (odds + 1))
    share = rate / ops.maximum(zeros, 1.0)
    return ops.where(ops.less(zeros, 0.5), p, ops.where(nothing, share + p * 0.0, p * (1 - rate)))


def _without_masked(ops: Any, out: Any, none: Any) -> Any:
    kept = ops.where(none, 0.0, out)
    total, left = ops.sum(kept), ops.sum(ops.where(none, 0.0, out * 0.0 + 1.0))
    any_none = ops.less(left, ops.sum(out * 0.0 + 1.0))
    shared = ops.where(ops.less(0.0, total), kept / ops.where(ops.less(0.0, total), total, 1.0), ops.where(none, 0.0, 1 / (left + out * 0.0)))
    return ops.where(any_none, shared, out)


_FORMS = {"tempered": _tempered, "affine": _affine, "curves": _curves}
