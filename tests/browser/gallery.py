"""A contact sheet of every picture and page, to be looked at: `make gallery`.

    gallery.py TARE DATA OUT        TARE: the program; DATA: the folder of sample networks; OUT: a folder to fill

Every kind of `tare plot` and every kind of page is drawn at three widths, by day and by night; pages are printed, too.
OUT/index.html shows all of it, each linked to its full size, and OUT/contact.png is the same sheet in one picture.
"""

import argparse
import html
import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chromium

WIDTHS = (380, 800, 1400)


def tables(folder):
    """Two small files: 30 rows that can tell little, and confidences that a language model has stated in words."""
    tiny = "".join(f"{(i * 7 % 30 + 0.5) / 30:.3f},{int(i * 11 % 30 < i * 7 % 30)}\n" for i in range(30))
    (folder / "tiny.csv").write_text("probs,labels\n" + tiny)
    stated = "".join(f"{0.5 + i % 11 * 0.05:.2f},{int(i * 37 % 100 < 45 + i % 11 * 4)}\n" for i in range(1100))
    (folder / "stated.csv").write_text("confidences,correct\n" + stated)


def pages(data):
    """Name and words after `tare` of every page."""
    return {
        "a network": ["report", f"{data}/resnet110_cifar10.npz", "--split", "test", "--replicates", "50"],
        "a comparison": ["report", f"{data}/lenet5_cifar100.npz", "--replicates", "50", "--title", "LeNet-5 on CIFAR-100"],
        "with groups": ["report", f"{data}/mmlu_llama13b.csv", "--group", "subject", "--replicates", "50"],
        "thirty rows": ["report", "tiny.csv", "--replicates", "50"],
        "stated confidences": ["report", "stated.csv", "--replicates", "50"],
        "the papers": ["paper", "fig4", "table1", "--quick"],
    }


def kinds(tare):
    """What `tare plot` can draw, as its help says."""
    words = subprocess.run([tare, "plot", "--help"], capture_output=True, text=True, check=True).stdout
    return sorted({kind for some in re.findall(r"tare plot ([a-z_]+(?: \| [a-z_]+)*) ", words) for kind in some.split(" | ")})


def pictures(tare, data):
    """Words after `tare plot` for every kind: a kind that is not known here is drawn from a network."""
    network, small = f"{data}/resnet110_cifar10.npz", f"{data}/lenet5_cifar10.npz"
    special = {
        "bias": [["--model", "resnet110_c10", "--replicates", "50"]],
        "compare": [[small, "--methods", "temperature,platt,histogram,isotonic"]],
        "groups": [[f"{data}/mmlu_llama13b.csv", "--group", "subject"]],
        "map": [[network, "--calibrator", "isotonic"], [network, "--calibrator", "temperature", "--reduction", "classwise"]],
        "before_after": [[network, "--calibrator", "temperature"]],
        "models": [[network, "--beside", f"{data}/lenet5_cifar10.npz,{data}/densenet40_cifar10.npz"]],
        "reliability": [[network], ["stated.csv"], ["tiny.csv"], [network, "--estimator", "ece_em"]],
    }
    out = {}
    for kind in kinds(tare):
        for i, words in enumerate(special.get(kind, [[network]])):
            out[kind if i == 0 else f"{kind} {i + 1}"] = ["plot", kind, *words]
    return out


