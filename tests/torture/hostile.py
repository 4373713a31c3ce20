"""Files and models that are not what they say: refused with a sentence, or read; never a crash, a hang or a flood of memory."""
import io
import json
import os
import random
import struct
import tempfile
import zipfile
import zlib
from pathlib import Path

from trial import GIB, Tally, judge

NUMBERS = ["0", "-1", "1e308", "-1e308", "1e-320", "NaN", "Infinity", "18446744073709551616", "9007199254740993", '"x"', "[]", "null"]


def npy(shape, body=b"", dtype="<f4", fortran=False):
    text = f"{{'descr': '{dtype}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header = text.encode() + b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body


def mutated(data, rng):
    """Bytes flipped, cut, doubled, swapped or overwritten by numbers that mean trouble."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        if not data:
            break
        at = rng.randrange(len(data))
        kind = rng.randrange(7)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at] = rng.choice((0, 9, 10, 13, 27, 34, 39, 44, 45, 46, 127, 128, 255))
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at:at + rng.randrange(1, 64)]
        elif kind == 4:
            data[at:at] = data[at:at + rng.randrange(1, 64)]
        elif kind == 5:
            data[at:at + 4] = struct.pack("<I", rng.choice((0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)))
        else:
            data[at:at] = rng.choice((b"1e999", b"nan", b"-inf", b"\x1b[31m", b"\x00", b"99999999999999999999", b"\xff\xfe"))
    return bytes(data)


def broken_json(text, rng):
    """A model with one value exchanged, one key gone, or bytes mutated."""
    if rng.random() < 0.4:
        return mutated(text, rng)
    tree = json.loads(text)
    node, path = tree, []
    while isinstance(node, (dict, list)) and node and (not path or rng.random() < 0.75):
        key = rng.choice(list(node)) if isinstance(node, dict) else rng.randrange(len(node))
        path.append((node, key))
        node = node[key]
    holder, key = path[-1]
    if rng.random() < 0.3:
        del holder[key]
        return json.dumps(tree).encode()
    holder[key] = "@"
    return json.dumps(tree).replace('"@"', rng.choice(NUMBERS), 1).encode()


def zip_bomb(inside, declared=None):
    """One stored name that inflates to `inside` bytes of zeros; declared: what the directory says instead."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        with z.open("probs.npy", "w", force_zip64=True) as f:
            f.write(npy((10, 2)))
            for _ in range(inside >> 20):
                f.write(bytes(1 << 20))
        z.writestr("labels.npy", npy((10,), bytes(40), "<i4"))
    return out.getvalue()


def special_cases():
    """(name, bytes) of files that must be refused, each quickly and in little memory."""
    many = zlib.compress(bytes(1 << 20))
    return [("huge_shape.npy", npy((1 << 40, 1 << 20))),
            ("overflowing_shape.npy", npy((1 << 62, 4))),
            ("negative_shape.npy", npy((-5, 2), bytes(40))),
            ("promises_more.npy", npy((1000, 10), bytes(100))),
            ("object.npy", npy((2,), b"cos\nsystem\n", "|O")),
            ("long_header.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\x7f{"),
            ("escape.npy", npy((3,), bytes(12), "\x1b[31mred\x07")),
            ("bomb.npz", zip_bomb(64 << 20)),
            ("truncated.npz", zip_bomb(1 << 20)[:-30]),
            ("garbage.npz", b"PK\x03\x04" + many[:500]),
            ("one_long_line.csv", b"a" * (1 << 22)),
            ("quote_without_end.csv", b'confidence,correct\n"0.5,1\n' + b"0.5,1\n" * 1000),
            ("nul.csv", b"confidence,correct\n0.5\x00,1\n"),
            ("escape.csv", b"\x1b]0;title\x07,correct\n0.5,1\n"),
            ("empty.csv", b""), ("empty.npy", b""), ("empty.npz", b"")]


