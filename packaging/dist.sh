#!/usr/bin/env bash
# packaging/dist.sh [DIR]: what people download, in DIR (build/dist-files): the static program with its pages, completions, sample data
# and notices as a .tar.gz and as a Debian package, and SHA256SUMS. dist_twice.sh asks whether the same sources make the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-build/dist-files}")
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)} LC_ALL=C TZ=UTC
umask 022
packaging/static_libraries.sh build/static
[ build/dist/build.ninja -nt CMakePresets.json ] || cmake --preset dist >/dev/null
cmake --build build/dist -j "${JOBS:-2}" -t tare_cli tare_manual tare_notices -- --quiet
rm -rf "$out" && mkdir -p "$out"
name=tare-$(build/dist/tare --version | cut -d' ' -f2)-linux-x86_64
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cmake --install build/dist --component tare_program --prefix "$stage/$name" >/dev/null
mv "$stage/$name/share/zsh/vendor-completions" "$stage/$name/share/zsh/site-functions"  # the first is Debian's word
cp packaging/INSTALL.txt "$stage/$name/"
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -C "$stage" -cf - "$name" |
  gzip -9n >"$out/$name.tar.gz"
cpack --config build/dist/CPackConfig.cmake -B "$stage/cpack" >"$stage/cpack.txt" || { cat "$stage/cpack.txt"; exit 1; }
cp "$stage"/cpack/*.deb "$out/"
(cd "$out" && sha256sum -- *.tar.gz *.deb >SHA256SUMS)
packaging/test_dist.sh "$out"
cat "$out/SHA256SUMS"
