"""The GPU library, a plain read of the same array, torch eager and torch.compile, in one run and one table.

    python bench/gpu/bench.py build/gpu/gpu_bench

With a tare that has its GPU part, calls from Python, too.
"""

import json
import subprocess
import sys
from datetime import date


def lines(program):
    out = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def torch_rows():
    import torch

    def milliseconds(f):
        times = []
        for i in range(13):
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            f()
            end.record()
            end.synchronize()
            if i > 1:
                times.append(start.elapsed_time(end))
        return sorted(times)[len(times) // 2]

    def top(z, y):
        p, at = torch.softmax(z.float(), -1).max(-1)
        return p, at == y, torch.nn.functional.cross_entropy(z.float(), y, reduction="none")

    def lean(z, y):  # no probabilities are written
        m, at = z.max(-1)
        normaliser = torch.logsumexp(z.float(), -1)
        return torch.exp(m.float() - normaliser), at == y, normaliser - z.gather(-1, y[:, None]).squeeze(-1).float()

    for n, k, dtype in ((1_000_000, 1000, torch.float32), (1_000_000, 1000, torch.bfloat16), (32768, 128256, torch.bfloat16),
                        (10_000_000, 100, torch.float32), (100_000_000, 10, torch.float32)):
        z = (torch.randn(n, k, device="cuda", dtype=dtype) if n * k < 2**31 else torch.cat([torch.randn(n // 4, k, device="cuda", dtype=dtype) for _ in range(4)])) * 3
        y = torch.randint(k, (n,), device="cuda")
        name = f"{n:,} x {k:,} {str(dtype).rpartition('.')[2]}"
        try:
            yield {"what": f"torch eager {name}", "ms": milliseconds(lambda: lean(z, y))}
        except RuntimeError as why:
            yield {"what": f"torch eager {name}", "why": str(why)[:80]}
        torch._dynamo.reset()
        compiled = torch.compile(lean)
        try:
            yield {"what": f"torch.compile {name}", "ms": milliseconds(lambda: compiled(z, y))}
        except RuntimeError as why:
            yield {"what": f"torch.compile {name}", "why": str(why)[:80]}
        del z, y
        torch.cuda.empty_cache()


def python_rows():
    """The whole call from Python, with the sort, against the same after a copy to the CPU."""
    import time

    import tare
    import torch
    from tare import _device

    if _device.module() is None:
        yield {"what": "python: this tare has no GPU part"}
        return

    def milliseconds(f):
        times = []
        for i in range(4):
            torch.cuda.synchronize()
            start = time.perf_counter()
            f()
            times.append(1e3 * (time.perf_counter() - start))
        return sorted(times[1:])[1]

    n, k = 10_000_000, 10
    z, y = 3 * torch.randn(n, k, device="cuda"), torch.randint(k, (n,), device="cuda")
    for name in ("ks", "ece_em"):
        f = getattr(tare, name)
        yield {"what": f"tare.{name}, {n:,} x {k} float32, where they are", "ms": milliseconds(lambda: f(logits=z, labels=y))}
        yield {"what": f"tare.{name}, {n:,} x {k} float32, copied", "ms": milliseconds(lambda: f(logits=z.cpu().numpy(), labels=y.cpu().numpy()))}


def main():
    rows = lines(sys.argv[1])
    about = next(row for row in rows if row["what"] == "device") if any(row["what"] == "device" for row in rows) else None
    if about is None:
        print("!!!!!! NO GPU HERE: nothing was measured")
        return
    driver = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True, text=True).stdout.strip()
    print(f"{about['name']}, driver {driver}, CUDA {about['runtime'] // 1000}, {date.today()}")
    rows += list(torch_rows())
    try:
        rows += list(python_rows())
    except ImportError as why:
        rows.append({"what": "python", "why": str(why)})
    reads = {row["what"][5:]: row["ms"] for row in rows if row["what"].startswith("read ")}
    print(f"{'':62}{'ms':>10}{'reads':>8}{'share of the read':>20}")
    for row in rows:
        if "ms" not in row or not row["ms"]:
            if row["what"] != "device":
                print(f"{row['what']:62} {({k: v for k, v in row.items() if k not in ('what', 'ms')})}")
            continue
        read = row.get("read_ms") or next((ms for name, ms in reads.items() if row["what"].endswith(name)), None)
        ratios = f"{row['ms'] / read:8.2f}{read / row['ms']:20.2f}" if read else ""
        more = {k: v for k, v in row.items() if k not in ("what", "ms", "read_ms")}
        print(f"{row['what']:62}{row['ms']:10.3f}{ratios} {more or ''}")


main()