def run(tare, words, path, folder):
    """True where the file was made; what went wrong is shown on the sheet, too."""
    done = subprocess.run([tare, *words, "--quiet", "-o", path], cwd=folder, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    print(f"gallery: tare {' '.join(words)}: {done.stderr.strip()}", file=sys.stderr)
    return done.stderr.strip() or f"exit status {done.returncode}"


def around(svg, style):
    """A picture in a page with the style of reports: so it is seen by night, too."""
    return ("<!DOCTYPE html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'><title>x</title>"
            + style + "<body><main><figure>" + svg + "</figure></main></body></html>")


def style_of(tare, folder):
    """The style sheet of a report, with its tags."""
    page = subprocess.run([tare, "report", "tiny.csv", "--no-bias", "--quiet"], cwd=folder, capture_output=True, text=True, check=True).stdout
    return page[page.index("<style>"):page.index("</style>") + len("</style>")]


def slug(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


def printed(browser, page, out, name):
    page.pdf(out / f"{name}.pdf", pages="1")
    paper = browser.open(out / f"{name}.pdf", width=794, height=1124, fragment="toolbar=0&navpanes=0&view=Fit")
    shot, sizes = out / f"{name}-print.png", [0]
    while len(sizes) < 60 and not (sizes[-1] > 20000 and sizes[-1] == sizes[-2]):  # the viewer says nothing when it has drawn
        time.sleep(0.5)
        paper.screenshot(shot, full=False)
        sizes.append(shot.stat().st_size)
    paper.close()
    return f"{name}-print.png"


def shots(browser, path, out, name, paper):
    """Screenshots of one file: (label, file name)."""
    made = []
    page = browser.open(path)
    for width in WIDTHS:
        for dark in (False, True):
            page.show(width=width, height=900 if paper else 100, dark=dark)  # a picture is as high as it is
            file = f"{name}-{width}{'-dark' if dark else ''}.png"
            page.screenshot(out / file)
            made.append((f"{width} px{', dark' if dark else ''}", file))
    if paper:
        page.show(width=800)
        made.append(("printed, page 1", printed(browser, page, out, name)))
    page.close()
    return made


SHEET = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Gallery of tare</title><style>
body{font:14px/1.4 "DejaVu Sans",sans-serif;margin:16px;background:#eee;color:#222}h2{margin:1.2em 0 .3em;font-size:16px}
code{font-size:12px;color:#555}div{display:flex;flex-wrap:wrap;gap:10px;align-items:flex-start}figure{margin:0;font-size:12px}
img{display:block;width:250px;max-height:420px;object-fit:cover;object-position:top;border:1px solid #999;background:#fff}
.failed{color:#a31919}</style><h1>Every picture and page</h1>"""


def main():
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("tare")
    given.add_argument("data")
    given.add_argument("out")
    given.add_argument("--only", default="", help="only those whose name contains this")
    args = given.parse_args()
    path = chromium.find()
    if not path:
        sys.exit("gallery: no Chromium (apt-get install chromium)")
    tare, data, out = os.path.abspath(args.tare), os.path.abspath(args.data), Path(args.out).resolve()
    (out / "files").mkdir(parents=True, exist_ok=True)
    tables(out / "files")
    style = style_of(tare, out / "files")
    browser, sheet, failed = chromium.Chromium(path), SHEET, 0
    todo = [(name, words, ".html") for name, words in pages(data).items()]
    todo += [(name, words, ".svg") for name, words in pictures(tare, data).items()]
    for name, words, ending in todo:
        if args.only not in name:
            continue
        file = out / "files" / (slug(name) + ending)
        wrong = run(tare, words, file.with_suffix("") if words[0] == "paper" else file, out / "files")
        shown = " ".join(words).replace(data + "/", "data/")
        sheet += f"<h2>{html.escape(name)}</h2><code>tare {html.escape(shown)}</code>"
        if wrong:
            failed += 1
            sheet += f"<p class=failed>{html.escape(wrong)}</p>"
            continue
        if words[0] == "paper":
            file = file.with_suffix("") / "index.html"
        if ending == ".svg":
            file.with_suffix(".svg.html").write_text(around(file.read_text(encoding="utf-8"), style), encoding="utf-8")
            file = file.with_suffix(".svg.html")
        sheet += "<div>" + "".join(
            f'<figure><a href="{png}"><img src="{png}" alt=""></a>{label}</figure>'
            for label, png in shots(browser, file, out, slug(name), ending == ".html")) + "</div>"
    (out / "index.html").write_text(sheet + "</html>", encoding="utf-8")
    page = browser.open(out / "index.html", width=1900)
    page.screenshot(out / "contact.png")
    page.close()
    browser.close()
    print(f"gallery: {out}/index.html and {out}/contact.png")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
