"""Every `tare …` command of the README, of docs/ and of --help, run as printed, on shipped networks.

A command is a line of a code block that begins with `tare` or `$ tare`, inline code that names a file of data/, or an
example of a help page. Of a pipeline only what tare does is run.
"""
import glob
import re
import shlex
import shutil
import tempfile
from pathlib import Path

from logs import lay_out_logs
from networks import lay_out, lay_out_made, lay_out_tables
from trial import Tally, judge

BLOCK = re.compile(r"^(?:    |\$ |    \$ )?(tare [a-z].*)$")
INLINE = re.compile(r"`(tare [^`]*\bdata/[^`]*)`")


def words_of(text):
    """Explanations stand behind three blanks or a #."""
    text = re.split(r" {3,}| [#|>] | && | \|\| |;", text)[0]
    return shlex.split(text)[1:]


def of_pages(root):
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for text in [m.group(1) for m in [BLOCK.match(line.rstrip())] if m] or INLINE.findall(line):
                yield f"{page.relative_to(root)}:{number}", words_of(text)


def of_help(program):
    """The examples of every command that `tare --help` lists."""
    listed = re.findall(r"^  ([a-z]+) ", program.run(["--help"], ".").out.split("\nEXAMPLES")[0], re.M)
    for command in [[], *([name] for name in listed)]:
        page = program.run([*command, "--help"], ".").out
        for text in re.findall(r"^  (tare [a-z].*)$", page.split("\nEXAMPLES")[-1], re.M):
            yield " ".join(["tare", *command, "--help"]), words_of(text)


def commands(program, root):
    """(where, words) in the order of the text."""
    found = [(where, words) for where, words in [*of_pages(root), *of_help(program)] if words]
    return [(where, words) for where, words in found if can_draw or not any(w.endswith(".png") for w in words)]


can_draw = shutil.which("rsvg-convert") or shutil.which("inkscape")


def is_long(words):
    return words[0] == "paper" or "100000" in words


def quickly(words):
    """The same work with fewer random draws."""
    fewer = {"bbc": ["--replicates", "50"], "report": ["--replicates", "50"], "compare": ["--resamples", "200"],
             "paper": ["--quick"]}
    if words[:2] == ["fit", "--cv"]:
        return [*words, "--folds", "2"]
    if words[:2] == ["plot", "bias"]:
        return [*words, "--replicates", "50"]
    if "--bias" in words:
        return [*words, "--estimators", "ece_ew,rank_poly"]
    for option, few in (("--replicates", "50"), ("--resamples", "200")):
        if option in words:
            at = words.index(option) + 1
            return [*words[:at], few, *words[at + 1:]]
    return words + [w for w in fewer.get(words[0], []) if w not in words]


def answers_no(words):
    """Whether exit code 1 is an answer: miscalibrated, moved, nothing recommended."""
    return words[0] in ("watch", "check") or {"--gate", "--cv", "--save"} & set(words)


def on_network(words, network):
    """`data/NAME.npz` of the text becomes the network at hand."""
    return [re.sub(r"^data/\w+\.npz", str(network), w) for w in words]


def expanded(words, folder):
    """Patterns of files as a shell would write them out."""
    return [file for w in words for file in (sorted(glob.glob(w, root_dir=folder)) if "*" in w else []) or [w]]


first = "lenet5_cifar10"  # the short run uses this network for all commands


def run_page_commands(program, root, network, tally, short):
    with tempfile.TemporaryDirectory(prefix="tare-documented-") as folder:
        lay_out(network, folder, rows=2000 if short else None)
        lay_out_tables(folder)
        lay_out_logs(root, folder)
        lay_out_made(program, folder)
        for name in ("data", "paper"):
            (Path(folder) / name).symlink_to(root / name)
        (Path(folder) / "docs" / "images").mkdir(parents=True)
        tried = set()
        for where, words in commands(program, root):
            words = on_network(expanded(words, folder), "predictions.npz")
            words = quickly(words) if short or is_long(words) else words
            if tuple(words) in tried or (is_long(words) and network.stem != first):
                continue  # said before, or does not depend on the network
            tried.add(tuple(words))
            ran = program.run(words, folder, seconds=900)
            judge(tally, ran, f"{where} on {network.stem}", codes=(0, 1) if answers_no(words) else (0,))
            tally.count("documented commands")


def everything(program, root, short, only=None):
    """Short: every command on 2,000 rows of each fold of one network; compare and report on all networks, with fewer draws.

    A report compares, too: of 100 classes that takes longest, and one network does it in both commands.
    """
    tally = Tally("documented commands")
    networks = sorted((root / "data").glob("*.npz"))
    assert networks and len(commands(program, root)) > 50, "where are the networks and the commands?"
    for network in networks:
        if only and network.stem not in only:
            continue
        if network.stem == first or not short:
            run_page_commands(program, root, network, tally, short)
        if short:
            with tempfile.TemporaryDirectory(prefix="tare-documented-") as folder:
                once = ["--no-calibrators"] if "cifar100" in network.stem and network.stem != "wrn32_4_cifar100" else []
                for words in (["compare", str(network), "--folds", "2", "--resamples", "200", "--json"],
                              ["report", str(network), "--folds", "2", "--replicates", "20", "-o", "report.html", *once]):
                    judge(tally, program.run(words, folder, seconds=900), f"{words[0]} on {network.stem}", codes=(0,))
                    tally.count(f"times {words[0]}")
        tally.count("networks")
        print(f"  {network.stem}: done", flush=True)
    return tally
