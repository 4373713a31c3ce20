"""Makes fuzz/corpus/state: small states, whole and hostile, written by hand from the description of the file.

    python fuzz/make_state_corpus.py
"""

import struct
import zlib
from pathlib import Path

folder = Path(__file__).parent / "corpus" / "state"


def number(x):
    out = b""
    while x > 127:
        out += bytes([x & 127 | 128])
        x >>= 7
    return out + bytes([x])


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def wide(x):
    return x.to_bytes(16, "little")


def fixed(x):
    return round(x * 2**46)


# Two cells at the exact step: 0.25 three times with one hit, 0.75 twice with two.
columns = [[bits(0.25), bits(0.75) - bits(0.25)], [3, 11 - 3], [3, 2], [2 * 1, 2 * 0 + 1], [1, 1]]
usual = dict(version=1, reduction=2, most=65536, bins=15, rows=5, classes=2, scored=0, infinite=0, scores=[0] * 4, parts=1)
usual_part = dict(fine=0, step=53, mass=5, cells=2)


def part(columns=columns, raw=None, claimed=None, packed=None, **changes):
    body = raw if raw is not None else b"".join(number(x) for column in columns for x in column)
    deflated = zlib.compress(body, 6)
    head = usual_part | changes
    out = struct.pack("<BB", head["fine"], head["step"])
    out += wide(head["mass"]) + struct.pack("<I", head["cells"])
    out += struct.pack("<QQ", len(body) if claimed is None else claimed, len(deflated) if packed is None else packed)
    return out + deflated


def text(x):
    return struct.pack("<I", len(x)) + x


def state(*columns, magic=b"TARESTAT", crc=None, after=b"", blocks=None, group=b"", **changes):
    of_file = {k: v for k, v in changes.items() if k in usual}
    of_part = {k: v for k, v in changes.items() if k not in usual}
    head = usual | of_file
    out = magic + struct.pack("<HBIIQQ", *(head[k] for k in "version reduction most bins rows classes".split()))
    out += wide(head["scored"]) + wide(head["infinite"]) + b"".join(x.to_bytes(32, "little") for x in head["scores"])
    out += struct.pack("<I", head["parts"]) + group
    out += b"".join(blocks if blocks is not None else [part(*columns, **of_part)]) + after
    return out + struct.pack("<I", zlib.crc32(out) if crc is None else crc)


def column(at, *numbers):
    return state([numbers if i == at else c for i, c in enumerate(columns)])


# At step 4 with one bin: the cell of tier 0 from 4/16 to 5/16 with two scores, and 1 by itself.
coarse = dict(step=4, bins=1, cells=2, mass=5,
              columns=[[12 * 2**52 + 4 + 1, 2**57 - (12 * 2**52 + 5)], [0, 0], [3, 2], [2, 1], [2 * fixed(0.1), 1]])

# The other class of a row of two: the hits of one are the misses of the other.
others = part([*columns[:3], [2 * 1 + 1, 2 * 0], columns[4]])
two = dict(reduction=3, parts=2, blocks=[part(), others])
unit = 1 << 40  # of mass, where losses are summed
nat = 2**62 // 64  # of a log loss

