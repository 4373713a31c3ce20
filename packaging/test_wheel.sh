#!/usr/bin/env bash
# packaging/test_wheel.sh: installs the wheels of build/wheels into an empty environment of each Python at hand, with NumPy and pytest
# only, and runs the Python tests there; those that need another package are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
source packaging/pythons.sh
root=$PWD
program=$(ls -t build/{dist,release,dev}/tare 2>/dev/null | head -1 || true)
while read -r version path; do
  venv=$root/build/wheel-test-$version
  echo "== wheel test: Python $version"
  rm -rf "$venv" && "$path" -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check --only-binary :all: numpy pytest
  "$venv/bin/pip" install -q --disable-pip-version-check --no-index --no-deps --find-links build/wheels tare
  "$venv/bin/pip" check >/dev/null
  (cd /tmp && env -u TARE_DATA PATH=/usr/bin:/bin "$venv/bin/tare" demo --no-interval --quiet >/dev/null)
  if "$venv/bin/tare" paper --list >/dev/null 2>&1; then echo "error: tare paper has found files that it did not bring" >&2; exit 1; fi
  # in the background of a shell SIGINT is ignored, and tests press Ctrl-C
  env --default-signal=INT TARE_NUMPY_ONLY=1 TARE_PROGRAM=${program:+$root/$program} "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/python </dev/null | tail -3
  "$venv/bin/pip" install -q --disable-pip-version-check --no-index --find-links build/wheels 'tare[data]'
  (cd /tmp && "$venv/bin/tare" paper --list >/dev/null)
  TARE_NUMPY_ONLY=1 "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/python/test_catalogue.py -k papers </dev/null | tail -1
done < <(pythons)
