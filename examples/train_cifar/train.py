"""Trains the networks of Guo et al. 2017 and Roelofs et al. 2022 on CIFAR and writes what `tare` reads.

  python train.py resnet110 cifar10 --data ~/cifar --epochs 35 --weight-decay 5e-4 --out .

writes resnet110_cifar10.npz (val_logits, val_labels, test_logits, test_labels), appends a row to training_runs.csv, and with --curve
writes test error, NLL and ECE after every epoch. Needs PyTorch and NumPy; not part of the build.
"""
import argparse
import csv
import math
import pathlib
import pickle

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


# ---- networks: all take 32 x 32 images with three channels

class LeNet5(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, classes))

    def forward(self, x):
        return self.head(self.features(x))


class ConvNet(nn.Module):
    """Six layers, with or without batch normalisation (Guo et al. Figure 2)."""

    def __init__(self, classes, batch_norm):
        super().__init__()
        layers, channels = [], 3
        for width, pool in ((64, False), (64, True), (128, False), (128, True), (256, True)):
            layers += [nn.Conv2d(channels, width, 3, padding=1, bias=not batch_norm)]
            layers += [nn.BatchNorm2d(width)] if batch_norm else []
            layers += [nn.ReLU()] + ([nn.MaxPool2d(2)] if pool else [])
            channels = width
        self.features = nn.Sequential(*layers)
        self.head = nn.Linear(256 * 16, classes)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


class Block(nn.Module):
    """Two 3 x 3 convolutions beside the identity; with stochastic depth the block is left out at random while training."""

    def __init__(self, inside, outside, stride, survival=1.0):
        super().__init__()
        self.conv1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outside)
        self.conv2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outside)
        self.stride, self.extra, self.survival = stride, outside - inside, survival

    def forward(self, x):
        shortcut = F.pad(x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, 0, self.extra)) if self.stride > 1 or self.extra else x
        if self.training and self.survival < 1 and torch.rand(()) > self.survival:
            return F.relu(shortcut)
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        if not self.training:
            y = self.survival * y
        return F.relu(shortcut + y)


class ResNet(nn.Module):
    """He et al. 2016 for CIFAR: 6 k + 2 layers in three stages; `last_survival` < 1 is Huang et al. 2016, linear decay."""

    def __init__(self, depth, classes, width=16, last_survival=1.0):
        super().__init__()
        each = (depth - 2) // 6
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU())
        blocks, inside = [], width
        for stage in range(3):
            outside = width * 2**stage
            for i in range(each):
                share = (stage * each + i + 1) / (3 * each)
                blocks.append(Block(inside, outside, 2 if stage > 0 and i == 0 else 1, 1 - share * (1 - last_survival)))
                inside = outside
        self.blocks = nn.Sequential(*blocks)
        self.head = nn.Linear(inside, classes)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


class DenseNet(nn.Module):
    """Huang et al. 2017: 40 layers, growth 12, three blocks."""

    def __init__(self, classes, depth=40, growth=12):
        super().__init__()
        each, channels = (depth - 4) // 3, 16
        layers = [nn.Conv2d(3, channels, 3, 1, 1, bias=False)]
        for block in range(3):
            for _ in range(each):
                layers.append(Dense(channels, growth))
                channels += growth
            if block < 2:
                layers += [nn.BatchNorm2d(channels), nn.ReLU(), nn.Conv2d(channels, channels, 1, bias=False), nn.AvgPool2d(2)]
        self.features = nn.Sequential(*layers, nn.BatchNorm2d(channels), nn.ReLU())
        self.head = nn.Linear(channels, classes)

    def forward(self, x):
        return self.head(self.features(x).mean((2, 3)))


class Dense(nn.Module):
    def __init__(self, channels, growth):
        super().__init__()
        self.norm, self.conv = nn.BatchNorm2d(channels), nn.Conv2d(channels, growth, 3, 1, 1, bias=False)

    def forward(self, x):
        return torch.cat([x, self.conv(F.relu(self.norm(x)))], 1)


