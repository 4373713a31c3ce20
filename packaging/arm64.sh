#!/usr/bin/env bash
# packaging/arm64.sh: cross-compiles the program and tests (build/arm64), runs the tests under qemu, and compares answers, models and states
# with those of an x86-64 program (compare_bits.py; HERE names the folder of a build that is there). ROOMS names the tests: by default those
# of every room, less the ones that the first lines of the output leave to x86-64. What each printed is in build/arm64/ROOM.SHARD.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
run=(qemu-aarch64)
left="cli gpu layout"
every=$(for room in tests/*/; do room=$(basename "$room"); compgen -G "tests/$room/*_test.cpp" >/dev/null && case " $left " in *" $room "*) ;; *) echo "$room" ;; esac done | paste -sd' ')
rooms=${ROOMS:-$every}
[ build/arm64/build.ninja -nt CMakePresets.json ] || cmake --preset arm64 >/dev/null
echo "== build: arm64, cross-compiled (build/arm64)"
# shellcheck disable=SC2046,SC2086
cmake --build build/arm64 -j "$jobs" -t tare_cli softmax_bits $(printf '%s_tests ' $rooms) -- --quiet
echo "== test: under qemu, many cases in one process. Left to x86-64: cli (a shell starts the program; the comparison below runs it),"
echo "   layout (reads sources), gpu, and of each room the tests with the label slow-statistics (frequencies over many samples)"
failed=0
for room in $rooms; do
  slow=$(ctest --test-dir build/arm64 -N -L "^$room\$" -L slow-statistics | sed -n 's/^ *Test *#[0-9]*: //p')
  start=$SECONDS
  rm -f build/arm64/"$room".*.txt build/arm64/failed
  for ((shard = 0; shard < jobs; ++shard)); do
    GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$shard "${run[@]}" build/arm64/tests/"$room"_tests "--gtest_filter=-$(paste -sd: <<<"$slow")" \
      >"build/arm64/$room.$shard.txt" 2>&1 || touch build/arm64/failed &
  done
  wait
  cat build/arm64/"$room".*.txt | awk -v room="$room" -v slow="$(grep -c . <<<"$slow" || true)" -v seconds=$((SECONDS - start)) '
    /^\[  PASSED  \]/ { passed += $4 } /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4 }
    END { printf "%-9s %4d pass, %2d skipped, %2d left to x86-64, %4d s\n", room, passed, skipped, slow, seconds }'
  if [ -e build/arm64/failed ]; then failed=1; grep -h '^\[  FAILED  \]' build/arm64/"$room".*.txt | sort -u || echo "$room ended early"; fi
done
build=${HERE:-build/release}
if [ -z "${HERE:-}" ]; then
  [ build/release/build.ninja -nt CMakePresets.json ] || cmake --preset release >/dev/null
  cmake --build build/release -j "$jobs" -t tare_cli -- --quiet
fi
c++ -std=c++20 -O2 -Isrc -Iinclude tests/packaging/softmax_bits.cpp "$build/libtare_inner.a" -lfmt -lhwy -lsimdjson -lz -o "$build/softmax_bits"
echo "== compare: x86-64 and arm64"
python3 packaging/compare_bits.py --here "$build/tare" --there "${run[*]} build/arm64/tare" \
  --softmax "$build/softmax_bits" "${run[*]} build/arm64/tests/packaging/softmax_bits" || failed=1
[ $failed = 0 ] || { echo "error: something failed; the tests of a ROOM are in build/arm64/ROOM.SHARD.txt" >&2; exit 1; }
