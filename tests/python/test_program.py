"""`python -m tare` and the console script: the C++ program."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

COMMANDS = [["list"], ["--version"], ["--help"], ["measure", "data/resnet110_cifar10.npz", "--no-interval"],
            ["measure", "nothing.npz"], ["mesure"], [],
            ["test", "data/resnet110_cifar10.npz", "--gate", "--statistic", "ks", "--resamples", "99", "--no-detectable"]]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda w: " ".join(w) or "nothing")
@pytest.mark.parametrize("start", [[sys.executable, "-m", "tare"], [str(Path(sys.executable).parent / "tare")]], ids=["module", "script"])
def test_it_is_the_same_program(start, words):
    original = os.environ.get("TARE_PROGRAM") or str(ROOT / "build" / "dev" / "tare")
    if not Path(original).exists():
        pytest.skip("the C++ program is not built")

    def run(program):
        done = subprocess.run([*program, *words], capture_output=True, cwd=ROOT)
        return done.returncode, done.stdout, done.stderr

    assert run(start) == run([original])


def test_the_demo_brings_its_network(tmp_path):
    words = [sys.executable, "-m", "tare", "demo", "--no-interval", "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "TARE_DATA": ""})
    assert done.returncode == 0 and "ece_ew" in done.stdout


def test_ctrl_c_belongs_to_python_again_after_the_program():
    code = """
import os, signal, sys, time
from tare import _tare
_tare.run(["tare", "bbc", "--model", "resnet110_c10", "--n", "50", "--replicates", "2", "--estimators", "ece_ew", "--quiet"])
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)
except KeyboardInterrupt:
    sys.exit(17)
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT).returncode == 17
