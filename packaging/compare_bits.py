"""packaging/compare_bits.py --here PROGRAM --there "qemu-aarch64 PROGRAM"

Runs the same commands by two builds of tare and compares every number of their answers, models and states. Whole numbers, words and what
is counted, sorted or drawn must be the same; a float may differ as far as LIMIT says. Models and states of one must work in the other.
"""
import argparse
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
CALIBRATORS = ("temperature", "vector", "histogram", "isotonic", "platt", "beta", "bbq", "scaling_binning")
# No softmax: these must be the same to the last bit. The files are a table of probabilities, and states of it.
EXACT = {
    "measure, probabilities": f"measure {GAMES} --json",
    "measure, groups": f"measure {DATA / 'mmlu_llama13b.csv'} --group subject --no-interval --json",
    "bbc, drawn samples": "bbc --model resnet110_c10 --n 200,1000 --replicates 50 --json",
}
# With logits every probability has gone through exp().
CLOSE = {
    "measure, logits": f"measure {NETWORK} --json",
    "test, logits": f"test {NETWORK} --json",
    "classwise, logits": f"measure {NETWORK} --reduction classwise --no-interval --json",
}
LIMIT = 1e-9  # relative, of what is computed from logits


class Side:
    def __init__(self, words, folder):
        self.words, self.folder = shlex.split(words), Path(folder)
        self.words = [str(Path(w).resolve()) if "/" in w else w for w in self.words]

    def run(self, command):
        done = subprocess.run([*self.words, *shlex.split(command), "--threads", "2"], capture_output=True, text=True, cwd=self.folder)
        if done.returncode != 0:
            sys.exit(f"{command}: exit {done.returncode}\n{done.stderr}")
        return done.stdout


def ulps(a, b):
    """How many doubles lie between."""
    whole = [struct.unpack("<q", struct.pack("<d", x))[0] for x in (a, b)]
    return abs(whole[0] - whole[1])


def compare(a, b, where, found):
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for key in a:
            compare(a[key], b[key], f"{where}.{key}", found)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            compare(x, y, f"{where}[{i}]", found)
    elif isinstance(a, float) and isinstance(b, float):
        found["numbers"] += 1
        if a != b:
            far = abs(a - b) / max(abs(a), abs(b))
            found["floats"].append((far, ulps(a, b), where, a, b))
    else:
        found["numbers"] += 1
        if a != b or type(a) is not type(b):
            found["others"].append((where, a, b))


def numbers(text):
    """JSON, or one number or word per cell of a CSV file; what names a program or a time is left out."""
    try:
        out = json.loads(text)
    except json.JSONDecodeError:
        return [[float(c) if c.replace(".", "").replace("e-", "").isdigit() else c for c in line.split(",")] for line in text.splitlines()]
    for key in ("command", "seconds", "version"):
        if isinstance(out, dict):
            out.pop(key, None)
    return out


def judge(name, here, there, limit, faults):
    found = {"numbers": 0, "floats": [], "others": []}
    compare(numbers(here), numbers(there), "", found)
    worst = max(found["floats"], default=(0.0, 0, "", 0, 0))
    same = found["numbers"] - len(found["floats"]) - len(found["others"])
    print(f"{name:32} {same:6} of {found['numbers']:6} the same" +
          (f", others within {worst[0]:.1e} ({worst[1]} ulp, {worst[2]})" if found["floats"] else ""), flush=True)
    faults += [f"{name}: {where} is {a!r} here and {b!r} there" for where, a, b in found["others"]]
    if worst[0] > limit or math.isnan(worst[0]):
        faults.append(f"{name}: {worst[2]} is {worst[3]!r} here and {worst[4]!r} there")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--here", required=True)
    parser.add_argument("--there", required=True)
    a = parser.parse_args()
    faults = []
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        here, there = Side(a.here, one), Side(a.there, two)
        for table, limit in ((EXACT, 0.0), (CLOSE, LIMIT)):
            for name, command in table.items():
                judge(name, here.run(command), there.run(command), limit, faults)
        for method in CALIBRATORS:
            for side in (here, there):
                side.run(f"fit {method} {NETWORK} -o {method}.json")
            models = [(side.folder / f"{method}.json").read_text() for side in (here, there)]
            judge(f"fit {method}", *models, LIMIT, faults)
            # Each applies the model of the other.
            answers = [side.run(f"apply {other.folder / f'{method}.json'} {NETWORK} -o -")
                       for side, other in ((here, there), (there, here), (here, here))]
            judge(f"apply {method}, their model", answers[1], answers[2], LIMIT, faults)
            judge(f"apply {method}, on each", answers[0], answers[1], 1e-6, faults)
        for name, data in (("probabilities", GAMES), ("logits", NETWORK)):
            for side in (here, there):
                side.run(f"partial {data} -o {name}.state")
            states = [side.folder / f"{name}.state" for side in (here, there)]
            equal = states[0].read_bytes() == states[1].read_bytes()
            print(f"state of {name}: {'the same bytes' if equal else 'other bytes'}")
            if name == "probabilities" and not equal:
                faults.append("the states of the same probabilities differ")
            answers = [side.run(f"measure {states[0]} --json") for side in (here, there)]
            judge(f"measure, state of {name}", *answers, 0.0, faults)
    print(*faults, sep="\n")
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
