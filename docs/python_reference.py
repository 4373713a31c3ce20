"""Writes what follows from the installed package: the stubs tare/__init__.pyi and tare/metrics.pyi, and the reference
docs/python.md.

    python docs/python_reference.py           write them
    python docs/python_reference.py --check   exit 1 if one is not current
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import tare
from tare._calibrators import CALIBRATORS
from tare._calls import TABLES
from tare._estimators import ESTIMATORS
from tare._options import stub_of

ROOT = Path(__file__).resolve().parents[1]

ARRAYS = ("logits probs confidences labels correct predictions weights val_logits val_probs val_labels val_weights test_logits "
          "test_probs test_labels test_weights val_confidences val_correct test_confidences test_correct").split()
REDUCTION = 'Literal["top_label", "positive", "classwise"] | None'
TYPES = {
    **{name: "_ArrayLike | None" for name in ARRAYS},
    "file": "str | PathLike[str] | State | _ArrowStream | _Dataset | Sequence[str | PathLike[str]] | None", "split": 'Literal["test", "val"] | None', "bins": "int", "threads": "int | None", "reduction": REDUCTION, "input": 'Literal["logits", "probs", "confidences"]', "ignore_index": "int | None", "group": "_Groups | None", "group_bins": "int | None", "name": "str | None", "title": "str | None", "progress": "bool | Callable[[str, int, int], object] | None", "classes": "_Classes | None", "reading": "Mapping[str, Any] | None",
}
OF_CALIBRATORS = {entry["name"]: stub_of(entry) for entry in TABLES["options"]["fit"]}
COMMANDS = {"measure": "Measurement", "test": "TestReport", "bbc": "BiasReport", "compare": "Comparison", "report": "Report"}
HEADER = '''# Made by docs/python_reference.py from the tables of the library; do not edit.
from os import PathLike
from typing import Any, Callable, Literal, Mapping, Protocol, Sequence

import numpy.typing as npt

from . import export as export
from . import metrics as metrics
from . import plot as plot
from . import spark as spark
from . import torch as torch
from ._calls import verdict as verdict
from ._catalogue import Catalogue as Catalogue
from ._catalogue import Entry as Entry
from ._catalogue import list as list
from ._catalogue import paper as paper
from ._calibrators import Calibrator as Calibrator
from ._calibrators import calibrator as calibrator
from ._calibrators import load as load
from ._classifier import CalibratedClassifier as CalibratedClassifier
from ._errors import Error as Error
from ._errors import FitWarning as FitWarning
from ._results import Bias as Bias
from ._results import BiasReport as BiasReport
from ._results import Bin as Bin
from ._results import Comparison as Comparison
from ._results import Correction as Correction
from ._results import Day as Day
from ._results import Detectable as Detectable
from ._results import Difference as Difference
from ._results import Estimate as Estimate
from ._results import Group as Group
from ._results import Groups as Groups
from ._results import Input as Input
from ._results import Measurement as Measurement
from ._results import Method as Method
from ._results import Range as Range
from ._results import Report as Report
from ._results import Result as Result
from ._results import Row as Row
from ._results import TestReport as TestReport
from ._results import TestResult as TestResult
from ._results import Verdict as Verdict
from ._results import WatchReport as WatchReport
from ._state import State as State
from ._watch import Watch as Watch
from ._watch import watch as watch

class _DLPack(Protocol):
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> Any: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

class _Dataset(Protocol):
    def get_fragments(self, filter: Any = None) -> Any: ...

_ArrayLike = npt.ArrayLike | _DLPack | _ArrowStream | _ArrowArray | Sequence[Any]
_Classes = Sequence[Any] | npt.NDArray[Any]
_Groups = str | _ArrayLike | dict[str, Any] | Any

__version__: str
'''


def parameters(signature: inspect.Signature, types: dict[str, str]) -> str:
    out, star, positional = [], False, False
    for p in signature.parameters.values():
        if p.kind is p.KEYWORD_ONLY and not star:
            out.append("*")
            star = True
        kind = types.get(p.name) or TYPES[p.name]
        out.append(f"{p.name}: {kind}" + ("" if p.default is p.empty else f" = {p.default!r}".replace("'", '"')))
        if p.kind is p.POSITIONAL_ONLY:
            positional = True
            out.append("/")
    return ", ".join(out)


def said(thing: object, indent: int) -> str:
    """Its docstring, for an IDE that reads the stub."""
    doc = inspect.cleandoc(thing.__doc__ or "")
    quoted = '"""' + doc + ('\n"""' if "\n" in doc else '"""')
    return "".join((" " * indent + line).rstrip() + "\n" for line in quoted.splitlines())


