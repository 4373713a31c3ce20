"""What goes wrong outside: too little memory, files that shrink, signals, hostile names."""

import os
import stat
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tare


def script(text):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("call", [
    "tare.measure(probs=p, labels=y, threads=4)",
    "tare.test(probs=p, labels=y, threads=4, resamples=99)",
    "tare.IsotonicCalibration('probs').fit(p, y)",
])
def test_too_little_memory_is_an_exception(call):
    """In whichever thread it is noticed, and also where no thread can be started."""
    done = script(f"""
        import resource, numpy as np, tare
        rng = np.random.default_rng(1)
        p = rng.random(2_000_000)
        y = (rng.random(2_000_000) < p).astype(np.int64)
        call = lambda p, y: {call}
        call(p[:100], y[:100])  # modules that are imported when they are first needed
        size = next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith("VmSize")) * 1024
        resource.setrlimit(resource.RLIMIT_AS, (size + 2**22, resource.RLIM_INFINITY))
        try:
            call(p, y)
            print("an answer")
        except (MemoryError, tare.Error) as error:
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            print(type(error).__name__, error)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(tare.ece_ew(probs=[0.5], labels=[1]))
    """)
    assert done.returncode == 0, done.stderr
    assert "memory" in done.stdout.lower() or "bad_alloc" in done.stdout, done.stdout
    assert done.stdout.endswith("\n0.5\n")


def test_neither_importing_nor_running_leaves_a_signal_handler():
    done = script("""
        import numpy, sys
        masks = lambda: [l for l in open("/proc/self/status") if l.startswith(("SigCgt", "SigIgn", "SigBlk"))]
        before = masks()
        import tare
        assert masks() == before
        tare._tare.run(["tare", "list"])
        assert masks() == before
        from tare.__main__ import main
        sys.argv = ["tare", "bbc", "--model", "resnet110_c10", "--n", "20", "--replicates", "2", "--quiet"]
        main()
        assert masks() == before
    """)
    assert done.returncode == 0, done.stderr


def test_the_program_in_python_says_which_file_shrank(tmp_path):
    np.save(tmp_path / "z.npy", np.zeros((100_000, 2)))
    words = ["measure", "--logits", "z.npy", "--labels", "-", "-o", "out.txt"]
    program = subprocess.Popen([sys.executable, "-m", "tare", *words], stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path)
    program.stdin.write(b"label\n" + b"0\n" * 100_000)  # more than a pipe holds: it is being read, and z.npy is open
    program.stdin.flush()
    os.truncate(tmp_path / "z.npy", 4096)
    errors = program.communicate(timeout=60)[1].decode()
    assert (program.returncode, errors.splitlines()[0]) == (2, "error: z.npy became shorter while it was read")
    assert sorted(os.listdir(tmp_path)) == ["z.npy"]


def test_messages_are_clean(tmp_path):
    (tmp_path / "evil.npy").write_bytes(b"\x93NUMPY\x01\x00\x20\x00" + b"{'descr': '\x1b[2J\x07', 'shape': 1}".ljust(32))
    for call in (lambda: tare.measure("\x1b[2J.npz"), lambda: tare.measure(logits=str(tmp_path / "evil.npy"), labels=[0]),
                 lambda: tare.measure(probs=[0.5], labels=[1], estimators="\x1b[2J\x9b")):
        with pytest.raises((tare.Error, TypeError)) as caught:
            call()
        assert not set(str(caught.value)) & set("\x1b\x07\x9b"), str(caught.value)


def test_saving_is_whole_or_not_at_all(tmp_path):
    model = tare.TemperatureScaling("probs").fit([[0.2, 0.8], [0.6, 0.4], [0.3, 0.7]], [1, 0, 0])
    path = tmp_path / "model.json"
    path.write_text("old")
    path.chmod(0o604)
    model.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert tare.load(path).to_json() == model.to_json()
    with pytest.raises(tare.Error) as caught:
        model.save(tmp_path / "no" / "such.json")
    assert caught.value.code == "io"
    assert os.listdir(tmp_path) == ["model.json"]