def network(args, classes):
    if args.arch == "lenet5":
        return LeNet5(classes)
    if args.arch == "convnet":
        return ConvNet(classes, not args.no_batch_norm)
    if args.arch == "densenet40":
        return DenseNet(classes)
    if args.arch == "wrn32_4":
        return ResNet(32, classes, width=64)
    if args.arch == "resnet110sd":
        return ResNet(110, classes, width=args.width, last_survival=0.5)
    if args.arch.startswith("resnet") and args.arch[6:].isdigit():
        return ResNet(int(args.arch[6:]), classes, width=args.width)
    raise SystemExit(f"there is no architecture '{args.arch}'")


# ---- data: the python version of CIFAR, as its authors distribute it

def load(folder, dataset):
    folder = pathlib.Path(folder).expanduser() / ("cifar-10-batches-py" if dataset == "cifar10" else "cifar-100-python")
    files = [f"data_batch_{i}" for i in range(1, 6)] if dataset == "cifar10" else ["train"]
    key = b"labels" if dataset == "cifar10" else b"fine_labels"

    def read(names):
        parts = [pickle.load(open(folder / name, "rb"), encoding="bytes") for name in names]
        images = np.concatenate([p[b"data"] for p in parts]).reshape(-1, 3, 32, 32)
        return torch.from_numpy(images), torch.from_numpy(np.concatenate([np.asarray(p[key]) for p in parts]).astype(np.int64))

    return read(files), read(["test_batch" if dataset == "cifar10" else "test"])


