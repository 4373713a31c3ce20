"""The metric for torch: batches and processes make no difference, and torchmetrics and Lightning take it."""

import os
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tare

torch = pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")

# Here, not at the top: the class is another one where torch is missing.
from tare.torch import CalibrationError  # noqa: E402


@pytest.fixture
def rows(network):
    return torch.from_numpy(network["val_logits"]), torch.from_numpy(network["val_labels"].astype("i8"))


def batches(rows, size=700):
    return zip(*(t.split(size) for t in rows))


@pytest.mark.parametrize("name, options", [("rank_poly", {}), ("ece_ew", {"bins": 10}), ("ece_em", {"norm": 2}), ("nll", {}), ("brier", {}), ("accuracy", {})])
def test_the_value_is_that_of_all_rows(name, options, rows):
    metric = CalibrationError(name, **options)
    for z, y in batches(rows):
        metric.update(z, y)
    expected = getattr(tare, name)(logits=rows[0], labels=rows[1], **options)
    assert metric.compute().dtype == torch.float32 and metric.compute().item() == np.float32(expected)
    assert metric.measure(intervals=False)["rank_poly"].value == tare.rank_poly(logits=rows[0], labels=rows[1])
    metric.reset()
    assert metric.state == CalibrationError(name, **options).state
    metric.update(rows[0][:100], rows[1][:100])
    assert metric.compute().item() == np.float32(getattr(tare, name)(logits=rows[0][:100], labels=rows[1][:100], **options))


def test_forward_is_the_batch_and_adds_it(rows):
    for options in ({}, {"dist_sync_on_step": True}):
        metric, updated = CalibrationError("ece_ew", **options), CalibrationError("ece_ew")
        for z, y in batches(rows):
            assert metric(z, y).item() == np.float32(tare.ece_ew(logits=z, labels=y))
            updated.update(z, y)
        assert metric.state == updated.state
        assert metric.compute() == updated.compute()


def test_shapes_and_types(rows):
    z, y = rows
    p = torch.softmax(z.double(), dim=1)
    whole = CalibrationError("ece_ew", input="probs")
    whole.update(p, y)
    for shaped in ((p[:4992].reshape(78, 64, 10).movedim(2, 1), y[:4992].reshape(78, 64)),
                   (p[:4992].reshape(78, 8, 8, 10).movedim(3, 1), y[:4992].reshape(78, 8, 8))):
        metric = CalibrationError("ece_ew", input="probs")
        metric.update(*shaped)
        metric.update(p[4992:], y[4992:])
        assert metric.state == whole.state
    binary = CalibrationError("ece_ew", input="probs")
    binary.update(p[:, 1].reshape(50, 100), (y == 1).reshape(50, 100))
    assert binary.compute().item() == np.float32(tare.ece_ew(probs=p[:, 1], labels=(y == 1)))
    half = CalibrationError()
    half.update(z.bfloat16().requires_grad_(), y)
    assert half.state == tare.State().update(logits=z.bfloat16().float(), labels=y)
    with pytest.raises(tare.Error, match="preds have shape"):
        metric.update(p, y[:, None, None])


@pytest.mark.filterwarnings("ignore")
def test_mistakes_are_named(rows):
    with pytest.raises(tare.Error, match="no estimator 'ece'"):
        CalibrationError("ece")
    with pytest.raises(tare.Error, match="input is 'scores'"):
        CalibrationError(input="scores")
    metric = CalibrationError(input="probs")
    with pytest.raises(tare.Error, match="probability is"):
        metric.update(*rows)
    assert metric.state.rows == 0
    assert metric.compute().isnan()


def test_torchmetrics_takes_it(rows, tmp_path):
    metrics = torchmetrics.MetricCollection({name: CalibrationError(name) for name in ("ece_ew", "rank_poly")})
    for z, y in batches(rows):
        metrics(z, y)
    assert metrics.compute()["ece_ew"].item() == np.float32(tare.ece_ew(logits=rows[0], labels=rows[1]))
    metric = metrics["ece_ew"]
    for again in (pickle.loads(pickle.dumps(metric)), metric.clone(), metric.to("cpu").double()):
        assert again.state == metric.state and again.compute() == metric.compute()
    assert metric.state_dict() == {}
    metric.persistent(True)
    torch.save(metric.state_dict(), tmp_path / "metric.pt")
    fresh = CalibrationError("ece_ew")
    fresh.load_state_dict(torch.load(tmp_path / "metric.pt", weights_only=True))
    assert fresh.state == metric.state
    fresh.merge_state(metric)
    assert fresh.state.rows == 2 * metric.state.rows
    assert (metric + 1).compute() == metric.compute() + 1


