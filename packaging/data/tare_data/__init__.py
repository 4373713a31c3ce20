"""The sample networks of tare: ``tare_data.data / "resnet110_cifar10.npz"`` is a file that every command and call reads."""

from pathlib import Path

data = Path(__file__).parent / "data"
paper = Path(__file__).parent / "paper"
