"""A folder with the files that the README and the guides speak of, made from one network."""
import shutil
from pathlib import Path

import numpy as np


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def lay_out(network, folder):
    """predictions.npz, model.npz and net.npz are the network itself, val.npz and test.npz its folds."""
    folder = Path(folder)
    for name in ("predictions", "model", "net"):
        shutil.copy(network, folder / f"{name}.npz")
    with np.load(network) as file:
        z, y = file["test_logits"], file["test_labels"]
        np.savez(folder / "val.npz", logits=file["val_logits"], labels=file["val_labels"])
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


def lay_out_states(program, folder):
    """States of the same rows, under the names of the pages."""
    folder = Path(folder)
    (folder / "days").mkdir()
    program.run(["partial", "test.npz", "-o", "today.state"], folder)
    for name in ("2026-03-01", "2026-03-02", "days/2026-03-01", "days/2026-03-02"):
        shutil.copy(folder / "today.state", folder / f"{name}.state")
    program.run(["partial", "val.npz", "-o", "reference.state"], folder)
