"""The JSON of every command, compared field by field with what is kept in tests/golden/commands.

Those files were made by another build than the one that is tested: `python tests/torture/same.py PROGRAM` makes them
with PROGRAM, which should be the one of before a change that must change nothing. Numbers may differ by what another
processor may change (docs/methods/bits.md); times and the version are left out.
"""
import gzip
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from trial import Tally

ROOT = Path(__file__).resolve().parent.parent.parent
KEPT = ROOT / "tests" / "golden" / "commands"
SAMPLE = "tests/golden/commands/rows.csv"  # 400 rows: confidence, hit, weight
LEFT_OUT = {"seconds", "fit_seconds", "tare"}  # times, and the version
RELATIVE, ABSOLUTE = 1e-9, 1e-13
FITTED = 1e-6  # parameters of iterative fits: the optimum is certified by its gradient, not by its last digits

CONFIDENCES = f"--confidences {SAMPLE}:confidence --correct {SAMPLE}:correct"
COMMANDS = {
    "list": "list --json",
    "demo": "demo --json",
    "measure": "measure data/resnet110_cifar10.npz --json",
    "measure_val": "measure data/lenet5_cifar10.npz --split val --bins 10 --norm 1 --seed 7 --json",
    "measure_100": "measure data/wrn32_4_cifar100.npz --no-interval --json",
    "measure_some": "measure data/densenet40_cifar10.npz --estimators sweep_em,rank_poly,corp,kde,smece --json",
    "measure_classwise": "measure data/lenet5_cifar10.npz --reduction classwise --estimators ece_ew,debias_em,brier --json",
    "measure_confidences": f"measure {CONFIDENCES} --json",
    "measure_weights": f"measure {CONFIDENCES} --weights {SAMPLE}:weight --json",
    "measure_positive": f"measure --probs {SAMPLE}:confidence --labels {SAMPLE}:correct --reduction positive --json",
    "measure_bias": f"measure {CONFIDENCES} --bias --estimators ece_ew,rank_poly --json",
    "test": "test data/resnet110_cifar10.npz --json",
    "test_gate": f"test {CONFIDENCES} --gate --alpha 0.01 --power 0.8 --resamples 499 --json",
    "test_some": "test data/lenet5_cifar10.npz --statistic rank_poly,ks,cox_slope --no-detectable --json",
    "test_weights": f"test {CONFIDENCES} --weights {SAMPLE}:weight --resamples 199 --json",
    "bbc_model": "bbc --model resnet110_c10 --n 200,1000 --replicates 50 --json",
    "bbc_perfect": "bbc --model resnet110_c10 --perfect --n 500 --replicates 20 --norm 1 --json",
    "bbc_curve": "bbc --beta 2,0.5 --curve logit_logit:0.1,0.8 --n 300 --replicates 40 --estimators ece_em,sweep_ew,kde --json",
    "bbc_data": f"bbc {CONFIDENCES} --replicates 60 --estimators ece_ew,rank_poly --json",
    "bbc_empirical": f"bbc {CONFIDENCES} --scores empirical --fitted-curve isotonic --replicates 40 --estimators ece_ew --json",
    "compare": "compare data/lenet5_cifar10.npz --methods temperature,platt,histogram,isotonic --json",
    "compare_nll": "compare data/resnet110_cifar10.npz --methods temperature,vector --criterion nll --folds 3 --resamples 200 --seed 3 --json",
    "compare_one_fold": f"compare {CONFIDENCES} --methods platt,beta,bbq,scaling_binning --resamples 300 --json",
    "fit_temperature": "fit temperature data/resnet110_cifar10.npz --json",
    "fit_vector": "fit vector data/lenet5_cifar10.npz --json",
    "fit_matrix": "fit matrix data/lenet5_cifar10.npz --lambda 0.01 --mu 0.01 --json",
    "fit_dirichlet": "fit dirichlet data/lenet5_cifar10.npz --lambda 0.01 --mu 0.01 --json",
    "fit_platt": "fit platt data/lenet5_cifar10.npz --smooth-targets --json",
    "fit_beta": f"fit beta --probs {SAMPLE}:confidence --labels {SAMPLE}:correct --json",
    "fit_isotonic": "fit isotonic data/lenet5_cifar10.npz --shape step --json",
    "fit_histogram": "fit histogram data/lenet5_cifar10.npz --bins 10 --binning mass --json",
    "fit_bbq": f"fit bbq --probs {SAMPLE}:confidence --labels {SAMPLE}:correct --json",
    "fit_scaling_binning": "fit scaling_binning data/lenet5_cifar10.npz --share-rows --json",
    "fit_ensemble_temperature": "fit ensemble_temperature data/resnet110_cifar10.npz --json",
    "paper": "paper fig2b --quick --json -o out",
}


