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
print(f"ece_ew is {ece:.4f}. A calibrated model of this n shows {ece.floor:.4f} on average and up to {ece.floor_high:.4f}:")
print(f"  {ece.verdict}")

report = tare.test(confidences=score, correct=hit)
print(f"p-value {report.p_value:.3f}; this n would have found a true error of {report.detectable.tce:.4f}")


def corrected(title, curve, estimators, samples=20):
    """Many samples of one truth: how far from it are estimates as they are, and freed from their bias?"""
    true_error = np.mean(np.abs(score - curve(score)))
    print(f"\n{title}: the true error is {true_error:.4f}")
    off = {name: ([], []) for name in estimators}
    for _ in range(samples):
        hit = rng.random(500) < curve(score)
        bias = tare.bbc(confidences=score, correct=hit, estimators=estimators, norm=1, replicates=100)
        for line in bias.corrections:
            off[line.estimator][0].append(line.value - true_error)
            off[line.estimator][1].append((line.value if line.corrected is None else line.corrected) - true_error)
    for name, errors in off.items():
        plain, repaired = (np.sqrt(np.mean(np.square(e))) for e in errors)
        what = "correcting helps" if repaired < 0.95 * plain else "correcting does not help"
        print(f"  {name}: off by {plain:.4f} as measured, by {repaired:.4f} corrected: {what}")


# A small error: most of a plug-in estimate is noise, always upwards, and taking it off helps.
corrected("a small error", lambda c: c**1.08, ["ece_ew", "ece_em"])
# A large error: gaps have one sign, noise cancels in each bin, there is little bias to take off.
corrected("a large error", lambda c: c**1.6, ["ece_ew", "ece_em"])
print("\nWhere the bias is small beside the spread of one sample, an estimate is best left as it is;")
print("measure(bias=True) shows bias and rmse beside each other, and leaves `corrected` empty there.")
