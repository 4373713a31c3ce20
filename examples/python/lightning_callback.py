"""Lightning: calibration after every epoch of validation, and a temperature at the end of training.

    pip install lightning 'tare[torch]'
    python examples/python/lightning_callback.py
"""

import lightning
import torch

import tare


class Calibration(lightning.Callback):
    """Logs calibration errors on the validation data each epoch, and fits a temperature to them at the end.

    The module's ``validation_step`` returns ``{"logits": …, "labels": …}``. After training ``temperature`` is the fitted calibrator;
    ``temperature.predict_proba(logits)`` gives tensors on the device of the logits.
    """

    def __init__(self, estimators=("ece_ew", "brier")):
        self.estimators = estimators
        self.temperature = None
        self._batches = []

    def on_validation_epoch_start(self, trainer, module):
        self._batches = []

    def on_validation_batch_end(self, trainer, module, outputs, batch, batch_idx, dataloader_idx=0):
        self._batches.append((outputs["logits"].detach().cpu(), outputs["labels"].cpu()))

    def on_validation_epoch_end(self, trainer, module):
        m = tare.measure(logits=[z for z, _ in self._batches], labels=[y for _, y in self._batches], estimators=self.estimators, intervals=False)
        for name, value in m.to_scalars("val/").items():
            module.log(name, value)

    def on_fit_end(self, trainer, module):
        self.temperature = tare.TemperatureScaling("logits").fit(torch.cat([z for z, _ in self._batches]), torch.cat([y for _, y in self._batches]))


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(10, 64), torch.nn.ReLU(), torch.nn.Linear(64, 3))

    def training_step(self, batch, batch_idx):
        x, y = batch
        return torch.nn.functional.cross_entropy(self.net(x), y)

    def validation_step(self, batch, batch_idx):
        x, y = batch
        return {"logits": self.net(x), "labels": y}

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.02)


def data(n, generator):
    x = torch.randn(n, 10, generator=generator)
    noisy = x[:, :3] + torch.randn(n, 3, generator=generator)
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, noisy.argmax(dim=1)), batch_size=100)


def main():
    lightning.seed_everything(0, verbose=False)
    generator = torch.Generator().manual_seed(0)
    calibration, module = Calibration(), Classifier()
    trainer = lightning.Trainer(max_epochs=40, callbacks=[calibration], accelerator="cpu", logger=False, enable_checkpointing=False,
                                enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
    trainer.fit(module, data(300, generator), data(1000, generator))
    logged = {name: float(value) for name, value in trainer.callback_metrics.items()}
    print(f"last epoch: ece_ew {logged['val/ece_ew']:.4f}, brier {logged['val/brier']:.4f}")
    x, y = data(2000, generator).dataset.tensors
    with torch.no_grad():
        logits = module.net(x)
    after = calibration.temperature.predict_proba(logits)  # a tensor
    print(f"temperature {calibration.temperature.parameters_['temperature']:.3f}")
    print(f"new data: ece_ew {tare.ece_ew(logits=logits, labels=y):.4f} -> {tare.ece_ew(probs=after, labels=y):.4f}")


if __name__ == "__main__":
    main()
