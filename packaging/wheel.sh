#!/usr/bin/env bash
# packaging/wheel.sh: wheels in build/wheels, one for Python 3.12 and later, one for each earlier Python at hand, and tare-data. Each is
# repaired by auditwheel, which names the lowest glibc, and then tested by test_wheel.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
source packaging/pythons.sh
export CXX=${CXX:-c++}  # by the name that CMake gives it: ccache then knows what other builds have compiled
most=6000000
out=$PWD/build/wheels
rm -rf "$out" && mkdir -p "$out/raw"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
packaging/static_libraries.sh build/static

stable=
while read -r version path; do
  tag=cp${version/./}
  case $version in 3.10 | 3.11) ;; *) [ -z "$stable" ] || continue; stable=$version ;; esac
  venv=$PWD/build/wheel-venv-$version
  environment "$venv" "$path" python/requirements-wheel.txt
  echo "== wheel: Python $version${stable:+ and later, stable ABI}"
  "$venv/bin/python" -m build -q --wheel --no-isolation --outdir "$out/raw" . \
    -C "build-dir=build/wheel-$tag" -C "cmake.define.TARE_STATIC_LIBRARIES=$PWD/build/static"
done < <(pythons)
[ -n "${venv:-}" ] || { echo "error: no Python from 3.10 on is at hand" >&2; exit 2; }
[ -n "$stable" ] || echo "== wheel: no Python from 3.12 on at hand: the wheel of the stable ABI is not made"
export PATH=$venv/bin:$PATH
for wheel in "$out"/raw/*.whl; do auditwheel repair -w "$out" "$wheel" >"$out/raw/auditwheel.txt" 2>&1 || { cat "$out/raw/auditwheel.txt"; exit 1; }; done
rm -r "$out/raw"
(cd packaging/data && "$venv/bin/python" -m build -q --wheel --no-isolation --outdir "$out" .)

for wheel in "$out"/tare-*.whl; do
  module=$(unzip -Z1 "$wheel" 'tare/_tare*.so') && unzip -q -o -j "$wheel" "$module" -d "$out/module"
  "$venv/bin/python" tests/packaging/hardening_test.py "$out/module/$(basename "$module")" && rm -r "$out/module"
  data=$(unzip -Zl "$wheel" 'tare/data/*' | awk '/\.npz$/ { sum += $6 } END { print sum + 0 }')
  size=$(($(stat -c %s "$wheel") - data))
  echo "$(basename "$wheel"): $(awk "BEGIN { printf \"%.2f\", $size / 1000000 }") MB and $((data / 1000)) KB of sample data," \
    "needs glibc $(basename "$wheel" | grep -o 'manylinux_[0-9_]*[0-9]' | tail -1 | sed 's/manylinux_//; s/_/./')"
  [ $size -le $most ] || { echo "error: more than 6 MB" >&2; exit 1; }
done
packaging/test_wheel.sh
