"""What type checkers are told about the package is true of it."""

import subprocess
import sys

import pytest
from conftest import ROOT

pytest.importorskip("mypy")


@pytest.fixture
def config(tmp_path):
    """scikit-learn and pandas bring no types."""
    path = tmp_path / "mypy.ini"
    path.write_text("[mypy]\nignore_missing_imports = true\n[mypy-pandas.*]\nignore_missing_imports = true\n")
    return path


def run(words, where):
    done = subprocess.run([sys.executable, "-m", *map(str, words)], capture_output=True, text=True, cwd=where)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_typed_program_passes_strict_checks(config, tmp_path):
    program = ROOT / "tests" / "python" / "typed_program.py"
    run(["mypy", "--strict", "--config-file", config, "--cache-dir", tmp_path / "cache", program], tmp_path)


def test_stubs_describe_the_package(config, tmp_path):
    """Names, signatures and defaults. What scikit-learn adds to classes, and the extension module, have no stubs."""
    (tmp_path / "without_torch").write_text("tare._torch_maps\n")  # it is imported only where torch is
    run(["mypy.stubtest", "tare", "--ignore-missing-stub", "--mypy-config-file", config,
         "--allowlist", tmp_path / "without_torch", "--ignore-unused-allowlist"], tmp_path)
