"""The rows in another order, and another number of threads: the same bits from every command and every calibrator."""
import json
import re
import tempfile
from pathlib import Path

import numpy as np

from networks import softmax
from trial import Tally

TIMES = re.compile(r'"(?:fit_)?seconds": ?[^,}\n]*|(?:data-v="[^"]*">)?\d[\d.]* (?:ms|s|min)\b|--threads \d+')  # what may differ


def folds(network, rows, rng):
    """Two folds with ties, equal rows and weights: what could betray an order."""
    with np.load(network) as file:
        z = {fold: file[f"{fold}_logits"][:rows] for fold in ("val", "test")}
        y = {fold: file[f"{fold}_labels"][:rows] for fold in ("val", "test")}
    for fold in z:
        z[fold] = np.concatenate([np.round(z[fold], 1), z[fold][:50], z[fold][:50]])
        y[fold] = np.concatenate([y[fold], y[fold][:50], y[fold][:50]])
    return z, y, {fold: rng.integers(1, 4, len(y[fold])) * 0.5 for fold in y}


def write_folds(path, z, y, w, how):
    """how: what the archive holds; two classes are class 0 against the rest."""
    arrays = {}
    for fold in z:
        p = softmax(z[fold].astype(np.float64))
        if how == "confidences":
            arrays |= {f"{fold}_confidences": p.max(axis=1), f"{fold}_correct": (p.argmax(axis=1) == y[fold]).astype(np.uint8)}
        elif how == "binary":
            arrays |= {f"{fold}_probs": p[:, 0], f"{fold}_labels": (y[fold] == 0).astype(np.int32)}
        elif how == "probs":
            arrays |= {f"{fold}_probs": p, f"{fold}_labels": y[fold]}
        else:
            arrays |= {f"{fold}_logits": z[fold], f"{fold}_labels": y[fold]}
        if w:
            arrays[f"{fold}_weights"] = w[fold]
    np.savez(path, **arrays)


def commands(how, methods):
    out = [["measure", "x.npz", "--json"], ["test", "x.npz", "--json", "--resamples", "99"],
           ["bbc", "x.npz", "--json", "--replicates", "20", "--n", "200"],
           ["compare", "x.npz", "--json", "--resamples", "50"],
           ["plot", "reliability", "x.npz", "-o", "OUT.svg"], ["plot", "compare", "x.npz", "-o", "OUT.svg"],
           ["report", "x.npz", "--replicates", "20", "-o", "OUT.html"]]
    if how in ("logits", "probs"):
        out.append(["measure", "x.npz", "--json", "--reduction", "classwise"])
    return out + [["fit", method, "x.npz", "-o", "OUT.json", "--quiet"] for method in methods]


def answer(program, folder, words, tally):
    ran = program.run(words, folder)
    if not tally.check(ran.code == 0, "order: did not run", ran):
        return None
    written = next((folder / w for w in words if w.startswith("OUT")), None)
    return TIMES.sub("", written.read_text() if written else ran.out)


def everything(program, root, short, seed=1):
    tally = Tally("order of rows and threads")
    rng = np.random.default_rng(seed)
    listed = json.loads(program.run(["list", "--json"], ".").out)
    methods = [m["name"] for m in listed["calibrators"]]
    z, y, w = folds(root / "data" / "resnet110_cifar10.npz", 400 if short else 3000, rng)
    moved = {fold: rng.permutation(len(y[fold])) for fold in y}
    with tempfile.TemporaryDirectory(prefix="tare-order-") as name:
        here, there = Path(name) / "here", Path(name) / "there"
        here.mkdir(), there.mkdir()
        cases = [("logits", None), ("probs", w), ("binary", w), ("confidences", None)]
        for how, weights in cases if short else cases + [("logits", w), ("probs", None), ("binary", None), ("confidences", w)]:
            write_folds(here / "x.npz", z, y, weights, how)
            write_folds(there / "x.npz", *({f: a[f][moved[f]] for f in a} if a else a for a in (z, y, weights)), how)
            for words in commands(how, methods):
                first = answer(program, here, [*words, "--threads", "1"], tally)
                second = answer(program, there, [*words, "--threads", "2"], tally)
                tally.check(first == second, f"tare {' '.join(words)} on {how}{' with weights' if weights else ''} depends on the order")
                tally.count("commands run twice")
    return tally
