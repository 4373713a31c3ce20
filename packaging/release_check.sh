#!/usr/bin/env bash
# packaging/release_check.sh: everything that a release needs, in order; what each step printed is in build/release-check. It goes on after
# a failure and says at the end what is missing. DRY=1 runs only what takes no time, ONLY="docs wheel" only these steps, SKIP="test clang"
# all but these. What was not run is missing, too.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
logs=build/release-check
mkdir -p $logs
version=$(sed -n 's/^#define TARE_VERSION "\(.*\)"/\1/p' include/tare/version.hpp)
missing=()
export MAKEFLAGS="${MAKEFLAGS:-} --no-print-directory"
targets="test sanitize clang torture bench docs gallery wheel sdist dist dist-twice arm64 conan"

listed() { case " $2 " in *" $1 "*) true ;; *) false ;; esac; }  # listed WORD "WORDS"
not_run() {  # not_run NAME COMMAND...
  printf '%-14s not run: %s\n' "$1" "${*:2}"
  missing+=("$1, not run: ${*:2}")
}
step() {  # step NAME COMMAND...: run it, keep what it prints
  local name=$1 start=$SECONDS
  if { [ "${ONLY:-}" ] && ! listed "$name" "$ONLY"; } || listed "$name" "${SKIP:-}"; then not_run "$@"; return; fi
  shift
  if "$@" >"$logs/$name.txt" 2>&1; then
    printf '%-14s ok, %d s\n' "$name" $((SECONDS - start))
  else
    printf '%-14s FAILED, %d s: %s\n' "$name" $((SECONDS - start)) "$(tail -1 "$logs/$name.txt" | cut -c1-150)"
    missing+=("$name, failed: $(tail -1 "$logs/$name.txt" | cut -c1-150) (see $logs/$name.txt)")
  fi
}
long() {  # the same, for what takes long
  if [ "${DRY:-}" ]; then not_run "$@"; else step "$@"; fi
}
changelog_has_it() {
  local line date
  line=$(grep -m 1 "^## $version" CHANGELOG.md) || { echo "CHANGELOG.md has no section: add the line '## $version (YYYY-MM-DD)' and what has changed"; return 1; }
  date=${line#"## $version ("} date=${date%)}
  [[ $date =~ ^20[0-9]{2}-[0-9]{2}-[0-9]{2}$ ]] || { echo "CHANGELOG.md has '$line': write the day of the release there, '## $version ($(date +%F))'"; return 1; }
}
clean_tree() { local changed; changed=$(git status --porcelain) && [ -z "$changed" ] || { echo "$changed" | head -20; echo "these files are not committed: commit them"; return 1; }; }
tag_is_free() { ! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || { echo "the tag v$version exists: raise the version in include/tare/version.hpp"; return 1; }; }

steps="version changelog clean-tree tag links $targets"
for word in ${ONLY:-} ${SKIP:-}; do
  listed "$word" "$steps" || { echo "error: there is no step $word; they are $steps" >&2; exit 2; }
done
echo "release check of tare $version, $(git rev-parse --short HEAD)"
step version python3 tests/packaging/version_test.py
step changelog changelog_has_it
step clean-tree clean_tree
step tag tag_is_free
step links python3 tests/docs/links.py
for target in $targets; do
  long $target make $target
done
if [ ${#missing[@]} = 0 ]; then
  echo "nothing is missing: tag it v$version"
else
  printf 'missing:\n'
  printf '  %s\n' "${missing[@]}"
  exit 1
fi