RANK = """
    import sys, numpy as np, torch, torch.distributed as dist, tare
    from tare.torch import CalibrationError

    rank, shared = int(sys.argv[1]), sys.argv[2]
    dist.init_process_group("gloo", init_method="file://" + shared, rank=rank, world_size=2)
    rng = np.random.default_rng(5)
    z, y = rng.normal(0, 2, (3000, 4)), rng.integers(0, 4, 3000)
    mine = slice(0, 1) if rank == 0 else slice(1, None)  # states of very different sizes
    metric, idle = CalibrationError("ece_em"), CalibrationError("ece_em")
    metric.update(torch.from_numpy(z[mine]), torch.from_numpy(y[mine]))
    if rank == 1:
        idle.update(torch.from_numpy(z), torch.from_numpy(y))
    expected = np.float32(tare.ece_em(logits=z, labels=y))
    assert metric.compute().item() == expected
    assert idle.compute().item() == expected
    assert metric.measure(intervals=False)["nll"].value == tare.nll(logits=z, labels=y)
    assert metric.state.rows == len(y[mine])  # of this process again
    step = CalibrationError("ece_em", dist_sync_on_step=True)
    assert step(torch.from_numpy(z[mine]), torch.from_numpy(y[mine])).item() == expected
    assert step.state.rows == len(y[mine])
    dist.destroy_process_group()
    print("fine")
"""


@pytest.mark.skipif(not torch.distributed.is_available(), reason="torch without distributed")
@pytest.mark.filterwarnings("ignore")
def test_two_processes(tmp_path):
    ranks = [subprocess.Popen([sys.executable, "-W", "ignore", "-c", textwrap.dedent(RANK), str(rank), str(tmp_path / "meeting")],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ) for rank in range(2)]
    try:
        for rank in ranks:
            out, err = rank.communicate(timeout=120)
            assert out == "fine\n", err
    finally:
        for rank in ranks:
            rank.kill()


@pytest.mark.filterwarnings("ignore")
def test_lightning(rows, tmp_path):
    lightning = pytest.importorskip("lightning")

    class Model(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(10, 10)
            self.error = CalibrationError("ece_ew")

        def validation_step(self, batch, _):
            z, y = batch
            self.error.update(z, y)
            self.log("ece", self.error)

        def on_validation_epoch_end(self):
            self.answer = self.error.measure(intervals=False)

    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*rows), batch_size=512)
    trainer = lightning.Trainer(accelerator="cpu", devices=1, logger=False, enable_checkpointing=False, enable_progress_bar=False,
                                enable_model_summary=False, default_root_dir=tmp_path)
    model = Model()
    logged = trainer.validate(model, data, verbose=False)
    assert model.answer["ece_ew"].value == tare.ece_ew(logits=rows[0], labels=rows[1])
    assert logged[0]["ece"] == pytest.approx(tare.ece_ew(logits=rows[0], labels=rows[1]), rel=1e-6)


def test_ignored_labels_are_left_out():
    z, y = torch.randn(4, 3, 10, dtype=torch.bfloat16, requires_grad=True), torch.randint(0, 3, (4, 10))
    y[0] = -100
    error = tare.torch.CalibrationError("ece_ew", ignore_index=-100)
    error.update(z, y)
    error.update(z[:1], y[:1])  # nothing but ignored labels
    assert error.state.rows == 30
    kept = z.detach().float().movedim(1, -1)[1:].reshape(-1, 3)
    assert float(error.compute()) == pytest.approx(tare.ece_ew(logits=kept, labels=y[1:].flatten()), abs=1e-6)
    with pytest.raises(tare.Error, match="the usual ECE, bins of equal width, is ece_ew"):
        tare.torch.CalibrationError("ece")
