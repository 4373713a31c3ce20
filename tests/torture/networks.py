"""A folder with the files that the README and the guides speak of, made from one network."""
import gzip
import json
import shutil
from pathlib import Path

import numpy as np


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def lay_out(network, folder, rows=None):
    """predictions.npz, model.npz and net.npz are the network itself, or its first rows; val.npz and test.npz its folds."""
    folder = Path(folder)
    with np.load(network) as file:
        folds = {name: file[name][:rows] for name in file.files}
    for name in ("predictions", "model", "net"):
        np.savez(folder / f"{name}.npz", **folds)
    z, y = folds["test_logits"], folds["test_labels"]
    np.savez(folder / "val.npz", logits=folds["val_logits"], labels=folds["val_labels"])
    np.savez(folder / "test.npz", logits=z, labels=y)
    shutil.copy(folder / "val.npz", folder / "january.npz")
    shutil.copy(folder / "test.npz", folder / "today.npz")
    np.save(folder / "test.npy", z)
    p = softmax(z.astype(np.float64))
    np.save(folder / "z.npy", z)
    np.save(folder / "new.npy", z)
    np.save(folder / "y.npy", y)
    np.save(folder / "p.npy", p)
    np.save(folder / "c.npy", p.max(axis=1))
    np.save(folder / "hit.npy", (p.argmax(axis=1) == y).astype(np.uint8))
    with open(folder / "table.csv", "w") as table:
        table.write(",".join(f"p_{j}" for j in range(p.shape[1])) + ",y\n")
        for row, label in zip(p[:500], y[:500]):
            table.write(",".join(repr(float(x)) for x in row) + f",{label}\n")


def lay_out_tables(folder):
    """The files of docs/guide/your_data.md, with rows of the network."""
    folder = Path(folder)
    p, y = np.load(folder / "p.npy")[:500], np.load(folder / "y.npy")[:500]
    (folder / "runs").mkdir()
    for name in ("first", "second"):
        shutil.copy(folder / "test.npz", folder / "runs" / f"{name}.npz")

    def table(name, head, rows):
        (folder / name).write_text("\n".join([",".join(head), *(",".join(str(x) for x in row) for row in rows)]) + "\n")

    classes, words = range(p.shape[1]), [f"class{j}" for j in range(p.shape[1])]
    table("pandas.csv", ["", *map(str, classes), "label"], [[i, *row, label] for i, (row, label) in enumerate(zip(p, y))])
    shutil.copy(folder / "pandas.csv", folder / "predictions")
    table("named.csv", [*words, "label"], [[*row, words[label]] for row, label in zip(p, y)])
    table("matches.csv", ["prob", "result"], [[row[0], "home" if label == 0 else "away"] for row, label in zip(p, y)])
    names = [f"p_{j}" for j in classes] + ["label"]
    table("rounded.csv", names, [[*(f"{x:.3f}" for x in row), label] for row, label in zip(p, y)])
    table("percent.csv", names, [[*(100 * row), label] for row, label in zip(p, y)])
    table("gaps.csv", names, [[*row, label if i % 50 else "NA"] for i, (row, label) in enumerate(zip(p, y))])
    grouped = [[*row, label, "ADE"[i % 3], 18 + i % 60] for i, (row, label) in enumerate(zip(p, y))]
    for name in ("predictions.csv", "day.csv"):
        table(name, [*names, "country", "age"], grouped)
    lines = [json.dumps({"label": int(label), "probs": row.tolist()}) for row, label in zip(p, y)]
    (folder / "answers.jsonl").write_text("\n".join(lines) + "\n")
    lines = [json.dumps({"confidence": row.max(), "correct": bool(row.argmax() == label)}) for row, label in zip(p, y)]
    (folder / "stated.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    z, labels = np.load(folder / "z.npy").astype("<f4"), np.load(folder / "y.npy").astype("<i8")
    head, blob = {}, b""
    for name, kind, a in (("logits", "F32", z), ("labels", "I64", labels)):
        head[name] = {"dtype": kind, "shape": list(a.shape), "data_offsets": [len(blob), len(blob) + a.nbytes]}
        blob += a.tobytes()
    text = json.dumps(head).encode()
    (folder / "net.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + blob)


def lay_out_made(program, folder):
    """What the program makes of the same rows, under the names of the pages: states, and a model in case none is recommended."""
    folder = Path(folder)
    program.run(["fit", "temperature", "net.npz", "-o", "best.json", "--quiet"], folder)
    (folder / "days").mkdir()
    program.run(["partial", "test.npz", "-o", "today.state"], folder)
    for name in ("2026-03-01", "2026-03-02", "days/2026-03-01", "days/2026-03-02"):
        shutil.copy(folder / "today.state", folder / f"{name}.state")
    program.run(["partial", "val.npz", "-o", "reference.state"], folder)