def generated(classes, n=60):
    """Noise around a mean per class, in the form of load(): to see that everything runs, without any data."""
    draw = torch.Generator().manual_seed(1)

    def images(n):
        y = torch.arange(n) % classes
        x = 96 + 64 * torch.rand(n, 3, 32, 32, generator=draw) + y[:, None, None, None] * 64 / classes
        return x.to(torch.uint8), y

    return images(n), images(n // 2)


def augmented(x):
    """Random crops of the image padded by 4, and flips."""
    n = len(x)
    x = F.pad(x, (4, 4, 4, 4))
    top, left = torch.randint(0, 9, (2, n), device=x.device)
    rows = top[:, None] + torch.arange(32, device=x.device)
    columns = left[:, None] + torch.arange(32, device=x.device)
    columns = torch.where(torch.rand(n, 1, device=x.device) < 0.5, columns, columns.flip(1))
    return x[torch.arange(n, device=x.device)[:, None, None, None], torch.arange(3, device=x.device)[None, :, None, None],
             rows[:, None, :, None], columns[:, None, None, :]]


# ---- measuring, in a few lines; `tare measure` does it properly

@torch.no_grad()
def logits(model, x):
    model.eval()
    return torch.cat([model(part) for part in x.split(1000)]).float().cpu().numpy()


def summary(z, y):
    z = z.astype(np.float64)
    p = np.exp(z - z.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    hit, conf = p.argmax(1) == y, p.max(1)
    bins = np.clip(np.ceil(conf * 15).astype(int) - 1, 0, 14)
    ece = sum(abs(hit[bins == b].sum() - conf[bins == b].sum()) for b in range(15)) / len(y)
    return dict(acc=hit.mean(), conf=conf.mean(), ece=ece, nll=-np.log(p[np.arange(len(y)), y]).mean())


def rate(args, epoch):
    """Learning rate of an epoch, counted from 0 in fractions: a cosine, or tenths after half and three quarters."""
    if args.schedule == "cosine":
        return args.lr * 0.5 * (1 + math.cos(math.pi * epoch / args.epochs))
    return args.lr * 0.1 ** ((epoch >= args.epochs / 2) + (epoch >= args.epochs * 3 / 4))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arch", help="lenet5, resnetN, resnet110sd, wrn32_4, densenet40, convnet")
    parser.add_argument("dataset", choices=["cifar10", "cifar100"])
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--data", help="folder with cifar-10-batches-py or cifar-100-python")
    source.add_argument("--smoke", action="store_true", help="generated images and one epoch of one step: does everything run?")
    parser.add_argument("--out", default=".")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--width", type=int, default=16, help="filters of the first stage of a ResNet")
    parser.add_argument("--no-batch-norm", action="store_true", help="convnet without it")
    parser.add_argument("--weight-decay", type=float, default=5e-4)
    parser.add_argument("--schedule", choices=["cosine", "step"], default="cosine")
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", action="store_true", help="test error, NLL and ECE after every epoch")
    args = parser.parse_args()
    classes = 10 if args.dataset == "cifar10" else 100
    if args.smoke:
        args.epochs = 1

    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    (x, y), (x_test, y_test) = generated(classes) if args.smoke else load(args.data, args.dataset)
    mean, std = x.float().mean((0, 2, 3), keepdim=True) / 255, x.float().std((0, 2, 3), keepdim=True) / 255
    scale = lambda images: ((images.float() / 255 - mean) / std).to(device)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(args.seed))
    last = len(x) - len(x) // 10  # 45,000 of CIFAR's 50,000
    train, val = order[:last], order[last:]
    x_train, y_train, x_val, x_test = scale(x[train]), y[train].to(device), scale(x[val]), scale(x_test)

    model = network(args, classes).to(device)
    decayed = [p for p in model.parameters()]
    optimizer = torch.optim.SGD(decayed, lr=args.lr, momentum=0.9, weight_decay=args.weight_decay)
    curve, loss_mean = [], 0.0
    for epoch in range(args.epochs):
        model.train()
        parts = torch.randperm(len(x_train), device=device).split(args.batch)
        total = 0.0
        for i, part in enumerate(parts):
            for group in optimizer.param_groups:
                group["lr"] = rate(args, epoch + (i / len(parts) if args.schedule == "cosine" else 0))
            loss = F.cross_entropy(model(augmented(x_train[part])), y_train[part])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(part)
        loss_mean = total / len(x_train)
        if args.curve:
            curve.append(dict(epoch=epoch + 1, train_loss=loss_mean, **summary(logits(model, x_test), y_test.numpy())))
        print(f"epoch {epoch + 1}/{args.epochs}: training loss {loss_mean:.4f}", flush=True)

    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    z_val, z_test = logits(model, x_val), logits(model, x_test)
    kind = np.float32 if args.dataset == "cifar10" else np.float16
    np.savez_compressed(out / f"{args.arch}_{args.dataset}.npz", val_logits=z_val.astype(kind), val_labels=y[val].numpy().astype(np.int16),
                        test_logits=z_test.astype(kind), test_labels=y_test.numpy().astype(np.int16))
    row = dict(arch=args.arch, dataset=args.dataset, epochs=args.epochs, width=args.width if args.arch.startswith("resnet") else "",
               batch_norm=0 if args.no_batch_norm or args.arch == "lenet5" else 1, weight_decay=args.weight_decay, schedule=args.schedule, train_loss=round(loss_mean, 4))
    for name, z, labels in (("val", z_val, y[val].numpy()), ("test", z_test, y_test.numpy())):
        row.update({f"{name}_{k}": round(float(v), 5) for k, v in summary(z, labels).items()})
    runs = out / "training_runs.csv"
    fresh = not runs.exists()
    with open(runs, "a", newline="") as file:
        writer = csv.DictWriter(file, row)
        if fresh:
            writer.writeheader()
        writer.writerow(row)
    if curve:
        with open(out / f"training_curve_{args.arch}_w{args.width}_{args.dataset}.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, curve[0])
            writer.writeheader()
            writer.writerows({k: v if k == "epoch" else round(float(v), 5) for k, v in r.items()} for r in curve)


if __name__ == "__main__":
    main()
