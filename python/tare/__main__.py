"""The command line: the same program as the C++ one."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import tempfile
from pathlib import Path

from . import _tare


_OTHERS = (".parquet", ".pq", ".feather", ".arrow", ".ipc", ".h5", ".hdf", ".he5", ".xls")  # what the program does not read itself


def main() -> int:
    """``tare …``: runs the command line on the words of sys.argv and returns its exit code."""
    _find_samples()
    words = sys.argv[1:]
    if words[:1] == ["export"] and any(word.lower().endswith(".onnx") for word in words) and not {"-h", "--help"} & set(words):
        from ._onnx_command import run

        return run(words[1:])
    if not any(ending in word.lower() for word in words for ending in _OTHERS):
        return _run(words)
    from ._errors import Error
    from ._unpack import as_text

    with tempfile.TemporaryDirectory(prefix="tare-") as folder:
        try:
            words = as_text(words, folder)
        except Error as why:
            print(f"error: {why.message}", *([f"hint: {why.hint}"] if why.hint else []), sep="\n", file=sys.stderr)
            return 2
        return _run(words)


def _find_samples() -> None:
    """Where `tare demo` and `tare paper` look: in tare-data, where that is installed. One network comes with tare itself."""
    more = importlib.util.find_spec("tare_data")
    folder = Path(more.origin).parent if more and more.origin else Path(__file__).parent
    found = ["paper"] if more else []
    if more or ((folder / "data").is_dir() and sys.argv[1:2] != ["paper"]):  # the papers need all networks
        found.append("data")
    for name in found:
        variable = f"TARE_{name.upper()}"
        os.environ[variable] = os.environ.get(variable) or str(folder / name)  # empty is as good as unset


def _run(words: list[str]) -> int:
    old = signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's handler would wait for the answer
    try:
        return _tare.run(["tare", *words])
    finally:
        signal.signal(signal.SIGINT, old)


if __name__ == "__main__":
    sys.exit(main())
