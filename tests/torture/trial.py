"""One run of the program under limits, and a tally of what was tried."""
import json
import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

GIB = 1 << 30


class Ran:
    def __init__(self, words, code, out, err, seconds):
        self.words, self.code, self.out, self.err, self.seconds = words, code, out, err, seconds

    @property
    def crashed(self):
        return self.code < 0 or self.code in (124, 134, 136, 139)


def limits(memory=12 * GIB, file_size=None):
    """What a child sets for itself. A file that grows too large is then a failed write, as on a full disk."""

    def apply():
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if file_size is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

    return apply


class Program:
    """Runs `tare`. A sanitizer reserves terabytes of addresses, so that memory is not limited under one."""

    def __init__(self, path):
        self.path = Path(path).resolve()
        self.sanitized = b"__asan_init" in self.path.read_bytes()

    def start(self, words, folder, memory=12 * GIB, file_size=None, **streams):
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
        return subprocess.Popen([self.path, *words], cwd=folder, env=os.environ | {"NO_COLOR": "1", "COLUMNS": "80"},
                                preexec_fn=limits(None if self.sanitized else memory, file_size), **streams)

    def run(self, words, folder, seconds=600, **how):
        began = time.monotonic()
        child = self.start(words, folder, **how)
        try:
            out, err = child.communicate(timeout=seconds)
            code = child.returncode
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            code = 124
        text = [x.decode("utf-8", "replace") if x is not None else "" for x in (out, err)]
        return Ran(words, code, *text, time.monotonic() - began)


class Tally:
    """Counts by kind; keeps what went wrong."""

    def __init__(self, title, talk=True):
        self.title, self.talk = title, talk
        self.counts, self.failures = {}, []

    def count(self, kind, number=1):
        self.counts[kind] = self.counts.get(kind, 0) + number

    def fail(self, what, ran=None):
        lines = [what]
        if ran:
            lines.append(f"  exit {ran.code} after {ran.seconds:.1f} s: tare {' '.join(map(str, ran.words))}")
            lines += ["  | " + line for line in (ran.err or ran.out).splitlines()[-4:]]
        self.failures.append("\n".join(lines))
        print("FAILED " + self.failures[-1], flush=True)

    def check(self, ok, what, ran=None):
        if not ok:
            self.fail(what, ran)
        return ok

    def finish(self):
        said = ", ".join(f"{n:,} {kind}" for kind, n in self.counts.items())
        print(f"{self.title}: {said or 'nothing'}; {len(self.failures)} failed", flush=True)
        return not self.failures


CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def refused_well(ran):
    """Exit 2 is a line that says what, a line that says what to do, and nothing else. Returns what is wrong, or None."""
    if not re.search(r"^error: \S", ran.err, re.M):
        return "exit 2 without a line `error: …`"
    if ran.out:
        return "exit 2 with something on standard output"
    if CONTROL.search(ran.err):
        return "control characters on standard error"
    return None


def no_constant(name):
    raise ValueError(f"{name} is no JSON number")


def answered_well(ran):
    """JSON on standard output has no NaN and no Infinity."""
    if ran.out.startswith("{"):
        try:
            json.loads(ran.out, parse_constant=no_constant)
        except ValueError as e:
            return f"bad JSON: {e}"
    return None


def judge(tally, ran, what, codes=(0, 2)):
    """No crash, an expected exit code, and a good answer or a good refusal."""
    if ran.code not in codes:
        tally.fail(f"{what}: {'crashed or did not end' if ran.crashed else 'unexpected exit code'}", ran)
        return False
    wrong = refused_well(ran) if ran.code == 2 else answered_well(ran)
    if wrong:
        tally.fail(f"{what}: {wrong}", ran)
    return not wrong
