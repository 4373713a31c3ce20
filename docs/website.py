"""The site of `make docs`. As a program: copies every page, and every file that a page links, to build/site-src, in the tree of the
repository, so that links need no change. As a hook of mkdocs: the navigation, and formulas as MathML (no script, no network)."""
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import links  # noqa: E402

SOURCE = ROOT / "build" / "site-src"
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.S)
REST = ["CONTRIBUTING.md", "CHANGELOG.md", "data/README.md", "paper/README.md", "examples/train_cifar/README.md"]


def site_pages():
    """Every page but the notes of the tests."""
    return [p for p in links.pages(ROOT) if p.relative_to(ROOT).parts[0] != "tests"]


def stage():
    shutil.rmtree(SOURCE, ignore_errors=True)
    wanted = set(site_pages())
    for page in site_pages():
        for _, target in links.links(page.read_text(encoding="utf-8")):
            if not links.is_web(target):
                wanted.add(links.file_of(page, target))
    for path in sorted(wanted):
        to = SOURCE / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)


def section(page, heading=None):
    """{title: page} of the links of a page, or of one of its sections, in their order."""
    text = page.read_text(encoding="utf-8")
    if heading:
        text = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = {}
    for title, target in re.findall(r"\[([^\]]+)\]\(([^)#]+\.md)\)", text):
        path = links.file_of(page, target).relative_to(ROOT).as_posix()
        found.setdefault(path, title)
    return [{title.replace("`", ""): path} for path, title in found.items()]


def on_config(config):
    index, methods = ROOT / "docs" / "README.md", ROOT / "docs" / "methods" / "README.md"
    under = {"Guides": section(index, "Guides"), "Studies": section(index, "Studies"), "Reference": section(index, "Reference")}
    pages = [{"All methods": "docs/methods/README.md"}]
    pages += [{Path(path).stem: path} for entry in section(methods) for path in entry.values() if path.startswith("docs/methods/")]
    config["nav"] = [{"tare": "README.md"}, {"Documentation": "docs/README.md"}, {"Tutorial": "docs/tutorial.md"},
                     {"Guides": under["Guides"]}, {"Methods": pages}, {"Studies": under["Studies"]},
                     {"Reference": [*under["Reference"], {"Glossary": "docs/glossary.md"}]},
                     {"Project": [path for path in REST if path not in str(under)]}]
    return config


def on_page_content(html, page, config, files):
    from latex2mathml.converter import convert

    def formula(found):
        text = found.group(3).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        return convert(text, display="block" if found.group(1) == "div" else "inline")

    return FORMULA.sub(formula, html)


if __name__ == "__main__":
    stage()
