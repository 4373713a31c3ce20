"""Every `tare …` command of the README and of docs/, run as printed, on shipped networks.

A command is a line of a code block that begins with `tare` or `$ tare`, or inline code that names a file of data/.
"""
import re
import shlex
import tempfile
from pathlib import Path

from networks import lay_out
from trial import Tally, judge

BLOCK = re.compile(r"^(?:    |\$ |    \$ )?(tare [a-z].*)$")
INLINE = re.compile(r"`(tare [^`]*\bdata/[^`]*)`")


def words_of(text):
    """Explanations stand behind three blanks or a #."""
    text = re.split(r" {3,}| # |;", text)[0]
    return shlex.split(text)[1:]


def commands(root):
    """(where, words) in the order of the text; the same words only once."""
    seen, out = set(), []
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        for number, line in enumerate(page.read_text().splitlines(), 1):
            found = [m.group(1) for m in [BLOCK.match(line.rstrip())] if m] or INLINE.findall(line)
            for text in found:
                words = words_of(text)
                if words and tuple(words) not in seen:
                    seen.add(tuple(words))
                    out.append((f"{page.relative_to(root)}:{number}", words))
    return out


def is_long(words):
    return words[0] == "paper"


def quickly(words):
    """The same work with fewer random draws, for the short run."""
    fewer = {"bbc": ["--replicates", "50"], "report": ["--replicates", "50"], "compare": ["--resamples", "200"],
             "paper": ["--quick"]}
    if words[:2] == ["plot", "bias"]:
        return [*words, "--replicates", "50"]
    return words + fewer.get(words[0], []) if "--replicates" not in words else words


def on_network(words, network):
    """`data/NAME.npz` of the text becomes the network at hand."""
    return [re.sub(r"^data/\w+\.npz", str(network), w) for w in words]


first = "lenet5_cifar10"  # the short run uses this network for all commands


def run_page_commands(program, root, network, tally, short):
    with tempfile.TemporaryDirectory(prefix="tare-documented-") as folder:
        lay_out(network, folder)
        for name in ("data", "paper"):
            (Path(folder) / name).symlink_to(root / name)
        (Path(folder) / "docs" / "images").mkdir(parents=True)
        tried = set()
        for where, words in commands(root):
            words = on_network(words, "predictions.npz")
            if tuple(words) in tried or (is_long(words) and network.stem != first):
                continue  # said before, or does not depend on the network
            tried.add(tuple(words))
            words = quickly(words) if short or is_long(words) else words
            ran = program.run(words, folder, seconds=900)
            judge(tally, ran, f"{where} on {network.stem}", codes=(0, 1) if "--gate" in words else (0,))
            tally.count("documented commands")


def everything(program, root, short, only=None):
    """Short: every command on one network, and compare and report on all of them with fewer draws."""
    tally = Tally("documented commands")
    networks = sorted((root / "data").glob("*.npz"))
    assert networks and commands(root), "no networks or no commands found"
    for network in networks:
        if only and network.stem not in only:
            continue
        if network.stem == first or not short:
            run_page_commands(program, root, network, tally, short)
        if short:
            with tempfile.TemporaryDirectory(prefix="tare-documented-") as folder:
                for words in (["compare", str(network), "--resamples", "200", "--json"],
                              ["report", str(network), "--replicates", "20", "-o", "report.html"]):
                    judge(tally, program.run(words, folder, seconds=900), f"{words[0]} on {network.stem}", codes=(0,))
                    tally.count(f"times {words[0]}")
        tally.count("networks")
        print(f"  {network.stem}: done", flush=True)
    return tally
