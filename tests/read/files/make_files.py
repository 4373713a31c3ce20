"""Writes the small files beside it with NumPy and Python's zipfile; not run by the build.

    python make_files.py            # written with NumPy 2.x; every array holds what the tests say

`table` is 3 rows x 2 columns: 0, 1, 2, 3, 4, 5 in row-major order, in every element type, byte
order and memory order. `archive_*` hold test_logits (table, float32) and test_labels (0, 1, 1).
"""
import io
import pathlib
import zipfile

import numpy as np

here = pathlib.Path(__file__).parent
table = np.arange(6).reshape(3, 2)

for kind in "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split():
    for order in "<>":
        a = table.astype(np.dtype(order + kind))
        np.save(here / f"table_{'le' if order == '<' else 'be'}_{kind}_c.npy", a)
        np.save(here / f"table_{'le' if order == '<' else 'be'}_{kind}_f.npy", np.asfortranarray(a))
np.save(here / "flags_b1.npy", np.array([True, False, True]))
for version in (1, 2, 3):
    with open(here / f"version_{version}.npy", "wb") as f:
        np.lib.format.write_array(f, table.astype("<f4"), version=(version, 0))
np.save(here / "halves.npy", np.array([0, -0.0, 1, 65504, 6.1035e-05, 5.96e-08, 0.333251953125, np.inf, -np.inf, np.nan], "f2"))
np.save(here / "pickle.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
np.save(here / "records.npy", np.array([(1.0, 2)], dtype=[("p", "f4"), ("y", "i4")]))
np.save(here / "names.npy", np.array(["cat", "dog"]))
np.save(here / "scalar.npy", np.float32(0.5))
np.save(here / "cube.npy", np.zeros((2, 2, 2), "f4"))
np.save(here / "no_rows.npy", np.zeros((0, 10), "f4"))

members = {"test_logits": table.astype("f4"), "test_labels": np.array([0, 1, 1], "i2")}
np.savez(here / "archive_stored.npz", **members)
np.savez_compressed(here / "archive_deflated.npz", **members)


def npy(a):
    f = io.BytesIO()
    np.save(f, a)
    return f.getvalue()


with zipfile.ZipFile(here / "archive_zip64.npz", "w", zipfile.ZIP_DEFLATED) as z:
    for name, a in members.items():
        with z.open(name + ".npy", "w", force_zip64=True) as f:
            f.write(npy(a))
# Sizes in the directory moved to the zip64 field, as for members over 4 GiB, and a zip64 end record.
limit, zipfile.ZIP64_LIMIT, count = zipfile.ZIP64_LIMIT, 16, zipfile.ZIP_FILECOUNT_LIMIT
zipfile.ZIP_FILECOUNT_LIMIT = 1
with zipfile.ZipFile(here / "archive_zip64_directory.npz", "w", zipfile.ZIP_STORED) as z:
    for name, a in members.items():
        z.writestr(name + ".npy", npy(a))
zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = limit, count
with zipfile.ZipFile(here / "archive_bzip2.npz", "w", zipfile.ZIP_BZIP2) as z:
    z.writestr("logits.npy", npy(members["test_logits"]))
with zipfile.ZipFile(here / "archive_comment.npz", "w") as z:
    z.comment = b"a comment at the end"
    z.writestr("logits.npy", npy(members["test_logits"]))
    z.writestr("readme.txt", "not an array")
