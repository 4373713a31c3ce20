"""How much of my ECE is real? A perfectly calibrated model of 500 rows shows one, too.

    python examples/python/how_much_is_real.py
"""

import numpy as np

import tare

rng = np.random.default_rng(0)
score = rng.beta(2.5, 0.6, 500)
hit = rng.random(500) < score  # perfectly calibrated, by construction

m = tare.measure(confidences=score, correct=hit)
ece = m["ece_ew"]
print(f"ece_ew is {ece.value:.4f}. A calibrated model of this n shows {ece.floor:.4f} on average and up to {ece.floor_high:.4f}:")
print(f"  {ece.verdict}")

report = tare.test(confidences=score, correct=hit)
print(f"p-value {report.p_value:.3f}; this n would have found a true error of {report.detectable['tce']:.4f}")

# The same scores with a true error, and the measured value freed from its bias.
hit = rng.random(500) < score**1.6
bias = tare.bbc(confidences=score, correct=hit, estimators=["ece_ew", "ece_em"], norm=1, replicates=300)
for line in bias.corrections:
    print(f"{line['estimator']}: measured {line['value']:.4f}, of that bias {line['bias']:+.4f}; corrected {line['corrected']:.4f}")
true_error = np.mean(score - score**1.6)
print(f"the truth: {true_error:.4f}")
