"""Most of the public interface, as a program that mypy --strict accepts. It is checked, never run (test_types.py)."""

from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import assert_type

import tare

p, y = np.array([0.1, 0.9, 0.8]), np.array([0, 1, 1])

m = tare.measure(probs=p, labels=y, norm=1, estimators=["ece_ew"], intervals=False)
assert_type(m, tare.Measurement)
assert_type(float(m["ece_ew", 1]), float)
assert_type([e for e in m], list[tare.Estimate])
assert_type(m.to_dict(), dict[str, Any])
assert_type(tare.ece_ew(probs=p, labels=y, bins=10, norm=2), float)
assert_type(tare.smece(probs=[0.1, 0.2], labels=[0, 1]), float)

assert_type(m["ece_ew"].floor_high, float | None)
assert_type(m["ece_ew"].per_bin[0].mean_score, float)
assert_type(m.verdict.mean_gap.low if m.verdict else None, float | None)
assert_type(m.input.reduction, str)
assert_type(m.to_scalars(), dict[str, float])
assert_type("ece_ew" in m, bool)
assert_type(m["ece_ew"] < 0.05, bool)
assert_type(tare.test(probs=p, labels=["no", "yes", "yes"], classes=["no", "yes"], statistics="debias_em").p_value, float | None)
assert_type(tare.test(probs=p, labels=y)["ks"].rejected, bool | None)
assert_type([t.statistic for t in tare.test(probs=p, labels=y)], list[float | None])
assert_type(tare.bbc(model="resnet110_c10", n=200).corrections[0].corrected, float | None)
assert_type(tare.bbc(model="resnet110_c10", n=200)["ece_ew"].bias, float | None)
assert_type(tare.bbc(beta=(1, 1), curve="power:2", n=[200, 300]), tare.BiasReport)
c = tare.compare(Path("two_folds.npz"), methods=["platt"])
assert_type(c.winner, str)
assert_type(c["platt"].brier, float | None)
assert_type([d.change for d in c["platt"].differences], list[str])
tare.report("two_folds.npz", bias=False).save(Path("report.html"))

t = tare.TemperatureScaling("logits").fit(p, y)
assert_type(t, tare.TemperatureScaling)
assert_type(t.set_params(threads=2), tare.TemperatureScaling)
assert_type(tare.TemperatureScaling.load("model.json"), tare.TemperatureScaling)
assert_type(tare.load("model.json"), tare.Calibrator)
assert_type(t.to_json(), str)
t.predict_proba(p).sum()
h = tare.HistogramBinning("probs", bins=7, binning="mass")
tare.MatrixScaling("logits", lambda_=0.1, mu=None, max_iterations=10)

k = tare.CalibratedClassifier(method=h, cv=3).fit(p[:, None], y)
assert_type(k, tare.CalibratedClassifier)
assert_type(tare.metrics.neg_brier, tare.metrics.Scorer)
assert_type(tare.metrics.scorer("ece_em", bins=10)(k, p[:, None], y), float)

ax = tare.plot.reliability(m)
tare.plot.compare(c, ax=ax)
tare.plot.ReliabilityDisplay.from_predictions(y, probs=p).plot()
s = tare.State(cells=1024, bins=10, reduction="positive")
assert_type(s.update(probs=p, labels=y).merge(tare.State.from_bytes(s.to_bytes())), tare.State)
assert_type(s.copy().rows, int)
assert_type(tare.measure(s), tare.Measurement)
tare.State(by="country").update(probs=p, labels=y, by=["DE", "FR", "DE"]).measure(intervals=False)["DE"]
tare.State().update(Path("data.parquet"), probs="p_*", labels="y")
assert_type(tare.measure(["a.parquet", "b.parquet"], probs=["p_0", "p_1"], labels="y"), tare.Measurement)
assert_type(tare.watch(s, {"monday": s.to_bytes()}).alerts, list[str])
w = tare.Watch(s, alpha=0.01)
w.day(s, "monday")["alerts"]
assert_type(tare.Watch.from_bytes(w.to_bytes()).report(), tare.WatchReport)
try:
    tare.measure()
except tare.Error as error:
    assert_type(error.code, str)

frame: Any = None
assert_type(tare.spark.fit_temperature(frame, logits=["z0", "z1"], labels="y"), tare.Calibrator)
tare.spark.measure(frame, score="p", label="y", by="country", estimators=["ece_ew"])
tare.spark.merge(tare.spark.partial(frame, probs="p", labels="y"), by=["country"])
tare.spark.apply("model.json", frame, "z", to="p")

# An ignore that is not needed is an error, too: each of these lines is refused.
tare.measure(probs=p, labels=y, norm=3)  # type: ignore[arg-type]
tare.measure(probs=p, labels=y, bin=3)  # type: ignore[call-arg]
tare.debias_em(probs=p, labels=y, norm=1)  # type: ignore[arg-type]
tare.TemperatureScaling()  # type: ignore[call-arg]
tare.TemperatureScaling("scores")  # type: ignore[arg-type]
tare.TemperatureScaling("logits", bins=3)  # type: ignore[call-arg]
tare.metrics.nothing  # type: ignore[attr-defined]
tare.ece  # type: ignore[attr-defined]
