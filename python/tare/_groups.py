"""Which rows belong to which group, and states of groups as bytes."""

from __future__ import annotations

import json
import zlib
from typing import Any, Iterator

import numpy as np

from ._errors import Error

Key = Any  # str, int or bool
_MAGIC = b"TAREGRPS"
_VERSION = 1


def _checked(keys: list[Any]) -> list[Key]:
    for key in keys:
        if type(key) not in (str, int, bool):
            raise Error(f"by: a group is {key!r}, neither text nor a whole number", "bad_input",
                        "give every row a group; convert dates and other things to text")
    return same_kind(keys)


def same_kind(keys: list[Key]) -> list[Key]:
    """Keys of two types have no order, and 1 would be True."""
    kinds = sorted({type(key).__name__ for key in keys})
    if len(kinds) > 1:
        raise Error(f"by: some groups are {kinds[0]}, others {kinds[1]}", "bad_input", "convert them to one type")
    return keys


def _coded(by: Any) -> tuple[list[Any], np.ndarray]:
    """The different values, and for each row which of them it has."""
    if hasattr(by, "combine_chunks"):
        by = by.combine_chunks()
    if hasattr(by, "dictionary_encode"):  # pyarrow
        coded = by.dictionary_encode()
        if coded.null_count:
            return [None], np.zeros(len(by), np.intp)
        return coded.dictionary.to_pylist(), coded.indices.to_numpy()
    array = np.asarray(by)
    if array.ndim != 1:
        raise Error(f"by: has shape {array.shape}, not one group per row", "bad_input")
    if array.dtype.kind in "iub":
        values, codes = np.unique(array, return_inverse=True)
        return values.tolist(), codes
    index: dict[Any, int] = {}
    codes = np.fromiter((index.setdefault(value, len(index)) for value in array.tolist()), np.intp, len(array))
    return list(index), codes


def split(by: Any, data: dict[str, np.ndarray]) -> Iterator[tuple[Key, dict[str, np.ndarray]]]:
    """The rows of each group."""
    values, codes = _coded(by)
    for name, array in data.items():
        if array.ndim == 0 or len(array) != len(codes):
            raise Error(f"by has {len(codes)} rows, but {name} has {len(array) if array.ndim else 1}", "bad_input",
                        "every array must have one entry per prediction")
    keys = _checked(values)
    if len(keys) == 1:
        yield keys[0], data
        return
    order = np.argsort(codes.astype(np.uint16) if len(keys) <= 2**16 else codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(keys)))
    sorted_data = {name: array[order] for name, array in data.items()}
    for key, end, count in zip(keys, ends, np.diff(ends, prepend=0)):
        if count:
            yield key, {name: array[end - count:end] for name, array in sorted_data.items()}


def columns_of_file(group: Any) -> list[str]:
    """Names of columns in a file."""
    names: list[Any] = [group] if isinstance(group, str) else list(group) if isinstance(group, (list, tuple)) else [None]
    if not all(isinstance(name, str) for name in names):
        raise Error("group: of a file it names columns", "bad_option", 'pass group="country" or group=["country", "age"]')
    return names


def coded_groups(group: Any) -> dict[str, tuple[np.ndarray, list[str] | None]]:
    """By name: numbers as they are and None, or codes and the words they stand for."""
    if isinstance(group, str):
        raise Error(f"group: {group!r} is a name, and there is no file with columns", "bad_option", "pass an array with the group of each row")
    if hasattr(group, "columns") and hasattr(group, "__getitem__"):  # a frame
        group = {str(name): group[name] for name in group.columns}
    if not isinstance(group, dict):
        group = {str(getattr(group, "name", None) or "group"): group}
    return {str(name): _coded_group(str(name), values) for name, values in group.items()}


def _coded_group(name: str, values: Any) -> tuple[np.ndarray, list[str] | None]:
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    array = np.asarray(values)
    if array.ndim != 1:
        raise Error(f"group {name}: has shape {array.shape}, not one group per row", "bad_input")
    if array.dtype.kind in "iuf":
        return np.ascontiguousarray(array), None
    index: dict[str, int] = {}
    missing = lambda value: value is None or value != value or str(value) == "<NA>"  # noqa: E731
    texts = ("" if missing(value) else str(value) for value in array.tolist())
    return np.fromiter((index.setdefault(text, len(index)) for text in texts), np.int32, len(array)), list(index)


def pack(by: str, empty: bytes, parts: dict[Key, bytes]) -> bytes:
    """A header of JSON with its length, the states one after the other, and a CRC of all that."""
    sizes = [len(part) for part in (empty, *parts.values())]
    head = json.dumps({"version": _VERSION, "by": by, "groups": list(parts), "sizes": sizes}).encode()
    body = b"".join((_MAGIC, len(head).to_bytes(8, "little"), head, empty, *parts.values()))
    return body + zlib.crc32(body).to_bytes(4, "little")


def is_packed(data: bytes) -> bool:
    return data.startswith(_MAGIC)


def unpack(data: bytes) -> tuple[str, bytes, dict[Key, bytes]]:
    """What pack was given."""
    def wrong(what: str) -> Error:
        return Error(f"these bytes are no state: {what}", "bad_input", "give what was saved, whole")

    body, start = data[:-4], len(_MAGIC) + 8
    if len(data) < start + 4 or zlib.crc32(body).to_bytes(4, "little") != data[-4:]:
        raise wrong("they were cut or changed")
    end = start + int.from_bytes(body[len(_MAGIC):start], "little")
    try:
        head = json.loads(body[start:end])
        by, keys, sizes = head["by"], _checked(head["groups"]), head["sizes"]
        version = head["version"]
    except (ValueError, KeyError, TypeError, RecursionError) as why:
        raise wrong("their header cannot be read") from why
    if version != _VERSION:
        raise wrong(f"they are of version {version}, and this tare reads version {_VERSION}")
    whole = isinstance(sizes, list) and all(type(size) is int and size >= 0 for size in sizes)
    if not isinstance(by, str) or not whole or len(set(keys)) != len(keys) or len(sizes) != len(keys) + 1 or end + sum(sizes) != len(body):
        raise wrong("their header does not describe them")
    ends = np.cumsum([end, *sizes]).tolist()
    parts = [body[a:b] for a, b in zip(ends, ends[1:])]
    return by, parts[0], dict(zip(keys, parts[1:]))
