"""What is made from the package is current, and the examples run."""

import re
import runpy
import subprocess
import sys

import pytest
from conftest import ROOT


def test_stub_and_reference_are_current():
    pytest.importorskip("sklearn")
    done = subprocess.run([sys.executable, ROOT / "docs" / "python_reference.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name, words", [("logits", "fit converged"), ("scikit_learn", "repaired"), ("how_much_is_real", "within noise")])
def test_examples_run(name, words, capsys, monkeypatch):
    if name == "scikit_learn":
        pytest.importorskip("sklearn")
    monkeypatch.setattr(sys, "argv", [name])
    runpy.run_path(str(ROOT / "examples" / "python" / f"{name}.py"), run_name="__main__")
    assert words in capsys.readouterr().out


def python_blocks(name):
    """[(code, what the page shows under it or None)]."""
    text = (ROOT / name).read_text(encoding="utf-8")
    parts = text.split("```python\n")[1:]
    return [(part.split("```")[0], shown[0] if (shown := re.findall(r"\A\s*```text\n(.*?)```", part.split("```", 1)[1], re.S)) else None)
            for part in parts]


@pytest.mark.parametrize("name, words", [("README.md", "too high"), ("docs/tutorial.md", "too high"),
                                         ("docs/guide/python.md", "Overconfident")])
def test_first_snippet_of_a_page_runs(name, words, capsys, monkeypatch):
    """As it stands, and it prints what the page shows."""
    pytest.importorskip("pandas")
    monkeypatch.chdir(ROOT)
    code, shown = python_blocks(name)[0]
    exec(compile(code, name, "exec"), {})  # noqa: S102
    out = capsys.readouterr().out
    assert words in out
    assert shown is None or out == shown
