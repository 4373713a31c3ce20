#!/usr/bin/env bash
# packaging/lock.sh: python/requirements*.txt from python/requirements*.in: every package that those need, by version and by the
# hashes of all its files, for every Python and processor they are made for. Run it after a change of an .in file; it needs the
# package index. Spark and the peers are not locked: they are large, and nothing that is released is made with them.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$PWD/build/lock-venv
[ -x "$venv/bin/uv" ] || { rm -rf "$venv" && "${PYTHON:-python3}" -m venv "$venv" && "$venv/bin/pip" install -q --disable-pip-version-check uv; }
lock() {  # lock NAME PYTHON: the lowest Python that it is for
  "$venv/bin/uv" pip compile -q --universal --python-version "$2" --generate-hashes --no-annotate --no-header "python/$1.in" -o "$venv/$1.txt"
  { echo "# Made by packaging/lock.sh from $1.in: do not edit."; cat "$venv/$1.txt"; } >"python/$1.txt"
}
lock requirements 3.11
lock requirements-wheel 3.10
lock requirements-docs 3.11
