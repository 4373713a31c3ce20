"""What all answers have in common: a table when printed, numbers when asked."""

from __future__ import annotations

import html
import json
from typing import Any, Callable, Generic, Iterator, TypeVar

from ._errors import Error, MissingKey, did_you_mean
from ._rows import Row

L = TypeVar("L", bound=Row)


def _cell(value: Any) -> str:
    return html.escape("" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value))


def table(rows: list[dict[str, Any]], columns: list[str], marked: str = "") -> str:
    shown = [c for c in columns if any(row.get(c) is not None for row in rows)]
    head = "".join(f"<th>{html.escape(c)}</th>" for c in shown)
    bold = '<tr style="font-weight: bold">'
    body = "".join((bold if marked and row.get(shown[0]) == marked else "<tr>") +
                   "".join(f"<td>{_cell(row.get(c))}</td>" for c in shown) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Result(Generic[L]):
    """What a call found. Printed it is the table of the command line; ``to_dict()`` is its JSON; it can be pickled.

    Its lines are the same everywhere: iteration gives them, ``result[name]`` is one of them, ``name in result`` and
    ``result.keys()`` tell which there are.
    """

    _rows = ""          # the key of the list that to_frame() shows
    _shown: tuple = ()  # its columns in a notebook
    _key = "name"       # what a line is called
    _line: Callable[[Any], Any]

    def __init__(self, text_json: str, text: str, svg: str = "", more: dict[str, Any] | None = None) -> None:
        self._json = text_json
        self._text = text
        self._svg = svg
        self._more = more or {}
        self._dict = json.loads(text_json)
        self._lines: list[L] = [type(self)._line(row) for row in self._dict[self._rows]]

    def to_dict(self) -> dict[str, Any]:
        """Every number, unrounded, under the keys of ``tare … --json``. What does not exist is None, with a reason."""
        return json.loads(self._json)

    def to_json(self) -> str:
        """The same as text, byte for byte what the command line prints."""
        return self._json

    def to_frame(self, what: str | None = None) -> Any:
        """One row per line of the table, as a pandas.DataFrame; ``what`` names another table of the answer."""
        import pandas

        tables = self._tables()
        if what is not None and what not in tables:
            raise Error(f"there is no table {what!r}", "bad_option", did_you_mean(str(what), tables))
        rows = tables[what or self._rows]()
        return pandas.DataFrame([{k: v for k, v in row.items() if not isinstance(v, (list, dict))} for row in rows])

    def _tables(self) -> dict[str, Callable[[], list[dict[str, Any]]]]:
        return {self._rows: lambda: [dict(row) for row in self._dict[self._rows]]}

    def to_scalars(self, prefix: str = "") -> dict[str, float]:
        """Every number by a name of its own, flat, for MLflow, Weights & Biases and CSV; what does not exist is left out."""
        return {prefix + name: float(value) for name, value in self._scalars() if value is not None}

    def _scalars(self) -> Iterator[tuple[str, Any]]:
        return iter(())

    # the same access everywhere

    def keys(self) -> list[str]:
        """The names of the lines, each once."""
        return list(dict.fromkeys(line[self._key] for line in self._lines))

    def __iter__(self) -> Iterator[L]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, key: object) -> bool:
        try:
            self[key]  # type: ignore[index]
        except KeyError:
            return False
        return True

    def __getitem__(self, key: str) -> L:
        for line in self._lines:
            if line[self._key] == key:
                return line
        raise MissingKey(f"there is no {key!r} here", "bad_option", did_you_mean(str(key), self.keys()))

    def __getstate__(self) -> tuple[Any, ...]:
        return self._json, self._text, self._svg, self._more

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        Result.__init__(self, *state)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._json == other._json  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _sentences(self) -> list[str]:
        return []

    def _repr_html_(self) -> str:
        used = (self._dict.get("input") or {}).get("used")
        said = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in [*self._sentences(), used] if sentence)
        return said + self._svg + self._html_table()

    def _html_table(self) -> str:
        return table(self._dict[self._rows], list(self._shown))
