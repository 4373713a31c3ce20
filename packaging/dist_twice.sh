#!/usr/bin/env bash
# packaging/dist_twice.sh: makes the files of `make dist` a second time, from a copy of the committed sources in another folder and without
# any cache of compiled files, and compares the bytes. With CACHED=1 ccache may help: then only linking and packing are tried twice.
set -euo pipefail
cd "$(dirname "$0")/.."
first=$PWD/build/dist-files
[ -s "$first/SHA256SUMS" ] || { echo "error: run make dist first" >&2; exit 2; }
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
[ "${CACHED:-}" ] || export CCACHE_DISABLE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive HEAD | tar -x -C "$work"
"$work/packaging/dist.sh" "$work/files"
cmp "$first/SHA256SUMS" "$work/files/SHA256SUMS"
echo "== dist: the same bytes, built twice in two folders"
