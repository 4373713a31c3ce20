#!/usr/bin/env python3
"""A differential fuzz of all estimators against rational arithmetic.

    exact.py [--cases N] [--seed S] [--program PATH]

Small random inputs: n = 1 .. 40, ties, scores of 0 and 1 and on the edges of bins, no weights or weights of every size,
1 to 20 bins, both norms. Every number that `tare measure` gives is compared with that of exact_reference.py. With
--program the program is run on each input, without it the installed Python package. Prints what was tried and how
many numbers were compared; at the first difference the smallest input that shows it, as CSV, and exit 1.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import random
import subprocess
import sys
from fractions import Fraction as Q

import exact_reference as exact
import exact_smooth as smooth

Case = collections.namedtuple("Case", "rows bins weighted slow")  # rows: (score, label, weight) as floats


def draw(seed, number):
    rng = random.Random(f"{seed}/{number}")
    n = rng.choice([1, 2, 3, rng.randint(1, 40), rng.randint(1, 40), rng.randint(4, 20)])
    bins = rng.randint(1, 20)
    levels = rng.choice([1, 2, 5, bins, 10, 100, None, None])
    scores = rng.choice(["any", "any", "ends", "near 1", "close"])
    centre = rng.random()

    def score():
        u = rng.random() if levels is None else rng.randint(0, levels) / levels
        if scores == "ends":
            return rng.choice([0.0, 1.0, u, 5e-324, math.nextafter(1, 0), 0.5])
        if scores == "near 1":
            return 1 - u**12
        if scores == "close":
            return min(max(centre + (u - 0.5) * 10.0 ** rng.randint(-12, -1), 0.0), 1.0)
        edge = rng.randint(0, bins) / bins
        return rng.choice([u, u, u, edge, math.nextafter(edge, 0), math.nextafter(edge, 1) if edge < 1 else 1.0])

    kind = rng.choice(["none", "none", "whole", "large", "fractions", "small", "mixed"])
    finest = 2.0**-20

    def weight():
        return {"none": lambda: 1.0,
                "whole": lambda: float(rng.randint(0, 5)),
                "large": lambda: float(rng.randint(1, 10**6)),
                "fractions": lambda: rng.randint(1, 64) / 16,
                "small": lambda: rng.choice([1 / 512, 1 / 1024, 3 / 4096, rng.randint(1, 4000) * finest]),
                "mixed": lambda: rng.choice([0.0, finest, 1 / 512, 0.25, 1.0, 1.5, 1000.0, 1e6])}[kind]()

    rate = rng.choice([None, 0.0, 1.0, 0.5])
    rows = []
    for _ in range(n):
        s = score()
        rows.append((s, int(rng.random() < (s if rate is None else rate)), weight()))
    total = sum(w for _, _, w in rows)
    if total < 1:  # weights must sum to 1 or more
        factor = 2.0 ** math.ceil(-math.log2(total)) if total > 0 else 0
        rows = [(s, y, w * factor if factor else 1.0) for s, y, w in rows]
    return Case(rows, bins, kind != "none", number % 25 == 0)


class Difference(Exception):
    pass


class Check:
    """Compares the measured lines of one case with what they should be."""

    def __init__(self, case, measured, counts):
        self.groups = exact.Groups([(Q(s), y, Q(w)) for s, y, w in case.rows])
        self.case, self.counts = case, counts
        self.lines = {(m["name"], m["norm"]): m for m in measured}
        self.doubtful = exact.near_an_edge(self.groups, case.bins)

    def number(self, what, found, want, tolerance=1e-12):
        if found is None or not abs(found - float(want)) <= tolerance * max(1, abs(float(want))):
            raise Difference(f"{what} is {found!r}, not {float(want)!r}")
        self.counts[what.split(":")[0]] += 1

    def line(self, name, norm, want, tolerance=1e-12):
        """want: a function that gives the value or raises Undefined. Returns the line if it has a value."""
        found = self.lines[name, norm]
        what = name if norm is None else f"{name}, norm {norm}"
        try:
            value = want()
        except exact.Undefined:
            if found["value"] is not None or not found["reason"]:
                raise Difference(f"{what} is {found['value']!r}, and should be undefined with a reason")
            self.counts[name] += 1
            return None
        if found["value"] is None:
            raise Difference(f"{what} is undefined ({found['reason']}), not {value!r}")
        self.number(f"{name}: norm {norm}", found["value"], value, tolerance)
        return found

    def bins(self, name, norm, b, by_mass):
        want = exact.bins_of(self.groups, b, by_mass)
        found = self.lines[name, norm]["per_bin"]
        if len(found) != len(want):
            raise Difference(f"{name} has {len(found)} bins, not {len(want)}")
        for bin_found, j in zip(found, sorted(want)):
            for key, value in zip(("count", "mean_score", "mean_label"), exact.sums(want[j])):
                self.number(f"{name}: {key} of bin {j}", bin_found[key], value)

    def run(self):
        for suffix, by_mass in (("_ew", False), ("_em", True)):
            if not (by_mass and self.doubtful):
                self.binned(suffix, by_mass)
            b = exact.sweep_bins(self.groups, by_mass)
            if b is None or by_mass and exact.near_an_edge(self.groups, b):
                self.counts["(sweeps left out)"] += 1
                continue
            for norm in (1, 2):
                found = self.line("sweep" + suffix, norm, lambda: exact.ece(self.groups, b, by_mass, norm))
                if found["bins"] != b:
                    raise Difference(f"sweep{suffix} chose {found['bins']} bins, not {b}")
            self.bins("sweep" + suffix, 1, b, by_mass)
        self.scores()
        if self.case.slow:
            self.smooth()

    def binned(self, suffix, by_mass):
        g, b = self.groups, self.case.bins
        for norm in (1, 2):
            self.line("ece" + suffix, norm, lambda: exact.ece(g, b, by_mass, norm))
            self.line("lb" + suffix, norm, lambda: exact.lb(g, b, by_mass, norm))
            self.bins("ece" + suffix, norm, b, by_mass)
        self.line("mce" + suffix, None, lambda: exact.mce(g, b, by_mass))
        # the root of a rounding is no rounding: the square is what can be compared. Where the weight of a bin is just
        # above 1, what is subtracted is divided by next to nothing.
        over = [float(w - 1) for w, _, _ in map(exact.sums, exact.bins_of(g, b, by_mass).values()) if w > 1]
        tolerance = 1e-12 + 1e-15 / min(over, default=1)
        name = "debias" + suffix
        found = self.line(name, 2, lambda: exact.root(max(exact.debias_squared(g, b, by_mass), Q(0))), tolerance**0.5)
        if found:
            want = exact.debias_squared(g, b, by_mass)
            self.number(name + ": squared", found["squared"], want, tolerance)
            self.number(name + ": value^2", found["value"] ** 2, max(want, Q(0)), tolerance)

    def scores(self):
        g = self.groups
        self.line("ks", None, lambda: exact.ks(g))
        self.line("accuracy", None, lambda: float(sum(h for _, _, h in g.all) / g.n))
        confidence = sum(s * w for s, w, _ in g.all) / g.n
        found = self.line("confidence", None, lambda: float(confidence))
        if g.n > 1:
            variance = sum(w * (s - confidence) ** 2 for s, w, _ in g.all) / g.n / (g.n - 1)
            self.number("confidence: se^2", found["se"] ** 2, variance, 1e-12 + 1e-15 / float(g.n - 1))
        found = self.line("brier", None, lambda: float(exact.brier(g)))
        for key, value in exact.brier_parts(g, self.case.bins).items():
            self.number("brier: " + key, found["parts"][key], value)
        self.line("nll", None, lambda: float(exact.nll(g)))
        parts = exact.corp_parts(g)
        found = self.line("corp", None, lambda: float(parts["brier_mcb"]))
        if found["parts"].keys() != parts.keys():
            raise Difference(f"corp has the parts {sorted(found['parts'])}, not {sorted(parts)}")
        for key, value in parts.items():
            self.number("corp: " + key, found["parts"][key], value)
        self.rank_poly()

    def rank_poly(self):
        if self.case.weighted and (self.groups.n > 200 or any(w not in (0, 1, 2, 3, 4, 5) for _, _, w in self.case.rows)):
            return  # exact fractions of such weights take too long
        try:
            terms = exact.rank_poly_terms(self.groups)
        except exact.Undefined:
            self.line("rank_poly", 2, lambda: exact.rank_poly_terms(self.groups))
            return
        found = self.lines["rank_poly", 2]
        gains = [float(d) - math.sqrt(max((k + 1) * n, 0)) for k, (d, n, _) in enumerate(terms)]
        chosen = found["parts"]["degree"]
        if gains[int(chosen)] < max(gains) - 1e-9:
            raise Difference(f"rank_poly chose degree {chosen} of gains {gains}")
        d, null, away = map(float, terms[int(chosen)])
        self.number("rank_poly: squared", found["squared"], d, 1e-10)
        self.number("rank_poly: se_null^2", found["parts"]["se_null"] ** 2, null, 1e-10)
        self.number("rank_poly: se^2", found["parts"]["se"] ** 2, away, 1e-10)
        if d > 1e-6:  # below, the spread of D is lost in the rounding of its terms
            self.number("rank_poly: value", found["value"], math.sqrt(d * (1 + away / (4 * (d * d + away)))), 1e-6)

    def smooth(self):
        for norm in (1, 2):
            self.line("kde", norm, lambda: smooth.kde(self.groups, norm), 1e-5)
        value = self.lines["smece", None]["value"]
        # at its own width, or at the smallest one if that is smaller, smECE is the value
        self.number("smece", value, smooth.smooth_error(self.groups, max(value, 1e-6)), 1e-6)


def as_csv(case):
    lines = ["confidence,correct,weight" if case.weighted else "confidence,correct"]
    for s, y, w in case.rows:
        lines.append(f"{s!r},{y},{w!r}" if case.weighted else f"{s!r},{y}")
    return "\n".join(lines) + "\n"


def by_program(program, case):
    run = subprocess.run([program, "measure", "-", "--json", "--no-interval", "--bins", str(case.bins), "--threads", "1",
                          *(["--weights", "weight"] if case.weighted else [])],
                         input=as_csv(case), capture_output=True, text=True)
    if run.returncode != 0:
        raise Difference(f"exit {run.returncode}: {run.stderr.strip()}")
    return json.loads(run.stdout)["estimates"]


def by_package(case):
    import numpy
    import tare
    scores, labels, weights = zip(*case.rows)
    made = tare.measure(confidences=numpy.array(scores), correct=numpy.array(labels),
                        weights=numpy.array(weights) if case.weighted else None, bins=case.bins, intervals=False, threads=1)
    return json.loads(made.to_json())["estimates"]


def trial(measure, case, counts):
    """The difference, or None."""
    try:
        Check(case, measure(case), counts).run()
    except Difference as difference:
        return str(difference)
    return None


def smallest(measure, case):
    """Leaves out rows as long as some difference remains."""
    shrinking = True
    while shrinking and len(case.rows) > 1:
        shrinking = False
        for i in range(len(case.rows)):
            fewer = case._replace(rows=case.rows[:i] + case.rows[i + 1:])
            if sum(w for _, _, w in fewer.rows) >= 1 and trial(measure, fewer, collections.Counter()):
                case, shrinking = fewer, True
                break
    return case


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", help="the program tare; without it the Python package is used")
    args = parser.parse_args()
    measure = (lambda case: by_program(args.program, case)) if args.program else by_package
    counts = collections.Counter()
    tried = collections.Counter()

    def one(number):
        case, mine = draw(args.seed, number), collections.Counter()
        return case, trial(measure, case, mine), mine

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() if args.program else 1) as pool:
        for number, (case, difference, mine) in enumerate(pool.map(one, range(args.cases))):
            if difference:
                pool.shutdown(wait=False, cancel_futures=True)
                case = smallest(measure, case)
                print(f"exact: case {number} of seed {args.seed}: {trial(measure, case, mine)}")
                print(f"exact: tare measure - --bins {case.bins} --no-interval, on\n{as_csv(case)}")
                return 1
            counts.update(mine)
            tried["rows"] += len(case.rows)
            tried["weighted"] += case.weighted
    print(f"exact: {args.cases} inputs (seed {args.seed}, {tried['weighted']} weighted, {tried['rows']} rows), "
          f"{sum(counts.values())} numbers compared, no difference")
    print("exact: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
