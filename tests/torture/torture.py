"""tests/torture/torture.py --program build/release/tare [--short] [--only documented,printed,same,order,exact,faults,hostile] [--seed N]

Tries to break the program: every documented command on every shipped network, the numbers that pages show, the JSON of every
command as it was, rows in another order, estimators against exact rational
arithmetic, signals and full disks and vanishing input, hostile files. Prints what it tried and counted; exit 1 if
anything went wrong.
"""
import argparse
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

try:
    import documented
    import faults
    import hostile
    import order
    import printed
    import same
    from trial import Program
except ImportError as e:
    print(f"skipped: {e}")
    sys.exit(77)


def exact(program, short, seed):
    words = [sys.executable, str(HERE / "exact.py"), "--program", str(program.path), "--seed", str(seed),
             "--cases", "150" if short else "3000"]
    return subprocess.run(words).returncode == 0


def main():
    parts = {"documented": lambda p, a: documented.everything(p, ROOT, a.short, a.networks).finish(),
             "printed": lambda p, a: printed.everything(p, ROOT).finish(),
             "same": lambda p, a: same.everything(p).finish(),
             "order": lambda p, a: order.everything(p, ROOT, a.short, a.seed).finish(),
             "exact": lambda p, a: exact(p, a.short, a.seed),
             "faults": lambda p, a: faults.everything(p, a.short, a.seed).finish(),
             "hostile": lambda p, a: hostile.everything(p, ROOT, a.short, a.seed).finish()}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--short", action="store_true", help="a few minutes instead of an hour")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=lambda s: s.split(","), default=list(parts), help=",".join(parts))
    parser.add_argument("--networks", type=lambda s: s.split(","), help="only these of data/")
    args = parser.parse_args()
    program = Program(args.program)
    failed = []
    for name in args.only:
        began = time.monotonic()
        print(f"== torture: {name}", flush=True)
        if not parts[name](program, args):
            failed.append(name)
        print(f"   {time.monotonic() - began:.0f} s", flush=True)
    print(f"{len(args.only) - len(failed)} passed, {len(failed)} failed" + (f": {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
