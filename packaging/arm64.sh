#!/usr/bin/env bash
# packaging/arm64.sh: cross-compiles the program and the tests of the rooms that compute (build/arm64), runs them under qemu, and compares
# answers, models and states with those of an x86-64 program (compare_bits.py). Not tried to its end yet.
set -euo pipefail
cd "$(dirname "$0")/.."
rooms=${ROOMS:-numeric reduce measure fit state infer}
[ build/arm64/build.ninja -nt CMakePresets.json ] || cmake --preset arm64 >/dev/null
echo "== build: arm64, cross-compiled (build/arm64)"
# shellcheck disable=SC2086
cmake --build build/arm64 -j "${JOBS:-2}" -t tare_cli $(printf '%s_tests ' $rooms) -- --quiet
echo "== test: under qemu, without those that take long ($rooms)"
failed=0
for room in $rooms; do
  ctest --test-dir build/arm64 -j "${JOBS:-2}" -L "^$room\$" -LE 'slow-statistics|threads' --output-on-failure --timeout 900 \
    >"build/arm64/$room.txt" 2>&1 || failed=1
  grep -E 'tests passed|tests failed|Failed\)|Timeout\)' "build/arm64/$room.txt" | sed "s/^/$room: /"
done
[ $failed = 0 ] || exit 1
[ build/release/build.ninja -nt CMakePresets.json ] || cmake --preset release >/dev/null
cmake --build build/release -j "${JOBS:-2}" -t tare_cli -- --quiet
echo "== compare: x86-64 and arm64"
python3 packaging/compare_bits.py --here build/release/tare --there "qemu-aarch64 build/arm64/tare"
