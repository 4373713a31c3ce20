"""packaging/compare_bits.py --here PROGRAM --there "qemu-aarch64 PROGRAM" [--softmax HERE THERE]

Runs the same commands by two builds of tare and compares every number of their answers, models and states. Whole numbers, words and what
is counted, sorted or drawn must be the same; floats may differ by the limits below. A model gives the same bits on both
sides whoever has fitted it, and states of both sides merge to the same bytes on either.
"""
import argparse
import array
import json
import math
import shlex
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data"
GAMES, NETWORK = DATA / "games_test.csv", DATA / "resnet110_cifar10.npz"
CALIBRATORS = {  # name: options
    "temperature": "", "vector": "", "matrix": "--max-iterations 30", "dirichlet": "--max-iterations 30", "platt": "", "beta": "",
    "isotonic": "", "histogram": "", "bbq": "", "ensemble_temperature": "", "scaling_binning": "", "prior_shift": f"--prior-from {NETWORK}",
}
# Scores that are given, or drawn: no softmax. Counts, ranks and p-values are the same; an estimate may round once more.
GIVEN = {
    "measure, probabilities": f"measure {GAMES} --json --threads 2",
    "test, probabilities": f"test {GAMES} --json --threads 2",
    "measure, groups": f"measure {DATA / 'mmlu_llama13b.csv'} --group subject --no-interval --json --threads 2",
    "bbc, drawn samples": "bbc --model resnet110_c10 --n 200,1000 --replicates 50 --json --threads 2",
}
# With logits every score has gone through exp().
CLOSE = {
    "measure, logits": f"measure {NETWORK} --json --threads 2",
    "test, logits": f"test {NETWORK} --json --threads 2",
    "classwise, logits": f"measure {NETWORK} --reduction classwise --no-interval --json --threads 2",
}
GIVEN_LIMIT, CLOSE_LIMIT = 1e-13, 1e-9  # of floats: absolute up to 1, relative above


