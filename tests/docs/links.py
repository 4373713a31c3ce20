#!/usr/bin/env python3
"""Every link in a markdown file leads somewhere: the file is there, and so is the heading behind the `#`. Every page of docs/ can be
reached from docs/README.md.

    links.py [ROOT]

Checks links, images and reference links, and the `src` and `href` of HTML tags. Addresses on the web are only checked for their
form: tests need no network. Headings get the anchors that GitHub gives them; mkdocs.yml asks for the same ones.
"""
import re
import sys
import urllib.parse
from pathlib import Path

NOT_OURS = {"build", "out", ".git", "node_modules"}
FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
INLINE_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
LINK = re.compile(r"\]\(\s*<?([^)<>\s]*)>?(?:\s+[\"'(][^\"')]*[\"')])?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]^]+\]:\s+<?(\S+?)>?(?:\s|$)")
TAG = re.compile(r"<(?:img|a|source)\b[^>]*?\b(?:src|srcset|href)=[\"']([^\"']+)[\"']")
ANCHOR = re.compile(r"<a\b[^>]*?\b(?:id|name)=[\"']([^\"']+)[\"']")
WEB = re.compile(r"^https://[\w.-]+\.[a-z]+(?:[/?#]\S*)?$")


def prose(text):
    """(number, line) without code blocks. Indented code has no links in it that would be rendered, but lists are indented, too."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence):
                fence = None
            continue
        if mark:
            fence = mark.group(1)
            continue
        yield number, line


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]+>", "", text).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    found, times = set(), {}
    for _, line in prose(path.read_text(encoding="utf-8")):
        found.update(ANCHOR.findall(line))
        heading = HEADING.match(line)
        if heading:
            name = slug(heading.group(2))
            again = times.get(name, 0)
            times[name] = again + 1
            found.add(f"{name}-{again}" if again else name)
    return found


def links(text):
    """(line number, target) of everything that links."""
    for number, line in prose(text):
        bare = INLINE_CODE.sub(lambda m: "`" + "x" * (len(m.group(0)) - 2) + "`", line)
        for pattern in (LINK, REFERENCE, TAG):
            for target in pattern.findall(bare):
                yield number, target


def is_web(target):
    return re.match(r"^[a-z][a-z0-9+.-]*:", target)


def file_of(page, target):
    where = target.partition("#")[0]
    return (page.parent / urllib.parse.unquote(where)).resolve() if where else page


def problem(page, target, root):
    """What is wrong with a link, or None."""
    if is_web(target):
        return None if WEB.match(target) else "is no https address"
    anchor, path = target.partition("#")[2], file_of(page, target)
    if not path.is_relative_to(root):
        return "leaves the repository"
    if not path.exists():
        return "is not there"
    if path.is_dir():
        return "is a folder: link its README.md"
    if anchor and path.suffix == ".md" and anchor not in anchors(path):
        return f"has no heading #{anchor}"
    return None


def pages(root):
    return [p for p in sorted(root.rglob("*.md")) if not NOT_OURS & set(p.relative_to(root).parts)]


def reached(start):
    """The pages that links lead to from a page."""
    seen, queue = set(), [start]
    while queue:
        page = queue.pop()
        if page in seen or page.suffix != ".md" or not page.exists():
            continue
        seen.add(page)
        for _, target in links(page.read_text(encoding="utf-8")):
            if not is_web(target):
                queue.append(file_of(page, target))
    return seen


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
    found = [(page, number, target) for page in pages(root) for number, target in links(page.read_text(encoding="utf-8"))]
    broken = 0
    for page, number, target in found:
        wrong = problem(page, target, root)
        if wrong:
            broken += 1
            print(f"{page.relative_to(root)}:{number}: {target} {wrong}")
    index = root / "docs" / "README.md"
    for page in sorted(set(p for p in pages(root) if p.is_relative_to(index.parent)) - reached(index)):
        broken += 1
        print(f"{page.relative_to(root)}: no way leads here from docs/README.md")
    print(f"{len(pages(root))} pages, {len(found)} links, {broken} broken")
    if not found:
        print("no links: is this the root of the repository?")
    return 1 if broken or not found else 0


if __name__ == "__main__":
    sys.exit(main())
