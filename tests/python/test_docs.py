"""What is made from the package is current, and the examples run."""

import runpy
import subprocess
import sys

import pytest
from conftest import ROOT


def test_stub_and_reference_are_current():
    done = subprocess.run([sys.executable, ROOT / "docs" / "python_reference.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name, words", [("logits", "fit converged"), ("scikit_learn", "repaired"), ("how_much_is_real", "within noise")])
def test_examples_run(name, words, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [name])
    runpy.run_path(str(ROOT / "examples" / "python" / f"{name}.py"), run_name="__main__")
    assert words in capsys.readouterr().out


def test_readme_snippet_runs(capsys):
    """The first Python block of the README, as it stands."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102
    assert "Overconfident" in capsys.readouterr().out
