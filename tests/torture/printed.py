"""The numbers that the README and the guides show under a command are the numbers that the command prints."""
import re
import tempfile
from pathlib import Path

from documented import BLOCK, words_of
from trial import Tally, judge

NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]|:\d)(?! m?s\b)")  # decimals; not times, which differ from run to run


def shown(root):
    """(where, words, numbers): a command, and the decimals of the table or code block that follows it or that it begins."""
    for page in [root / "README.md", *sorted((root / "docs" / "guide").glob("*.md"))]:
        current, fenced = None, False
        for number, line in enumerate(page.read_text().splitlines(), 1):
            fenced ^= line.startswith("```")
            command = BLOCK.match(line.rstrip())
            inside = fenced or line.startswith("|")
            if command or line.startswith("#") or (current and current[2] and not inside):
                if current and current[2]:
                    yield current
                current = (f"{page.relative_to(root)}:{number}", words_of(command.group(1)), []) if command else None
            elif current and inside:
                current[2].extend(NUMBER.findall(line))
        if current and current[2]:
            yield current


def everything(program, root):
    tally = Tally("printed numbers")
    with tempfile.TemporaryDirectory(prefix="tare-printed-") as folder:
        (Path(folder) / "data").symlink_to(root / "data")
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