def stub() -> str:
    out = HEADER
    for name, kind in COMMANDS.items():
        types = {entry["name"]: stub_of(entry) for call in (name, *["truth"] * (name == "bbc")) for entry in TABLES["options"][call]}
        if name == "report":
            types["classes"] = "bool | _Classes"
        out += f"\ndef {name}({parameters(inspect.signature(getattr(tare, name)), types)}) -> {kind}:\n{said(getattr(tare, name), 4)}"
    for row in TABLES["estimators"]:
        types = {"norm": f"Literal[{', '.join(str(n) for n in row['norms'])}]"}
        out += f"\ndef {row['name']}({parameters(inspect.signature(ESTIMATORS[row['name']]), types)}) -> float:\n{said(ESTIMATORS[row['name']], 4)}"
    for cls in CALIBRATORS.values():
        args = parameters(inspect.signature(cls), OF_CALIBRATORS)
        options = "".join(f"    {n}: {OF_CALIBRATORS.get(n) or TYPES[n]}\n" for n in inspect.signature(cls).parameters if n != "input")
        out += f"\nclass {cls.__name__}(Calibrator):\n{said(cls, 4)}\n{options}    def __init__(self, {args}) -> None: ...\n"
    return out


def metrics_stub() -> str:
    return """# Made by docs/python_reference.py from the tables of the library; do not edit.
from typing import Any, Literal

from typing_extensions import Self

class Scorer:
    name: str
    options: dict[str, Any]
    response: str
    def __init__(self, name: str, options: dict[str, Any], response: str) -> None: ...
    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float: ...
    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self: ...
    def get_metadata_routing(self) -> Any: ...

def scorer(name: str, *, response: Literal["predict_proba", "decision_function"] = "predict_proba", **options: Any) -> Scorer: ...

SCORERS: dict[str, Scorer]
""" + "".join(f"{name}: Scorer\n" for name in tare.metrics.SCORERS)


def markdown(doc: str) -> str:
    """A docstring in NumPy's style as Markdown: sections become lists."""
    doc = re.sub(r":(?:func|class|meth):`(?:tare\.)?([^`]+)`", r"`\1`", inspect.cleandoc(doc)).replace("``", "`")
    head, *sections = re.split(r"^(\w+)\n-{3,}\n", doc, flags=re.M)
    out = head.strip() + "\n"
    for title, body in zip(sections[::2], sections[1::2]):
        if title == "Note":
            out += f"\n{body.strip()}\n"
            continue
        out += f"\n{title}:\n\n"
        for entry in re.findall(r"^(\S.*)\n((?:[ \n].*\n?)*)", body.rstrip() + "\n", flags=re.M):
            name, _, kind = entry[0].partition(" : ")
            meaning = " ".join(entry[1].split())
            out += f"- `{name}`" + (f" ({kind})" if kind else "") + (f": {meaning}" if meaning else "") + "\n"
    return out


def shown(signature: inspect.Signature) -> str:
    words, star = [], False
    for p in signature.parameters.values():
        if p.name == "self":
            continue
        if p.kind is p.KEYWORD_ONLY and not star:
            words.append("*")
            star = True
        stars = {p.VAR_KEYWORD: "**", p.VAR_POSITIONAL: "*"}.get(p.kind, "")
        words.append(stars + p.name + ("" if p.default is p.empty else f"={p.default!r}"))
        if p.kind is p.POSITIONAL_ONLY:
            words.append("/")
    return ", ".join(words)


def entry(name: str, thing: object, level: str = "###") -> str:
    return f"\n{level} {name}\n\n```python\n{name}({shown(inspect.signature(thing))})\n```\n\n{markdown(thing.__doc__)}"


def member_lines(cls: type, names: str) -> str:
    """One line for each."""
    out = ""
    for name in names.split():
        member = inspect.getattr_static(cls, name)
        function = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        args = "" if isinstance(member, property) else f"({shown(inspect.signature(function)).removeprefix('cls, ')})"
        first = markdown(member.__doc__ or function.__doc__).splitlines()[0]
        out += f"\n- `.{name}{args}`: {first}"
    return out + "\n"


