"""Calibrators as modules of torch: the numbers of `tare apply`, slopes by finite differences, a temperature that learns."""

import copy
import pickle

import numpy as np
import pytest

import tare
from exported import applied, fit, models, problems

torch = pytest.importorskip("torch")


def test_the_module_gives_what_apply_gives(network):
    for name, calibrator, rows in models(network):
        module = calibrator.to_torch()
        for x in (rows, rows.astype(np.float32) if calibrator.input == "logits" else np.clip(rows.astype(np.float32), 0, 1)):
            found = module(torch.from_numpy(x))
            assert found.dtype == torch.from_numpy(x).dtype and found.shape == x.shape
            expected = applied(calibrator, x).reshape(x.shape)
            assert np.abs(found.detach().numpy() - expected).max() < (1e-12 if x.dtype == np.float64 else 1e-6), name


def test_slopes_are_those_of_the_map(network):
    """Central differences; maps of steps have slope 0."""
    rng = np.random.default_rng(1)
    for name, calibrator, rows in models(network):
        if not np.isfinite(rows[:3]).all() or "zeros" in name or "histogram" in name or "step" in name or "bbq" in name or "binning" in name:
            continue
        module, x = calibrator.to_torch(), torch.from_numpy(rows[3:6]).requires_grad_()
        weight = torch.from_numpy(rng.normal(size=x.shape))
        (slope,) = torch.autograd.grad((module(x) * weight).sum(), x)
        assert torch.isfinite(slope).all(), name
        if "isotonic" in name:
            continue  # these rows are knots of it
        step = torch.from_numpy(rng.normal(size=x.shape)) * 1e-6
        with torch.no_grad():
            change = ((module(x + step) - module(x - step)) * weight).sum() / 2
        assert abs(float((slope * step).sum() - change)) < 1e-4 * float((slope * step).abs().sum() + 1e-8), name


def test_an_isotonic_map_has_the_slope_of_its_line():
    p, y = np.array([0.1, 0.2, 0.8, 0.9] * 10), np.array([0, 0, 1, 1] * 10)
    module = fit("isotonic", "probs", p, y).to_torch()
    x = torch.tensor([0.5, 0.05, 0.95], dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(module(x).sum(), x)
    assert slope.numpy() == pytest.approx([1 / 0.6, 0, 0])


def test_a_temperature_learns(network):
    """From a wrong start, gradient descent ends where the exact fit does; and comes back as a calibrator."""
    z, y = torch.from_numpy(network["val_logits"][:2000]).double(), torch.from_numpy(network["val_labels"][:2000].astype("i8"))
    best = tare.TemperatureScaling("logits").fit(z, y)
    scale = tare.torch.TemperatureScaling(5.0)
    optimiser = torch.optim.LBFGS(scale.parameters(), line_search_fn="strong_wolfe")

    def loss():
        optimiser.zero_grad()
        value = torch.nn.functional.cross_entropy(scale.logits(z), y)
        value.backward()
        return value

    for _ in range(10):
        optimiser.step(loss)
    assert scale.temperature == pytest.approx(best.parameters_["temperature"], rel=1e-5)
    assert tare.torch.TemperatureScaling().fit(z, y).temperature == pytest.approx(best.parameters_["temperature"], rel=1e-12)
    again = scale.to_tare(10)
    assert again.parameters_["temperature"] == pytest.approx(scale.temperature, rel=1e-15)
    assert np.abs(again.predict_proba(z.numpy()) - scale(z).detach().numpy()).max() < 1e-12
    assert np.abs(best.to_torch()(z).detach().numpy() - best.predict_proba(z.numpy())).max() < 1e-12
    with torch.no_grad():
        masked = z[:2].clone()
        masked[0, 0] = -torch.inf
        assert scale(masked)[0, 0] == 0 and float(scale(masked).sum(dim=1).min()) == pytest.approx(1)


def test_modules_are_kept_and_moved(network):
    _, kind, x, y, rows = next(iter(problems(network)))
    module = fit("isotonic", kind, x, y).to_torch()
    expected = module(torch.from_numpy(rows))
    for other in (pickle.loads(pickle.dumps(module)), copy.deepcopy(module), torch.nn.Sequential(torch.nn.Identity(), module)):
        assert torch.equal(other(torch.from_numpy(rows)), expected)
    assert "isotonic" in repr(module) and "temperature=2" in repr(tare.torch.TemperatureScaling(2.0))
    for wrong in (torch.zeros(3, 9), torch.zeros(3, 10, dtype=torch.int64), np.zeros((3, 10))):
        with pytest.raises(tare.Error):
            module(wrong)
    for options in ({"temperature": 0.0}, {"temperature": float("nan")}, {"input": "confidences"}):
        with pytest.raises(tare.Error):
            tare.torch.TemperatureScaling(**options)
