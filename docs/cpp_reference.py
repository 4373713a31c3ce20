"""python docs/cpp_reference.py [--check]: writes docs/cpp.md from the comments of include/tare, or compares it."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "tare"
PAGE = ROOT / "docs" / "cpp.md"
OPENING = """# C++ reference

Made by `docs/cpp_reference.py` from the comments of the headers; do not edit. How to install it, and a first program: [tare in C++](guide/cpp.md).

`#include <tare/tare.hpp>` brings everything below. Whole programs are in [examples/cpp](../examples/cpp/README.md): fit, apply and
save ([calibrate.cpp](../examples/cpp/calibrate.cpp)), measure a file ([measure_file.cpp](../examples/cpp/measure_file.cpp)),
rows that keep coming ([running_total.cpp](../examples/cpp/running_total.cpp)).
"""


def order():
    """Headers in the order of the table of contents in tare.hpp."""
    names = re.findall(r"^//   (\w+\.hpp) ", (HEADERS / "tare.hpp").read_text(), re.M)
    rest = {p.name for p in HEADERS.glob("*.hpp")} - set(names) - {"tare.hpp"}
    if rest:
        raise SystemExit(f"tare.hpp does not name {', '.join(sorted(rest))}")
    return names


def prose(comment):
    """Comment lines as Markdown: what is indented by four blanks is code."""
    out, code = [], False
    for line in comment:
        text = re.sub(r"^\s*// ?", "", line)
        if text.startswith("    ") != code and (text or code):
            out.append("```cpp" if not code else "```")
            code = not code
        out.append(text[4:] if code else text)
    if code:
        out.append("```")
    return "\n".join(out).strip()


def public(lines):
    """A declaration without what is nobody's business: private parts, bodies, marks for tools."""
    out, depth, skipping, body = [], 0, False, 0
    for line in lines:
        line = re.sub(r"\s*// NOLINT.*", "", line).replace("TARE_EXPORT ", "")
        if body:
            body += line.count("{") - line.count("}")
            continue
        if line.strip() == "private:":
            skipping = True
        if not (skipping and depth):
            opens = depth == 1 and re.search(r"\)\s*(const)?&{0,2}\s*(noexcept)?(\s*:.*)?\s*{", line)
            if opens and line.count("{") > line.count("}"):
                body = line.count("{") - line.count("}")
                line = re.sub(r"(\s*:\s.*)?\s*{.*", ";", line)
            elif opens:
                line = re.sub(r"(\)\s*(?:const)?\s?&{0,2}\s*(?:noexcept)?)(\s*:\s[^{]*)?\s*{.*}", r"\1;", line)
            if line.strip() != "public:" and "friend " not in line:
                out.append(line)
        elif line.startswith("}"):
            out.append(line)
        if not body:
            depth += line.count("{") - line.count("}")
    text = "\n".join(re.sub(r" +;", ";", x) for x in out)
    return re.sub(r"\n\n};", "\n};", text).strip()


def name_of(code):
    first = re.sub(r"^template <[^>]*>\s*", "", code, flags=re.S)
    for pattern in (r"^(?:enum class|struct|class)\s+(?:\[\[nodiscard\]\]\s+)?([\w:<>]+)", r"^#define (\w+)", r"^using (\w+)",
                    r"(\w+)\("):
        found = re.search(pattern, first)
        if found:
            return found.group(1)
    raise SystemExit(f"what is declared here?\n{code}")


def declarations(text):
    """(comment lines, code lines) of everything at the level of the namespace, and of macros."""
    body = text.split("#pragma once", 1)[1]
    body = re.sub(r"namespace tare::detail.*?}  // namespace tare::detail\w*(::\w+)*\n", "", body, flags=re.S)
    body = re.sub(r"namespace detail {.*?}  // namespace detail\n", "", body, flags=re.S)
    body = re.sub(r"(// What the library shows.*\n)?#define TARE_EXPORT.*\n", "", body)
    comment, code, used = [], [], False
    for line in body.splitlines():
        whole = not code  # this line begins something
        if whole and (not line.strip() or line.startswith(("//", "#include", "namespace tare", "inline namespace", "}  // namespace"))):
            if used or not line.startswith("//"):
                comment, used = [], False
            if line.startswith("//"):
                comment.append(line)
            continue
        code.append(line)
        text = "\n".join(code)
        if code[0].startswith("#define"):
            ended = not line.endswith("\\")
        else:
            ended = text.count("{") == text.count("}") and text.count("(") == text.count(")") and re.search(
                r"[;}]\s*(//.*)?$", line)
        if ended:
            yield comment, code
            code, used = [], True  # what follows without a blank line shares the comment


def page():
    out = [OPENING]
    for name in order():
        text = (HEADERS / name).read_text()
        out.append(f"## tare/{name}\n")
        out.append(prose([line for line in text.split("#pragma once", 1)[0].splitlines()]) + "\n")
        sections = {}
        for comment, code in declarations(text):
            shown = public(code)
            entry = sections.setdefault(name_of(shown), ([], []))
            said = prose(comment)
            if said and said not in entry[0]:
                entry[0].append(said)
            entry[1].append(shown)
        for title, (said, code) in sections.items():
            out.append(f"### {title}\n")
            out.append("```cpp\n" + "\n".join(code) + "\n```\n")
            out.extend(s + "\n" for s in said)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).rstrip() + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text() != page():
            sys.exit("docs/cpp.md is not what the headers say: run python docs/cpp_reference.py")
    else:
        PAGE.write_text(page())