def devices():
    """Things that are no files. Each must end by itself, and soon."""
    return [["measure", "/dev/zero"], ["measure", "/dev/full"], ["measure", "/dev/null"], ["measure", "."], ["measure", "/dev/tty0"],
            ["measure", "--logits", "/dev/zero", "--labels", "/dev/zero"], ["measure", "--probs", ".", "--labels", "."],
            ["apply", "/dev/zero", "--logits", "/dev/zero", "-o", "out.npy"],
            ["bbc", "--model", "resnet110_c10", "--replicates", "2", "--checkpoint", "/dev/full"],
            ["bbc", "--model", "resnet110_c10", "--replicates", "2", "--checkpoint", "/dev/zero"],
            ["fit", "temperature", "/dev/zero", "-o", "m.json"], ["report", "/dev/zero", "-o", "r.html"],
            ["measure", "no\x1b[31msuch\x07file.npz"], ["measure", "--\x1b[31mflag"], ["\x1b[31mcommand"]]


def seeds(root):
    """Small valid files to start from, by what they are."""
    found = {"npy": [], "npz": [], "csv": [], "json": []}
    for folder in (root / "tests" / "read" / "files", root / "fuzz" / "corpus", root / "tests" / "fit" / "saved"):
        for path in sorted(folder.rglob("*")):
            kind = path.suffix[1:] if path.suffix[1:] in found else path.parent.name
            if path.is_file() and kind in found and ".rows" not in path.suffixes and path.stat().st_size < 200_000:
                found[kind].append(path.read_bytes())
    assert all(found.values()), "no seeds"
    return found


def everything(program, root, short, seed=1):
    tally = Tally("hostile input")
    rng = random.Random(seed)
    small = {"memory": 2 * GIB, "seconds": 60}
    start = seeds(root)
    with tempfile.TemporaryDirectory(prefix="tare-hostile-") as name:
        folder = Path(name)
        (folder / "y.npy").write_bytes(npy((3,), bytes(12), "<i4"))  # as many as most seeds have
        for k in (1, 2, 3):
            rows = struct.pack(f"<{4 * k}f", *([1 / k] * (4 * k)))  # logits or probabilities, as one likes
            (folder / f"z{k}.npy").write_bytes(npy((4, k) if k > 1 else (4,), rows))
        for name, data in special_cases():
            (folder / name).write_bytes(data)
            judge(tally, program.run(["measure", name, "--no-interval"], folder, **small), name, codes=(2,))
            tally.count("special files")
        for words in devices():
            judge(tally, program.run(words, folder, **small), "no file at all", codes=(2,))
            tally.count("devices and names")
        for case in range(300 if short else 20_000):
            kind = rng.choice(("npy", "npz", "csv", "json"))
            data = rng.choice(start[kind])
            path = folder / f"hostile.{kind}"
            path.write_bytes(broken_json(data, rng) if kind == "json" else mutated(data, rng))
            if kind == "json":
                declared = next(w for w in (b"logits", b"confidences", b"probs") if w in data or w == b"probs").decode()
                words = ["apply", path.name, "--" + declared, f"z{rng.choice((1, 2, 3, 3))}.npy", "-o", "out.npy", "--quiet"]
            elif kind == "npy":
                words = ["measure", "--" + rng.choice(("logits", "probs", "confidences")), path.name,
                         "--" + rng.choice(("labels", "correct")), "y.npy", "--no-interval", "--json"]
            else:
                words = ["measure", path.name, "--no-interval", "--json"]
            ran = program.run(words, folder, **small)
            if not judge(tally, ran, f"mutated {kind}, case {case} of seed {seed}"):
                keep = Path(tempfile.gettempdir()) / f"tare-hostile-{seed}-{case}.{kind}"
                keep.write_bytes(path.read_bytes())
                print(f"  kept as {keep}")
            (folder / "out.npy").unlink(missing_ok=True)
            tally.count(f"mutated {kind}" if kind != "json" else "mutated models")
            tally.count("of all accepted", ran.code == 0)
        left = sorted(set(os.listdir(folder)) - {n for n, _ in special_cases()} - {"y.npy", "z1.npy", "z2.npy", "z3.npy"})
        tally.check(not [x for x in left if not x.startswith("hostile.")], f"hostile input leaves {left}")
    return tally