class Side:
    def __init__(self, words, folder):
        self.words, self.folder = [str(Path(w).resolve()) if "/" in w else w for w in shlex.split(words)], Path(folder)

    def run(self, command):
        done = subprocess.run([*self.words, *shlex.split(command)], capture_output=True, cwd=self.folder, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit(f"{' '.join(self.words)} {command}: exit {done.returncode}\n{done.stderr.decode()}")
        return done.stdout.decode()


def ordered(x):
    """A whole number for each double, in their order: neighbours differ by 1."""
    bits = struct.unpack("<q", struct.pack("<d", x))[0]
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def ulps(a, b):
    return abs(ordered(a) - ordered(b))


class Found:
    """What a comparison has found: numbers that are the same, floats that are close, and the rest."""

    def __init__(self):
        self.count, self.floats, self.others = 0, [], []

    def take(self, a, b, where=""):
        if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
            for key in a:
                self.take(a[key], b[key], f"{where}.{key}")
        elif isinstance(a, (list, array.array)) and isinstance(b, (list, array.array)) and len(a) == len(b):
            for i, (x, y) in enumerate(zip(a, b)):
                self.take(x, y, f"{where}[{i}]")
        elif isinstance(a, float) and isinstance(b, float):
            self.count += 1
            if struct.pack("<d", a) != struct.pack("<d", b):
                self.floats.append((abs(a - b) / max(abs(a), abs(b), 1.0), ulps(a, b), where, a, b))
        else:
            self.count += 1
            if a != b or type(a) is not type(b):
                self.others.append((where, a, b))

    def judge(self, name, limit, faults, single=False):
        worst = max(self.floats, key=lambda f: (math.isnan(f[0]), f[0]), default=None)
        same = self.count - len(self.floats) - len(self.others)
        units = max((f[1] for f in self.floats), default=0) / (2**29 if single else 1)
        far = f"; the others within {worst[0]:.1e}, {units:.3g} units in the last place{' of float32' if single else ''} ({worst[2]})" if worst else ""
        print(f"{name:36} {same:7} of {self.count:7} numbers and words the same{far}", flush=True)
        faults += [f"{name}: {where} is {a!r} here and {b!r} there" for where, a, b in self.others[:3]]
        if worst and not worst[0] <= limit:
            faults.append(f"{name}: {worst[2]} is {worst[3]!r} here and {worst[4]!r} there")


def compare(name, a, b, limit, faults, single=False):
    found = Found()
    found.take(a, b)
    found.judge(name, limit, faults, single)


def answer(text):
    out = json.loads(text)
    for key in ("command", "seconds", "version", "tare"):
        out.pop(key, None)
    return out


def npy(path):
    """The float64 numbers of a .npy file."""
    raw = path.read_bytes()
    assert raw[:6] == b"\x93NUMPY" and b"'<f8'" in raw[:128]
    return array.array("d", raw[10 + struct.unpack("<H", raw[8:10])[0]:])


def softmax(programs, faults):
    """What softmax_bits.cpp prints: for each kind of row its name, and five columns of float64."""
    texts = [subprocess.run(shlex.split(words), capture_output=True, check=True).stdout for words in programs]
    for here, there in zip(*(text.split(b"\n\n") for text in texts)):
        (name, *columns), (_, *others) = here.decode().split("\n"), there.decode().split("\n")
        for one, two in zip(columns, others):
            what, *a = one.split()
            a, b = [float.fromhex(x) for x in a], [float.fromhex(x) for x in two.split()[1:]]
            single = "float32" in name
            compare(f"{name}: {what}", a, b, 0.0 if what == "argmax" else 1e-5 if single else 1e-13, faults, single)


def models(here, there, faults):
    for method, options in CALIBRATORS.items():
        for side in (here, there):
            side.run(f"fit {method} {NETWORK} {options} -o {method}.json --quiet --threads 2")
        fitted = [json.loads((side.folder / f"{method}.json").read_text()) for side in (here, there)]
        # A score that differs in its last bit may fall into another bin: then lists have other lengths, and what counts is what the maps do.
        compare(f"fit {method}, parameters", *(m["parameters"] for m in fitted), math.inf, [])
        maps = []
        for owner in (here, there):
            for side in (here, there):
                side.run(f"apply {owner.folder / f'{method}.json'} {NETWORK} -o {method}.npy --quiet")
            one, two = ((side.folder / f"{method}.npy").read_bytes() for side in (here, there))
            word = "the same bytes" if one == two else "other bytes"
            print(f"apply {method}, model fitted {'here' if owner is here else 'there'}: {word}", flush=True)
            if one != two:
                compare(f"apply {method}", *(npy(side.folder / f"{method}.npy") for side in (here, there)), 0.0, faults)
            maps.append(npy(here.folder / f"{method}.npy"))
        compare(f"apply {method}, both models here", *maps, 1e-6, faults)


def states(here, there, faults):
    for name, data in (("probabilities", [GAMES, DATA / "games_val.csv"]), ("logits", [NETWORK, f"{NETWORK} --split val"])):
        for side in (here, there):
            for i, part in enumerate(data):
                side.run(f"partial {part} -o {name}{i}.state --quiet")
        same = all((here.folder / f"{name}{i}.state").read_bytes() == (there.folder / f"{name}{i}.state").read_bytes() for i in (0, 1))
        print(f"states of {name}, made here and there: {'the same bytes' if same else 'other bytes'}")
        if name == "probabilities" and not same:
            faults.append("the states of the same probabilities differ")
        # One part from here and one from there, merged on each.
        for side in (here, there):
            side.run(f"merge {here.folder / f'{name}0.state'} {there.folder / f'{name}1.state'} -o both.state --quiet")
        equal = (here.folder / "both.state").read_bytes() == (there.folder / "both.state").read_bytes()
        print(f"a state of {name} from each, merged here and there: {'the same bytes' if equal else 'other bytes'}")
        if not equal:
            faults.append(f"merged states of {name} differ")
        answers = [answer(side.run(f"measure {here.folder / 'both.state'} --json --threads 2")) for side in (here, there)]
        compare(f"measure, merged states of {name}", *answers, GIVEN_LIMIT, faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--here", required=True)
    parser.add_argument("--there", required=True)
    parser.add_argument("--softmax", nargs=2)
    a = parser.parse_args()
    faults = []
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        here, there = Side(a.here, one), Side(a.there, two)
        if a.softmax:
            softmax(a.softmax, faults)
        for table, limit in ((GIVEN, GIVEN_LIMIT), (CLOSE, CLOSE_LIMIT)):
            for name, command in table.items():
                compare(name, *(answer(side.run(command)) for side in (here, there)), limit, faults)
        models(here, there, faults)
        states(here, there, faults)
    print(*faults, sep="\n")
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
