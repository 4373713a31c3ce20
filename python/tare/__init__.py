"""How far a classifier's confidences are from the truth, how much of that number is estimation noise and bias, and how
to repair the confidences.

>>> m = tare.measure(logits=z, labels=y)       # every estimator, its noise floor, a verdict
>>> m["ece_ew"].value, m["ece_ew"].floor_high
>>> tare.sweep_em(probs=p, labels=y, norm=1)    # one of them
>>> t = tare.TemperatureScaling("logits").fit(z_val, y_val)
>>> t.predict_proba(z_test)
"""

from __future__ import annotations

from typing import Any

from . import _calibrators, _calls
from ._calibrators import Calibrator, calibrator, load
from ._calls import bbc, compare, measure, report, test, verdict
from ._catalogue import Catalogue, Entry, list, paper
from ._errors import Error, FitWarning
from ._estimators import ESTIMATORS
from ._results import (Bias, BiasReport, Bin, Comparison, Correction, Day, Detectable, Difference, Estimate, Group, Groups, Input, Measurement, Method,
                       Range, Report, Result, Row, TestReport, TestResult, Verdict, WatchReport)
from ._state import State
from ._tare import version as __version__
from ._watch import Watch, watch

globals().update(ESTIMATORS)

__all__ = [
    "measure", "verdict", "test", "bbc", "compare", "report", *ESTIMATORS, *_calibrators.class_names(), "Calibrator", "calibrator",
    "load", "State", "Watch", "watch", "CalibratedClassifier", "export", "metrics", "plot", "Error", "FitWarning", "Result", "Measurement", "Group", "Groups", "Estimate", "Verdict", "Range", "TestReport",
    "BiasReport", "Comparison", "WatchReport", "Report", "Row", "Bias", "Bin", "Correction", "Day", "Detectable", "Difference", "Input",
    "Method", "TestResult", "Catalogue", "Entry", "paper", "__version__",
]  # not list: a star would hide Python's
for _public in (measure, verdict, list, paper, Catalogue, Entry, test, bbc, compare, report, load, calibrator, Calibrator, State, Watch, watch, Error, FitWarning, Result, Measurement, Group, Groups, Estimate, Verdict, Range,
                TestReport, BiasReport, Comparison, WatchReport, Report, Row, Bias, Bin, Correction, Day, Detectable, Difference, Input,
                Method, TestResult):
    _public.__module__ = "tare"
del _public


def __getattr__(name: str) -> Any:
    """scikit-learn, matplotlib, torch and Spark are imported when they are asked for."""
    import importlib

    if name == "CalibratedClassifier":
        return importlib.import_module("tare._classifier").CalibratedClassifier
    if name in _calibrators.class_names():
        globals().update({cls.__name__: cls for cls in _calibrators.classes().values()})
        return globals()[name]
    if name in ("export", "metrics", "plot", "spark", "torch"):
        return importlib.import_module(f"tare.{name}")
    from ._errors import estimator_hint

    hint = "" if name.startswith("_") else f"; {estimator_hint(name, __all__)}"
    raise AttributeError(f"module 'tare' has no attribute '{name}'" + (hint if "there are" not in hint else ""))


def __dir__() -> Any:
    return [*__all__, "list"]
