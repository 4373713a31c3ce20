#!/usr/bin/env bash
# packaging/sdist.sh: the source archive in build/sdist, installed by pip into an empty environment, in a folder without the repository.
set -euo pipefail
cd "$(dirname "$0")/.."
source packaging/pythons.sh
export CXX=${CXX:-c++}  # by the name that CMake gives it: ccache then knows what other builds have compiled
read -r version path < <(pythons | tail -1)
venv=$PWD/build/wheel-venv-$version
environment "$venv" "$path" python/requirements-wheel.txt
rm -rf build/sdist
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
"$venv/bin/python" -m build -q --sdist --no-isolation --outdir build/sdist .
archive=$(ls "$PWD"/build/sdist/tare-*.tar.gz)
echo "$(basename "$archive"): $(awk "BEGIN { printf \"%.1f\", $(stat -c %s "$archive") / 1000000 }") MB"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$archive" "$work"
cd "$work"
"$path" -m venv venv
echo "== sdist: pip install in an empty folder, Python $version (compiles)"
venv/bin/pip install -q --disable-pip-version-check "./$(basename "$archive")" --config-settings=build-dir=build/sdist
venv/bin/tare demo --no-interval --quiet >/dev/null
venv/bin/python -c 'import tare; print("installed from source: tare", tare.__version__)'
