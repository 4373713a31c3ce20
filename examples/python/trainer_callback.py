"""Hugging Face Trainer: calibration after every evaluation, and a temperature at the end of training.

    pip install transformers accelerate tare
    python examples/python/trainer_callback.py
"""

import tempfile

import numpy as np
import torch
from transformers import PretrainedConfig, PreTrainedModel, Trainer, TrainerCallback, TrainingArguments
from transformers.modeling_outputs import SequenceClassifierOutput

import tare


class Calibration(TrainerCallback):
    """Gives the Trainer ``compute_metrics``, keeps the last logits, and fits a temperature to them at the end.

        calibration = Calibration()
        trainer = Trainer(..., compute_metrics=calibration.metrics, callbacks=[calibration])

    Labels of -100 are left out, as the loss leaves them out: token classification works as it is.
    """

    def __init__(self, estimators=("ece_ew", "brier"), ignore_index=-100):
        self.estimators, self.ignore_index = estimators, ignore_index
        self.temperature, self._last = None, None

    def metrics(self, predictions):
        """After each evaluation; the names in the log begin with ``eval_``."""
        self._last = predictions.predictions, predictions.label_ids
        m = tare.measure(logits=self._last[0], labels=self._last[1], ignore_index=self.ignore_index, estimators=self.estimators, intervals=False)
        return m.to_scalars()

    def on_train_end(self, args, state, control, **kwargs):
        if self._last is not None:
            self.temperature = tare.TemperatureScaling("logits").fit(*self._last, ignore_index=self.ignore_index)


class Small(PreTrainedModel):
    """A model that needs no download."""

    config_class = PretrainedConfig

    def __init__(self, config):
        super().__init__(config)
        self.net = torch.nn.Sequential(torch.nn.Linear(10, 64), torch.nn.ReLU(), torch.nn.Linear(64, 3))
        self.post_init()

    def forward(self, x, labels=None):
        logits = self.net(x)
        return SequenceClassifierOutput(loss=None if labels is None else torch.nn.functional.cross_entropy(logits, labels), logits=logits)


def data(n, seed):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 10, generator=generator)
    labels = (x[:, :3] + torch.randn(n, 3, generator=generator)).argmax(dim=1)
    return [{"x": a, "labels": b} for a, b in zip(x, labels)]


def main():
    torch.manual_seed(0)
    calibration = Calibration()
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(folder, num_train_epochs=30, per_device_train_batch_size=50, per_device_eval_batch_size=500, learning_rate=0.02,
                                      eval_strategy="epoch", save_strategy="no", report_to=[], disable_tqdm=True, use_cpu=True, log_level="error")
        trainer = Trainer(Small(PretrainedConfig()), arguments, train_dataset=data(300, 0), eval_dataset=data(1000, 1),
                          compute_metrics=calibration.metrics, callbacks=[calibration])
        trainer.train()
        last = [line for line in trainer.state.log_history if "eval_ece_ew" in line][-1]
        new = trainer.predict(data(2000, 2))
    print(f"last epoch: ece_ew {last['eval_ece_ew']:.4f}, brier {last['eval_brier']:.4f}")
    print(f"temperature {calibration.temperature.parameters_['temperature']:.3f}")
    after = calibration.temperature.predict_proba(np.asarray(new.predictions))
    print(f"new data: ece_ew {tare.ece_ew(logits=new.predictions, labels=new.label_ids):.4f} -> {tare.ece_ew(probs=after, labels=new.label_ids):.4f}")


if __name__ == "__main__":
    main()
