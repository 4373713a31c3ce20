#!/usr/bin/env bash
# packaging/arm64.sh: cross-compiles the program and tests (build/arm64), runs the tests under qemu, and compares answers, models and states
# with those of an x86-64 program (compare_bits.py; HERE names the folder of a build that is there). ROOMS names the tests; frequencies over
# many samples are left out, qemu is slow.
set -euo pipefail
cd "$(dirname "$0")/.."
rooms=${ROOMS:-core platform numeric reduce read write measure fit state watch}
jobs=${JOBS:-2}
run=(nice -n 15 qemu-aarch64)
[ build/arm64/build.ninja -nt CMakePresets.json ] || cmake --preset arm64 >/dev/null
echo "== build: arm64, cross-compiled (build/arm64)"
# shellcheck disable=SC2086
nice -n 15 cmake --build build/arm64 -j "$jobs" -t tare_cli softmax_bits $(printf '%s_tests ' $rooms) -- --quiet
slow=$(ctest --test-dir build/arm64 -N -L slow-statistics | sed -n 's/^ *Test *#[0-9]*: //p' | paste -sd:)
echo "== test: under qemu, many cases in one process ($rooms)"
failed=0
for room in $rooms; do
  for ((shard = 0; shard < jobs; ++shard)); do
    GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$shard "${run[@]}" build/arm64/tests/"$room"_tests "--gtest_filter=-$slow" --gtest_brief=1 \
      >"build/arm64/$room.$shard.txt" 2>&1 || touch "build/arm64/failed" &
  done
  wait
  cat build/arm64/"$room".*.txt | awk -v room="$room" '/^\[  PASSED  \]/ { passed += $4 } /^\[  SKIPPED \] [0-9]/ { skipped += $4 }
    END { printf "%-9s %d tests pass, %d skipped\n", room, passed, skipped }'
  if [ -e build/arm64/failed ]; then rm build/arm64/failed; failed=1; grep -h '^\[  FAILED  \]' build/arm64/"$room".*.txt | sort -u || true; fi
done
[ $failed = 0 ] || { echo "error: see build/arm64/ROOM.SHARD.txt" >&2; exit 1; }
build=${HERE:-build/release}
if [ -z "${HERE:-}" ]; then
  [ build/release/build.ninja -nt CMakePresets.json ] || cmake --preset release >/dev/null
  nice -n 15 cmake --build build/release -j "$jobs" -t tare_cli -- --quiet
fi
c++ -std=c++20 -O2 -Isrc -Iinclude tests/packaging/softmax_bits.cpp "$build/libtare_inner.a" -lfmt -lhwy -lz -o "$build/softmax_bits"
echo "== compare: x86-64 and arm64"
python3 packaging/compare_bits.py --here "$build/tare" --there "${run[*]} build/arm64/tare" \
  --softmax "$build/softmax_bits" "${run[*]} build/arm64/tests/packaging/softmax_bits"
