#!/usr/bin/env bash
# packaging/notices.sh DIR: the copyright file of every Debian package whose code is in the static program, and the licences that these
# files name. The packages are the libraries that apt.txt lists for the build, the C library and the C++ library.
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "$0")/.."
rm -rf "$out" && mkdir -p "$out/licenses"
own=$(dpkg --print-architecture)
libraries=$(awk '$2 == "build" && ($1 ~ /-dev$/) { print $1 }' apt.txt)
for package in $libraries libc6-dev "libstdc++-$(g++ -dumpversion)-dev"; do
  file=/usr/share/doc/$package/copyright
  [ -s "$file" ] || { echo "error: $package has no $file" >&2; exit 1; }
  version=$(dpkg-query -W -f='${Version}' "$package:$own" 2>/dev/null || dpkg-query -W -f='${Version}' "$package")
  { echo "$package $version"; echo; cat "$file"; } >"$out/$package.txt"
done
for licence in $(grep -oh '/usr/share/common-licenses/[A-Za-z0-9.+-]*[A-Za-z0-9]' "$out"/*.txt | sort -u); do
  [ ! -e "$licence" ] || cp -L "$licence" "$out/licenses/"
done