def reference() -> str:
    out = ("# Python reference\n\nMade by `docs/python_reference.py` from the docstrings; do not edit. How to install it, and a first program: "
           "[tare in Python](guide/python.md).\n\n## Measuring and concluding\n")
    for name in COMMANDS:
        out += entry(f"tare.{name}", getattr(tare, name))
    for name in ("verdict", "list", "paper"):
        out += entry(f"tare.{name}", getattr(tare, name))
    out += ("\n## Estimators\n\nOne function per row of the table, each with data as `tare.measure` takes them; `float` in return.\n\n"
            "| function | options | what the number says |\n|---|---|---|\n")
    for row in TABLES["estimators"]:
        options = [f"norm={norm}" for norm in row["norms"][:1]] + ["bins=15"] * row["bins"]
        out += f"| `tare.{row['name']}` | {', '.join(f'`{o}`' for o in options)} | {row['summary']} ({row['citation']}) |\n"
    out += "\n## Calibrators\n\n" + markdown(tare.Calibrator.__doc__)
    out += member_lines(tare.Calibrator, "fit predict_proba predict_log_proba predict parameters_ report_ get_params set_params to_json save load export to_torch")
    for cls in CALIBRATORS.values():
        out += entry(f"tare.{cls.__name__}", cls)
    out += entry("tare.load", tare.load) + entry("tare.calibrator", tare.calibrator)
    out += "\n## Any amount of data\n" + entry("tare.State", tare.State) + member_lines(
        tare.State, "update merge measure test fit rows classes reduction bins cells by groups copy to_bytes from_bytes save load")
    out += "\n## Day by day\n" + entry("tare.watch", tare.watch) + entry("tare.Watch", tare.Watch) + member_lines(
        tare.Watch, "day report to_bytes from_bytes save load")
    out += "\n## With scikit-learn\n" + entry("tare.CalibratedClassifier", tare.CalibratedClassifier)
    out += "\n" + markdown(tare.metrics.__doc__) + entry("tare.metrics.scorer", tare.metrics.scorer)
    out += ("\n## With torch\n\n" + markdown(tare.torch.__doc__) + entry("tare.torch.CalibrationError", tare.torch.CalibrationError)
            + member_lines(tare.torch.CalibrationError, "update compute measure reset")
            + entry("tare.torch.TemperatureScaling", tare.torch.TemperatureScaling)
            + member_lines(tare.torch.TemperatureScaling, "forward logits fit temperature to_tare"))
    out += "\n## For other programs\n\n" + markdown(tare.export.__doc__)
    for name in tare.export.__all__:
        out += entry(f"tare.export.{name}", getattr(tare.export, name))
    out += "\n## With Spark\n\n" + markdown(tare.spark.__doc__)
    for name in tare.spark.__all__:
        out += entry(f"tare.spark.{name}", getattr(tare.spark, name))
    out += "\n## Pictures\n\n" + markdown(tare.plot.__doc__)
    for name in tare.plot.__all__:
        out += entry(f"tare.plot.{name}", getattr(tare.plot, name))
    for name in ("from_predictions", "from_estimator"):
        function = inspect.getattr_static(tare.plot.ReliabilityDisplay, name).__func__
        out += entry(f"tare.plot.ReliabilityDisplay.{name}", function, "####").replace("(cls, ", "(")
    out += "\n## Answers and errors\n"
    for name in ("Result", "Measurement", "Estimate", "Bin", "Verdict", "Range", "Input", "Groups", "Group", "TestReport", "TestResult", "Detectable", "BiasReport", "Bias",
                 "Correction", "Comparison", "Method", "Difference", "WatchReport", "Day", "Report", "Row", "Catalogue", "Entry", "Error", "FitWarning"):
        out += f"\n### tare.{name}\n\n{markdown(getattr(tare, name).__doc__)}"
        members = [(n, m) for n, m in vars(getattr(tare, name)).items() if not n.startswith("_") and getattr(m, "__doc__", None)
                   and (callable(m) or isinstance(m, property))]
        out += "\n" * bool(members) + "".join(
            f"- `.{n}{'' if isinstance(m, property) else '(' + shown(inspect.signature(m)) + ')'}`: {markdown(m.__doc__).splitlines()[0]}\n"
            for n, m in members)
    return out


def main() -> int:
    stale = 0
    for path, text in ((ROOT / "python/tare/__init__.pyi", stub()), (ROOT / "python/tare/metrics.pyi", metrics_stub()),
                       (ROOT / "docs/python.md", reference())):
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if "--check" in sys.argv:
            print(f"{path.relative_to(ROOT)} is not current: run python docs/python_reference.py", file=sys.stderr)
            stale = 1
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    return stale


if __name__ == "__main__":
    sys.exit(main())
