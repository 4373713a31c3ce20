"""A network's logits, end to end: measure, repair on validation data, measure again on test data.

    python examples/python/logits.py [file.npz]
"""

import sys
from pathlib import Path

import numpy as np

import tare

path = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "data" / "resnet110_cifar10.npz"
file = np.load(path)

# Any array of logits will do: a torch tensor on the CPU (call .detach() first), a JAX array, a memory-mapped .npy file.
before = tare.measure(logits=file["test_logits"], labels=file["test_labels"])
print(before)

# One number, fitted where the network was not trained and nothing is reported.
scaling = tare.TemperatureScaling("logits").fit(file["val_logits"], file["val_labels"])
print(f"\ntemperature {scaling.parameters_['temperature']:.4f}, fit {scaling.report_['status']}")

probs = scaling.predict_proba(file["test_logits"])
after = tare.measure(probs=probs, labels=file["test_labels"])
for name in ("ece_ew", "sweep_em", "nll"):
    print(f"{name}: {before[name].value:.4f} -> {after[name].value:.4f}")
print(f"still above the noise of a calibrated model ({after['ece_ew'].floor_high:.4f})? {after['ece_ew'].verdict}")
