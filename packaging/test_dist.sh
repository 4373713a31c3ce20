#!/usr/bin/env bash
# packaging/test_dist.sh DIR: the files of packaging/dist.sh as their users meet them: a program without a library, the archive in a folder
# with nothing else, the Debian package put in and taken out of an empty root.
set -euo pipefail
files=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "error: $*" >&2; exit 1; }

tar -xzf "$files"/tare-*.tar.gz -C "$work"
tree=$(ls -d "$work"/tare-*)
program=$tree/bin/tare
ldd "$program" 2>&1 | grep -Eq 'statically linked|not a dynamic' || fail "the program needs libraries: $(ldd "$program")"
[ -z "$(readelf -d "$program" | grep NEEDED || true)" ] || fail "the program names libraries"
python3 "$(dirname "$0")/../tests/packaging/hardening_test.py" "$program" || fail "the program is not hardened"
! strings "$program" | grep -F "$PWD" || fail "the program names the folder that it was built in"
env -i "$program" demo --no-interval --quiet >/dev/null
env -i "$program" paper --list >/dev/null
if [ "$(id -u)" = 0 ]; then  # nothing but the archive: no shell, no library, no /proc
  chroot "$tree" /bin/tare measure /share/tare/data/resnet110_cifar10.npz --quiet --json >"$work/alone.json"
  "$program" measure "$tree/share/tare/data/resnet110_cifar10.npz" --quiet --json | sed "s#$tree##g" | diff "$work/alone.json" - ||
    fail "another answer in a root without anything else"
else
  echo "== dist: not root, so not tried in a root without anything else"
fi
for page in tare tare-measure; do [ -s "$tree/share/man/man1/$page.1" ] || fail "no $page(1)"; done
bash -n "$tree/share/bash-completion/completions/tare"
[ -s "$tree/share/zsh/site-functions/_tare" ] && [ -s "$tree/share/fish/vendor_completions.d/tare.fish" ] || fail "a completion is missing"
ls "$tree"/share/doc/tare/notices/*.txt >/dev/null

root=$work/root
mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers} && touch "$root/var/lib/dpkg/status"
dpkg=(dpkg "--root=$root" --force-not-root --force-script-chrootless --force-architecture --log=/dev/null)
(cd "$root" && find . -path ./var -prune -o -print | sort) >"$work/before"
"${dpkg[@]}" -i "$files"/tare_*.deb >/dev/null
env -i "$root/usr/bin/tare" demo --no-interval --quiet >/dev/null
[ -s "$root/usr/share/man/man1/tare-measure.1" ] && [ -s "$root/usr/share/zsh/vendor-completions/_tare" ] || fail "the package lacks files"
"${dpkg[@]}" -r tare >/dev/null
(cd "$root" && find . -path ./var -prune -o -print | sort) | diff "$work/before" - || fail "dpkg -r leaves files behind"
echo "== dist: the program is static and runs alone; the package goes in and out cleanly"
