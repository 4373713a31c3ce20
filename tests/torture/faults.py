"""Interrupted, killed, out of disk, out of input: nothing half-written, no crash, no temporary file."""
import json
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from trial import Tally, judge

OLD = b"what stood here before\n"


def big_fold(folder, rows):
    """Logits whose work lasts long enough to be interrupted."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 10, rows)
    z = rng.normal(size=(rows, 10)).astype(np.float32)
    z[np.arange(rows), y] += 2
    np.savez(folder / "big.npz", val_logits=z, val_labels=y, test_logits=z, test_labels=y)
    np.save(folder / "big.npy", z)
    np.save(folder / "labels.npy", y)


def writers(replicates):
    """Commands that write OUT."""
    return [["fit", "vector", "big.npz", "-o", "OUT.json"],
            ["apply", "t.json", "--logits", "big.npy", "-o", "OUT.npy"],
            ["report", "big.npz", "--methods", "temperature,vector", "--replicates", "50", "-o", "OUT.html"],
            ["plot", "reliability", "big.npz", "-o", "OUT.svg"],
            ["measure", "big.npz", "--json", "-o", "OUT.json"],
            ["bbc", "--model", "resnet110_c10", "--replicates", str(replicates), "--json", "-o", "OUT.json"]]


def output_of(words):
    return next(w for w in words if w.startswith("OUT"))


def complete(path):
    """Whether a file has the end that belongs to its beginning."""
    data = path.read_bytes()
    if path.suffix == ".json":
        try:
            json.loads(data)
        except ValueError:
            return False
        return True
    if path.suffix == ".npy":
        try:
            np.load(path)
        except ValueError:
            return False
        return True
    return data.rstrip().endswith(b"</" + path.suffix[1:].encode() + b">")


def strangers(folder, before, allowed):
    return sorted(set(os.listdir(folder)) - before - allowed)


class Faults:
    def __init__(self, program, folder, tally, rng, writers):
        self.program, self.folder, self.tally, self.rng = program, Path(folder), tally, rng
        self.writers, self.seconds = writers, {}

    def prepare(self, rows):
        big_fold(self.folder, rows)
        ran = self.program.run(["fit", "temperature", "big.npz", "-o", "t.json"], self.folder)
        self.tally.check(ran.code == 0, "a fit without any fault", ran)
        for words in self.writers:
            ran = self.program.run(words, self.folder)
            path = self.folder / output_of(words)
            if self.tally.check(ran.code == 0 and complete(path), "a run without any fault", ran):
                self.seconds[tuple(words)] = ran.seconds
                path.unlink()

    def signalled(self, words, what, clean):
        """Sends a signal at a random moment of the run."""
        path = self.folder / output_of(words)
        path.write_bytes(OLD)
        before = set(os.listdir(self.folder))
        child = self.program.start(words, self.folder)
        time.sleep(self.rng.random() * 1.1 * self.seconds.get(tuple(words), 0.5))
        child.send_signal(what)
        try:
            child.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            child.kill()
            self.tally.fail(f"{what.name} did not end tare {' '.join(words)}")
        name = f"{what.name} in tare {' '.join(words)}"
        ends = {0, -what, 128 + what, 2}
        self.tally.check(child.returncode in ends, f"{name}: exit {child.returncode}")
        self.tally.check(path.read_bytes() == OLD or complete(path), f"{name}: {path.name} is half-written")
        left = strangers(self.folder, before, set())
        self.tally.check(not (left and clean), f"{name}: leaves {left}")
        for stranger in left:
            os.unlink(self.folder / stranger)
        path.unlink(missing_ok=True)
        self.tally.count(f"times {what.name}")

    def full_disk(self, words):
        """Writing fails after 100 bytes: refused, and what stood there stays."""
        path = self.folder / output_of(words)
        path.write_bytes(OLD)
        before = set(os.listdir(self.folder))
        ran = self.program.run(words, self.folder, file_size=100)
        judge(self.tally, ran, "a full disk", codes=(2,))
        self.tally.check(path.read_bytes() == OLD, f"a full disk changes {path.name}", ran)
        left = strangers(self.folder, before, set())
        self.tally.check(not left, f"a full disk leaves {left}", ran)
        path.unlink()
        self.tally.count("full disks")

    def full_device(self, words):
        with open("/dev/full", "wb") as full:
            ran = self.program.run(words, self.folder, stdout=full)
        judge(self.tally, ran, "standard output is full", codes=(2,))
        self.tally.count("full disks")

    def truncated(self, words, name):
        """The input loses its end while it is read."""
        source = self.folder / name
        whole = source.read_bytes()
        before = set(os.listdir(self.folder))
        child = self.program.start(words, self.folder)
        time.sleep(self.rng.random() * 0.1)
        os.truncate(source, 0)
        try:
            out, err = child.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
        source.write_bytes(whole)
        what = f"{name} truncated during tare {' '.join(words)}"
        ok = self.tally.check(child.returncode in (0, 2), f"{what}: exit {child.returncode}: {err.decode()[-200:]}")
        path = self.folder / output_of([*words, "OUT"])
        if ok and child.returncode == 2:
            self.tally.check(not path.exists(), f"{what}: {path.name} is written all the same")
            self.tally.check(b"error: " in err, f"{what}: no error line: {err.decode()[-200:]}")
        path.unlink(missing_ok=True)
        left = strangers(self.folder, before, set())
        self.tally.check(not left, f"{what}: leaves {left}")
        self.tally.count("truncations")

    def closed_pipe(self, words):
        child = self.program.start(words, self.folder)
        child.stdout.close()
        err = child.stderr.read().decode()
        code = child.wait(timeout=300)
        self.tally.check(code == 0 and "error" not in err, f"closed pipe: exit {code} from tare {' '.join(words)}: {err[-200:]}")
        self.tally.count("closed pipes")


def everything(program, short, seed=1):
    tally = Tally("faults")
    with tempfile.TemporaryDirectory(prefix="tare-faults-") as folder:
        faults = Faults(program, folder, tally, random.Random(seed), writers(200 if short else 2000))
        faults.prepare(4_000 if short else 200_000)
        rounds = 1 if short else 20
        for words in faults.writers:
            for _ in range(rounds):
                faults.signalled(words, signal.SIGKILL, clean=False)
                faults.signalled(words, signal.SIGINT, clean=True)
                faults.signalled(words, signal.SIGTERM, clean=True)
            faults.full_disk(words)
        faults.full_device(["measure", "big.npz", "--no-interval"])
        faults.full_device(["list"])
        for _ in range(rounds * 2):
            faults.truncated(["measure", "--logits", "big.npy", "--labels", "labels.npy"], "big.npy")
            faults.truncated(["apply", "t.json", "--logits", "big.npy", "-o", "OUT.npy"], "big.npy")
            faults.truncated(["measure", "big.npz"], "big.npz")
        for words in (["list"], ["measure", "big.npz", "--no-interval"], ["measure", "big.npz", "--no-interval", "--json"]):
            faults.closed_pipe(words)
    return tally
