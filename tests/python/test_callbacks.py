"""The callbacks for Lightning and for the Trainer of Hugging Face, where these are installed."""

import re
import runpy

import pytest
from conftest import ROOT


@pytest.mark.parametrize("example, package", [("lightning_callback", "lightning"), ("trainer_callback", "transformers")])
def test_a_callback_logs_and_repairs(example, package, capsys):
    pytest.importorskip("torch")
    pytest.importorskip(package)
    if package == "transformers":
        pytest.importorskip("accelerate")
    runpy.run_path(str(ROOT / "examples" / "python" / f"{example}.py"), run_name="__main__")
    out = capsys.readouterr().out
    assert re.search(r"last epoch: ece_ew 0\.\d+, brier 0\.\d+", out)
    assert float(re.search(r"temperature (\d+\.\d+)", out)[1]) > 1  # trained too long on too few rows: overconfident
    before, after = map(float, re.search(r"new data: ece_ew (\S+) -> (\S+)", out).groups())
    assert after < 0.6 * before