files = {
    "whole": state(),
    "coarse": state(**coarse),
    "no_cells": state(raw=b"", cells=0, mass=0, rows=0),
    "fine": state(fine=1),
    "empty": b"",
    "magic_only": b"TARESTAT",
    "older": state(magic=b"TARESTA1"),
    "newer": state(version=3),
    "group": state(version=2, group=text(b"country") + text("São Tomé".encode())),
    "group_missing": state(version=2),
    "group_in_the_old_version": state(group=text(b"country") + text(b"x")),
    "group_too_long": state(version=2, group=struct.pack("<I", 2**32 - 1)),
    "truncated": state()[:-5],
    "trailing": state(after=b"x"),
    "bad_crc": state(crc=1),
    "step_3": state(step=3),
    "step_54": state(step=54),
    "coarser_than_need_be": state(step=52),
    "many_cells": state(cells=2**32 - 1, most=2**32 - 1),
    "more_cells_than_most": state(cells=300, most=256),
    "many_bins": state(bins=2**32 - 1),
    "no_bins": state(bins=0),
    "bins_for_few_cells": state(bins=200, most=256),
    "claims_a_gigabyte": state(claimed=2**28, cells=2**22, most=2**22),
    "unknown_reduction": state(reduction=4),
    "classes": state(**two, scored=5 * unit, scores=[5 * unit * nat, 5 * unit * nat // 64, 5 * unit * 2**60, 5 * unit * 2**58]),
    "hits_of_two_classes": state(reduction=3, parts=2, blocks=[part(), part()]),
    "classes_beyond_labels": state(classes=2**63),
    "classes_beyond_positive": state(classes=3),
    "cells_of_more_rows": state(rows=2),
    "no_rows_for_cells": state(rows=0),
    "rows_beyond_all": state(rows=2**64 - 1),
    "losses_of_more_rows": state(**two, scored=6 * unit),
    "loss_without_rows": state(**two, scores=[1, 0, 0, 0]),
    "loss_beyond_a_million": state(**two, scored=5 * unit, scores=[5 * unit * nat * 2**20 + 1, 5 * unit * 2**90, 0, 0]),
    "squares_below_the_mean": state(**two, scored=5 * unit, scores=[5 * unit * nat, 5 * unit * nat // 65, 0, 0]),
    "squares_above_the_largest": state(**two, scored=5 * unit, scores=[5 * unit, 5 * unit * nat, 0, 0]),
    "brier_beyond_four": state(**two, scored=5 * unit, scores=[0, 0, 5 * unit * 2**62 + 1, 5 * unit * 2**62]),
    "sums_of_256_bits": state(**two, scored=5 * unit, scores=[2**256 - 1] * 4),
    "classes_without_parts": state(reduction=3),
    "many_parts": state(reduction=3, classes=2**32 - 1, parts=2**32 - 1),
    "no_parts": state(parts=0, blocks=[]),
    "rows_without_classes": state(reduction=3, classes=0, parts=0, blocks=[]),
    "classes_of_other_masses": state(reduction=3, parts=2, blocks=[part(), part(raw=b"", cells=0, mass=0)]),
    "ends_within_a_part": state(packed=1000),
    "more_infinite_than_all": state(infinite=1),
    "above_one": column(0, bits(0.25), bits(1.5) - bits(0.25)),
    "minus_zero": column(0, 2**63, 0),
    "cells_out_of_order": state([[bits(0.75), 2**128 - (bits(0.75) - bits(0.25))], [11, 2**128 - 8], [2, 3], [1, 2], [1, 1]]),
    "cell_twice_by_wrapping": state([[bits(0.25), bits(0.75) - bits(0.25), 2**128 - (bits(0.75) - bits(0.25))],
                                     [3, 8, 2**128 - 8], [3, 1, 1], [2, 0, 0], [1, 1, 1]], cells=3),
    "bins_out_of_order": column(1, 11, 2**128 - 8),
    "same_cells": state([[bits(0.25), 0], [3, 0], *columns[2:]]),
    "wrong_bin": column(1, 3, 7),
    "no_such_bin": column(1, 3, 12),
    "no_mass": column(2, 5, 0),
    "mass_does_not_add_up": column(2, 3, 3),
    "huge_mass": state([columns[0], columns[1], [2**128 - 1, 2], *columns[3:]], mass=2**64),
    "long_number": state(raw=b"\xff" * 30),
    "padded_number": state(raw=b"".join(number(x) for c in columns for x in c)[:-1] + b"\x81\x00"),
    "hits_above_mass": column(3, 2 * 4, 1),
    "hits_the_other_way": column(3, 2 * 1 + 1, 2 * 1 + 1),
    "moved_score": column(4, 3, 1),
    "two_scores_in_one": column(4, 2, 1),
    "sum_outside_its_cell": state(**coarse | {"columns": [*coarse["columns"][:4], [2 * 3 * fixed(0.1), 1]]}),
    "no_deflate": state()[:-20] + bytes(16) + state()[-4:],
}

folder.mkdir(parents=True, exist_ok=True)
for name, content in files.items():
    (folder / name).write_bytes(content)
