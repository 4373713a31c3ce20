"""Makes state.csv: the cells of running states, straight from their definition in rational numbers.

    python tests/golden/state_reference.py > tests/golden/state.csv

A row "case" names rows (a recipe that tests/state/cells_test.cpp repeats), their number, the most cells and the bins, and
gives the step (53: every score by itself). The rows "cell" that follow are its cells in ascending order: mass, hits, sum of scores in units of 2^-46, and the score where there is only one.
"""

from fractions import Fraction


def splitmix(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        yield z ^ (z >> 31)


def shaped(recipe, u):
    """A score from a uniform one, by single roundings only."""
    for _ in range({"small": 6, "large": 4}.get(recipe, 0)):
        u = u * u
    if recipe == "large":
        return 1.0 - u
    return float(int(u * 64)) / 64 if recipe == "tied" else u


def special():
    ends = [0.0, 5e-324, 2.0**-1022, 2.0**-49, 2.0**-48, 2.0**-8, 2.0**-4, 0.5 - 2.0**-54, 0.5]
    return ends + [1 - p for p in ends if 1 - p != 0.5] + [j / 15 for j in range(1, 15)]


def rows(recipe, n):
    draw = splitmix(18)
    given = special() if recipe == "special" else []
    for i in range(n):
        u = (next(draw) >> 11) * 2.0**-53
        yield (given[i] if i < len(given) else shaped(recipe, u)), next(draw) % 4 < 3


def place(p, step):
    if step == 53:
        return p
    p = Fraction(p)
    q = min(p, 1 - p)
    if q == 0:
        return p
    tier = sum(Fraction(1, 2 ** (4 * i)) > q for i in range(1, 13))
    return p > Fraction(1, 2), tier, q * 2 ** (step + 3 * tier) // 1


def state(data, most, bins):
    edges = [j / bins for j in range(1, bins)]
    bin_of = {p: sum(p > e for e in edges) for p, _ in data}
    for step in range(53, 3, -1):
        cell_of = {p: (place(p, step), bin_of[p]) for p in bin_of}
        if len(set(cell_of.values())) <= most:
            break
    cells = {}
    for p, y in sorted(data):
        cells.setdefault(cell_of[p], []).append((p, y))
    return step, list(cells.values())


def fixed(x):
    return round(Fraction(x) * 2**46)


def main():
    for recipe, n, most, bins in [("uniform", 200, 256, 15), ("uniform", 4000, 256, 15), ("uniform", 4000, 512, 100),
                                  ("small", 4000, 256, 15), ("large", 4000, 256, 7), ("tied", 4000, 256, 15),
                                  ("special", 30, 256, 15), ("special", 4000, 256, 15), ("small", 1000, 300, 1)]:
        data = list(rows(recipe, n))
        step, cells = state(data, most, bins)
        print("case", recipe, n, most, bins, step, sep=",")
        for cell in cells:
            only = {p for p, _ in cell}
            print("cell", len(cell), sum(y for _, y in cell), sum(fixed(p) for p, _ in cell),
                  only.pop().hex() if len(only) == 1 else "", sep=",")


if __name__ == "__main__":
    main()
