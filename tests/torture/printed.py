"""What the README, the tutorial and the guides show under a command is what the command prints.

A session is a fenced block with lines `$ tare …`: its commands are run in order, in one folder for each page, and every line they
show is compared. `| head -N` shows the first N lines. Elsewhere the decimals of the table or block under a command are looked up.
`python tests/torture/printed.py PROGRAM` writes the sessions again.
"""
import re
import sys
import tempfile
from pathlib import Path

from documented import BLOCK, words_of
from logs import lay_out_logs
from trial import Program, Tally, judge

NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]|:\d)(?! m?s\b)")  # decimals; not times, which differ from run to run
REMAINDER = re.compile(r"\b\d(\.\d+)?e-\d\d\b")  # what another processor may change: gradients at an optimum
SESSION = re.compile(r"^\$ (tare [a-z].*?)(?: \| head -(\d+))?$")


def pages(root):
    return [root / "README.md", root / "docs" / "tutorial.md", *sorted((root / "docs" / "guide").glob("*.md"))]


def shown(root):
    """(where, words, numbers): a command, and the decimals of the table or code block that follows it or that it begins."""
    for page in pages(root):
        current, fenced = None, False
        for number, line in enumerate(page.read_text().splitlines(), 1):
            fenced ^= line.startswith("```")
            command = BLOCK.match(line.rstrip())
            inside = fenced or line.startswith("|")
            if command or line.startswith("#") or (current and current[2] and not inside):
                if current and current[2]:
                    yield current
                is_session = command and SESSION.match(line.rstrip())
                current = (f"{page.relative_to(root)}:{number}", words_of(command.group(1)), []) if command and not is_session else None
            elif current and inside:
                current[2].extend(NUMBER.findall(line))
        if current and current[2]:
            yield current


def sessions(text):
    """(line number, words, head, lines shown) of a page."""
    lines, fenced, current = text.splitlines(), False, None
    for number, line in enumerate(lines, 1):
        command = SESSION.match(line) if fenced else None
        if line.startswith("```"):
            fenced = not fenced
        if current and (command or not fenced):
            yield current
            current = None
        if command:
            current = (number, words_of(command.group(1)), int(command.group(2) or 0), [])
        elif current:
            current[3].append(line)


def answer(ran, head):
    """What a terminal shows: the answer, or its first lines; of a command without an answer what it says on standard error."""
    lines = [line.rstrip() for line in (ran.out if ran.out.strip() else ran.err).rstrip("\n").split("\n")]
    return lines[:head] if head else lines


def same(a, b):
    return [REMAINDER.sub("#", x.rstrip()) for x in a] == [REMAINDER.sub("#", x.rstrip()) for x in b]


def trimmed(lines):
    return lines if not lines or lines[-1].strip() else trimmed(lines[:-1])


def check_sessions(program, root, tally):
    for page in pages(root):
        with workplace(root) as folder:
            for number, words, head, lines in sessions(page.read_text()):
                where = f"{page.relative_to(root)}:{number}"
                ran = program.run(words, folder)
                if not judge(tally, ran, where, codes=(0, 1) if "--gate" in words else (0,)):
                    continue
                found, lines = trimmed(answer(ran, head)), trimmed(lines)
                wrong = [b for a, b in zip(lines, found) if not same([a], [b])] or found[len(lines):] or lines[len(found):]
                tally.check(same(found, lines), f"{where}: `tare {' '.join(words)}` prints another text, at: {wrong[:1]}; "
                            "python tests/torture/printed.py PROGRAM writes it again")
                tally.count("sessions")


def write_sessions(program, root):
    for page in pages(root):
        lines, shift = page.read_text().split("\n"), 0
        with workplace(root) as folder:
            for number, words, head, old in list(sessions("\n".join(lines))):
                found, kept = trimmed(answer(program.run(words, folder), head)), trimmed(old)
                if not same(found, kept):
                    at = number + shift
                    lines[at:at + len(kept)] = found
                    shift += len(found) - len(kept)
                    print(f"{page.relative_to(root)}:{number}: tare {' '.join(words)}")
        page.write_text("\n".join(lines))


def workplace(root):
    folder = tempfile.TemporaryDirectory(prefix="tare-printed-")
    (Path(folder.name) / "data").symlink_to(root / "data")
    lay_out_logs(root, folder.name)
    return folder


def everything(program, root):
    tally = Tally("printed numbers")
    check_sessions(program, root, tally)
    with workplace(root) as folder:
        for where, words, numbers in shown(root):
            ran = program.run(words, folder)
            if not judge(tally, ran, where, codes=(0,)):
                continue
            printed = set(NUMBER.findall(ran.out))
            missing = sorted({x for x in numbers if x not in printed})
            tally.check(not missing, f"{where}: the page shows {', '.join(missing)}, which `tare {' '.join(words)}` does not print")
            tally.count("commands")
            tally.count("numbers", len(numbers))
    return tally


if __name__ == "__main__":
    write_sessions(Program(sys.argv[1]), Path(__file__).resolve().parent.parent.parent)
