"""What classifiers of scikit-learn say, and what they call their classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import Error

RESPONSES = {"predict_proba": "probs", "decision_function": "logits"}  # and what that is


def class_codes(y: Any, classes: Any) -> np.ndarray:
    """The place of each label among the classes of an estimator."""
    classes, y = np.asarray(classes), np.asarray(y)
    order = np.argsort(classes, kind="stable")
    at = np.minimum(np.searchsorted(classes[order], y), len(classes) - 1)
    strange = classes[order][at] != y
    if np.any(strange):
        value = y[int(np.argmax(strange))]
        raise Error(f"y holds a class that the estimator does not know: {value.item() if hasattr(value, 'item') else value!r}", "bad_input",
                    "were all classes in its training data?")
    return order[at]


def response_of(estimator: Any, response: str, X: Any) -> Any:
    """What the classifier says about X; an error for what is none."""
    name = type(estimator).__name__
    if not any(hasattr(estimator, one) for one in RESPONSES):
        raise Error(f"{name} has neither predict_proba nor decision_function", "unsupported", "calibration is a property of classifiers; pass one")
    if not hasattr(estimator, response):
        other = next(one for one in RESPONSES if one != response)
        raise Error(f"{name} has no {response}", "bad_option", f"pass response={other!r}")
    return getattr(estimator, response)(X)
