"""The command line: the same program as the C++ one."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from . import _tare


def main() -> int:
    """``tare …``: runs the command line on the words of sys.argv and returns its exit code."""
    data = Path(__file__).parent / "data"
    if data.is_dir():  # for `tare demo`
        os.environ.setdefault("TARE_DATA", str(data))
    old = signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's handler would wait for the answer
    try:
        return _tare.run(["tare", *sys.argv[1:]])
    finally:
        signal.signal(signal.SIGINT, old)


if __name__ == "__main__":
    sys.exit(main())
