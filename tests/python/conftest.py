"""Data for all tests: a network that ships with the project, and a small binary problem."""

import importlib
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def network():
    """val_ and test_ logits and labels of a ResNet-110 on CIFAR-10."""
    with np.load(ROOT / "data" / "resnet110_cifar10.npz") as file:
        return {name: file[name] for name in file.files}


@pytest.fixture(scope="session")
def binary():
    """Overconfident scores with ties, and labels: (p, y)."""
    rng = np.random.default_rng(7)
    p = np.round(rng.beta(2, 1, 4000), 3)
    return p, (rng.random(4000) < p**1.5).astype(np.int64)


@pytest.fixture(scope="session")
def program():
    """The C++ program: calls it with words, returns its output."""
    path = os.environ.get("TARE_PROGRAM") or shutil.which("tare", path=str(ROOT / "build" / "dev"))
    if not path:
        pytest.skip("the C++ program is not built")

    def run(*words, check=True):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True, cwd=ROOT)
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    return run


def pytest_configure():
    """A test that needs more than NumPy and pytest says so by importorskip. Where tare is installed with these alone (packaging/test_wheel.sh
    says so) it is skipped; elsewhere what most of these tests compare with must be there, so that none is skipped by accident."""
    if not os.environ.get("TARE_NUMPY_ONLY"):
        for name in ("matplotlib", "pandas", "scipy", "sklearn"):
            importlib.import_module(name)
