"""python docs/pictures.py [--program build/release/tare]: makes every picture of docs/images again. `make pictures` calls it.

The commands are those that the pages print (`tare plot … -o docs/images/NAME`), and report.png is the first screen of the report of
the README, as Chromium shows it at 1400 x 900.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import links  # noqa: E402

COMMAND = re.compile(r"`tare ([^`]*-o\s+docs/images/[^`\s]+)`")
REPORT = re.compile(r"`tare (report [^`]*)-o report\.html`")
SIZE = (1400, 900)


def commands():
    """What the pages say, without repetition."""
    found = {}
    for page in links.pages(ROOT):
        for text in COMMAND.findall(page.read_text(encoding="utf-8")):
            found.setdefault(" ".join(text.split()))
    return [text.split() for text in found]


def shoot(program, to):
    """The report that the README names, photographed."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        sys.exit("docs/images/report.png needs Chromium: apt-get install chromium")
    words = REPORT.search((ROOT / "README.md").read_text(encoding="utf-8")).group(1).split()
    with tempfile.TemporaryDirectory(prefix="tare-pictures-") as folder:
        page = Path(folder) / "report.html"
        subprocess.run([program, *words, "-o", page, "--quiet"], cwd=ROOT, check=True)
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
                        f"--window-size={SIZE[0]},{SIZE[1]}", f"--screenshot={to}", page.as_uri()], check=True, capture_output=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "tare"))
    parser.add_argument("--only", default="", help="pictures whose name contains this")
    args = parser.parse_args()
    program = Path(args.program).resolve()
    for words in commands():
        if args.only in words[-1]:
            print("tare", *words, flush=True)
            subprocess.run([program, *words], cwd=ROOT, check=True)
    if args.only in "report.png":
        print("docs/images/report.png", flush=True)
        shoot(program, ROOT / "docs" / "images" / "report.png")


if __name__ == "__main__":
    main()
