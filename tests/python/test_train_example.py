"""examples/train_cifar/train.py runs: on generated images, and on files in the form of CIFAR's. Skipped without PyTorch."""

import csv
import importlib.util
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tare

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="no PyTorch")
ROOT = Path(__file__).parents[2]


def train(folder, *words):
    done = subprocess.run([sys.executable, ROOT / "examples/train_cifar/train.py", *words, "--out", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with open(folder / "training_runs.csv") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("arch, dataset", [("lenet5", "cifar10"), ("resnet8", "cifar100"), ("densenet40", "cifar10")])
def test_one_step_on_generated_images(tmp_path, arch, dataset):
    rows = train(tmp_path, arch, dataset, "--smoke", "--curve")
    with open(ROOT / "data/training_runs.csv") as file:
        assert list(rows[0]) == next(csv.reader(file))
    written = np.load(tmp_path / f"{arch}_{dataset}.npz")
    classes = 10 if dataset == "cifar10" else 100
    assert written["val_logits"].shape == (6, classes) and written["test_logits"].shape == (30, classes)
    answer = tare.measure(tmp_path / f"{arch}_{dataset}.npz", estimators=["accuracy"])
    assert float(rows[0]["test_acc"]) == pytest.approx(answer["accuracy"].value, abs=1e-5)
    assert len(list(tmp_path.glob("training_curve_*.csv"))) == 1


def test_files_in_the_form_of_cifar_are_read(tmp_path):
    folder = tmp_path / "cifar-10-batches-py"
    folder.mkdir()
    draw = np.random.default_rng(1)
    for name in [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]:
        images = draw.integers(0, 256, (20, 3072), dtype=np.uint8)
        with open(folder / name, "wb") as file:
            pickle.dump({b"data": images, b"labels": list(range(10)) * 2}, file)
    rows = train(tmp_path / "out", "lenet5", "cifar10", "--data", tmp_path, "--epochs", "2", "--schedule", "step", "--batch", "32")
    assert rows[0]["epochs"] == "2"
    written = np.load(tmp_path / "out" / "lenet5_cifar10.npz")
    assert len(written["val_labels"]) == 10 and sorted(written["test_labels"]) == sorted(list(range(10)) * 2)
