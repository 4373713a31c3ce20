"""``tare export MODEL -o model.onnx``: what the compiled program leaves to Python."""

from __future__ import annotations

import argparse
import os
import sys

from ._calibrators import load
from ._errors import Error
from .export import write


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise Error(message, "bad_option", "`tare export --help` lists the options")


def run(words: list[str]) -> int:
    """Runs the command and returns its exit code."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("model")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--append")
    parser.add_argument("--append-output")
    parser.add_argument("--name")
    parser.add_argument("--score")
    parser.add_argument("--quiet", action="store_true")
    try:
        args = parser.parse_args(words)
        onnx = args.output.lower().endswith(".onnx")
        for option in ("--name", "--score") if onnx else ("--append", "--append-output"):
            if getattr(args, option[2:].replace("-", "_")) is not None:
                raise Error(f"{option} is not for {args.output}", "bad_option", f"it is for {'a header or SQL' if onnx else 'ONNX'}: leave it out, or name another file")
        for given in (args.model, args.append):
            if given and os.path.exists(args.output) and os.path.exists(given) and os.path.samefile(args.output, given):
                raise Error(f"{args.output} is an input", "bad_option", "name another file with -o")
        model = load(args.model)
        write(model, args.output, append=args.append, output=args.append_output)
    except Error as why:
        print(f"error: {why.message}", *([f"hint: {why.hint}"] if why.hint else []), sep="\n", file=sys.stderr)
        return 2
    if not args.quiet:
        print(f"{model.method} of {args.model}; wrote {args.output}", file=sys.stderr)
    return 0
