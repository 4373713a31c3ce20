"""Where words stand on the pages of a PDF that Chromium wrote: enough of ISO 32000-1 to see what ends a page."""

import re
import zlib

TOKEN = re.compile(rb"<<|>>|<[0-9A-Fa-f\s]*>|\((?:\\.|[^\\()])*\)|\[|\]|/[^\s<>\[\]()/]*|[^\s<>\[\]()/]+")


def _times(a, b):
    """Of two matrices as PDF writes them: first a, then b."""
    return (a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
            a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5])


def _words(stream):
    """(height above the lower edge in points, size in points) of every piece of text."""
    out, stack, operands = [], [], []
    matrix, text, size = (1, 0, 0, 1, 0, 0), (1, 0, 0, 1, 0, 0), 0
    for token in TOKEN.findall(stream):
        if re.fullmatch(rb"[-+.\d]+", token) or token[:1] in b"<([]/" or token in (b">>", b"true", b"false", b"null"):
            operands.append(token)
            continue
        if token == b"q":
            stack.append(matrix)
        elif token == b"Q":
            matrix = stack.pop()
        elif token == b"cm":
            matrix = _times([float(x) for x in operands[-6:]], matrix)
        elif token == b"BT":
            text = (1, 0, 0, 1, 0, 0)
        elif token == b"Tf":
            size = float(operands[-1])
        elif token == b"Tm":
            text = tuple(float(x) for x in operands[-6:])
        elif token == b"Td":
            text = _times((1, 0, 0, 1, float(operands[-2]), float(operands[-1])), text)
        elif token in (b"Tj", b"TJ"):
            at = _times(text, matrix)
            out.append((at[5], size * (at[2] ** 2 + at[3] ** 2) ** 0.5))
        operands = []
    return out


def pages(path):
    """For each page its pieces of text, as _words has them."""
    with open(path, "rb") as file:
        data = file.read()
    heads, streams, at = {}, {}, 0
    while begin := re.compile(rb"(\d+) 0 obj\b").search(data, at):  # streams are skipped: they may hold any byte
        end = re.compile(rb"\bstream\r?\n|endobj").search(data, begin.end())
        head, at = data[begin.end():end.start()], end.end()
        heads[int(begin[1])] = head
        if end[0] != b"endobj":
            at += int(re.search(rb"/Length (\d+)", head)[1])
            body = data[end.end():at]
            streams[int(begin[1])] = zlib.decompress(body) if b"FlateDecode" in head else body
    out = []
    for number in sorted(heads):
        if re.search(rb"/Type\s*/Page\b", heads[number]):
            out.append(_words(streams[int(re.search(rb"/Contents (\d+) 0 R", heads[number])[1])]))
    return out