def rows_csv():
    """400 rows with ties, ones and zeros, without a random number."""
    lines = ["confidence,correct,weight"]
    for i in range(400):
        u = (i * 0.6180339887498949) % 1
        score = 0.0 if i % 97 == 5 else 1.0 if i % 41 == 7 else round(0.5 + 0.5 * u, 2 if i % 3 else 6)
        hit = int((i * 0.7548776662466927) % 1 < score ** 1.6)
        lines.append(f"{score},{0 if score == 0 else hit},{1 + i % 4 * 0.5}")
    return "\n".join(lines) + "\n"


def workplace():
    """A folder that sees the data under the names of COMMANDS."""
    folder = tempfile.TemporaryDirectory(prefix="tare-same-")
    for name in ("data", "tests"):
        (Path(folder.name) / name).symlink_to(ROOT / name)
    return folder


def answer(program, command, folder):
    words = [str(program), *command.split()]
    if words[1] != "list":
        words += ["--threads", "2", "--quiet"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command}: exit {done.returncode}: {done.stderr.strip()}")
    out = json.loads(done.stdout)
    if words[1] == "demo":  # where the networks are is another matter
        out["input"]["source"] = Path(out["input"]["source"]).name
    return out


def differences(kept, now, fitted, at=""):
    """Paths of the fields that are not the same."""
    if isinstance(kept, dict) and isinstance(now, dict):
        for key in sorted(kept.keys() | now.keys()):
            if key in LEFT_OUT:
                continue
            if key not in kept or key not in now:
                yield f"{at}.{key}: only in the {'new' if key in now else 'kept'} one"
            else:
                yield from differences(kept[key], now[key], fitted, f"{at}.{key}")
    elif isinstance(kept, list) and isinstance(now, list):
        if len(kept) != len(now):
            yield f"{at}: {len(kept)} entries became {len(now)}"
        for i, (a, b) in enumerate(zip(kept, now)):
            yield from differences(a, b, fitted, f"{at}[{i}]")
    elif isinstance(kept, float) and isinstance(now, (int, float)) and not isinstance(now, bool):
        if at.endswith(".gradient") and abs(now) <= 1e-6:
            return
        if not math.isclose(kept, now, rel_tol=FITTED if fitted else RELATIVE, abs_tol=FITTED if fitted else ABSOLUTE):
            yield f"{at}: {kept!r} became {now!r}"
    elif kept != now or type(kept) is not type(now):
        yield f"{at}: {kept!r} became {now!r}"


def everything(program):
    tally = Tally("the JSON of every command")
    with workplace() as folder:
        for name, command in COMMANDS.items():
            with gzip.open(KEPT / f"{name}.json.gz", "rt") as file:
                kept = json.load(file)
            try:
                now = answer(program.path, command, folder)
                found = list(differences(kept, now, name.startswith(("fit_", "compare"))))
            except (RuntimeError, ValueError) as e:
                found = [str(e)]
            tally.check(not found, f"tare {command}: {len(found)} fields differ: {'; '.join(found[:3])}")
            tally.count("commands")
    return tally


def make(program):
    (ROOT / SAMPLE).write_text(rows_csv())
    with workplace() as folder:
        for name, command in COMMANDS.items():
            text = json.dumps(answer(program, command, folder), separators=(",", ":"))
            (KEPT / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
            print(f"{name}: {len(text)} characters", flush=True)


if __name__ == "__main__":
    make(sys.argv[1])
