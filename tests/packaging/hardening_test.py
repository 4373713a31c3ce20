"""hardening_test.py FILE...: are these programs and libraries hardened (cmake/TareHardening.cmake)? By what readelf says of
them; without a file, of what release builds have left in build/. Exit code 77: there is none."""

import glob
import os
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *arguments], check=True, capture_output=True, text=True).stdout


def faults(path):
    header, segments, dynamic = (readelf(option, path) for option in ("-h", "-l", "-d"))
    if "DYN" not in next(line for line in header.splitlines() if "Type:" in line):
        yield "it is loaded at a fixed address"
    if "GNU_RELRO" not in segments:
        yield "no RELRO"
    if "BIND_NOW" not in dynamic and not any("FLAGS_1" in line and "NOW" in line for line in dynamic.splitlines()):
        yield "RELRO is not full: symbols are bound late"
    stack = [line for line in segments.splitlines() if "GNU_STACK" in line]
    if not stack or "RWE" in stack[0]:
        yield "its stack can be executed"
    if "NEEDED" not in dynamic:  # static and stripped: what it calls has no name
        return
    symbols = readelf("--dyn-syms", path)
    if "__stack_chk_fail" not in symbols:
        yield "no stack protector"
    if "_chk@" not in symbols.replace("__stack_chk_fail", ""):
        yield "not built with _FORTIFY_SOURCE"


def main():
    files = sys.argv[1:] or [path for name in ("release/tare", "dist/tare", "bench/tare", "release/libtare.so")
                             for path in glob.glob(os.path.join(ROOT, "build", name))]
    if not files:
        print("there is no release build")
        return 77
    wrong = [f"{path}: {fault}" for path in files for fault in faults(path)]
    print("\n".join(wrong) or "hardened: " + ", ".join(os.path.relpath(path) for path in files))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
