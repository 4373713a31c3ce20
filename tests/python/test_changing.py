"""Arrays and files that change during a call: an answer or an error, never a signal."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tare

SCRIPT = Path(__file__).with_name("changing.py")


@pytest.mark.parametrize("seed", range(2))
def test_arrays_that_another_thread_writes_to(seed):
    done = subprocess.run([sys.executable, "-X", "faulthandler", str(SCRIPT), str(seed), "5"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    calls, refused = (int(word) for word in done.stdout.split() if word.isdigit())
    assert calls > refused, done.stdout  # or nothing was tried


def test_what_was_measured_does_not_change_with_the_array(binary):
    p, y = binary[0].copy(), binary[1].astype(np.int32)
    state = tare.State().update(probs=p, labels=y)
    before = state.measure(intervals=False).to_dict()
    p[:], y[:] = 0.5, 7
    assert state.measure(intervals=False).to_dict() == before
