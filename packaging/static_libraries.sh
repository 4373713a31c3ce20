#!/usr/bin/env bash
# packaging/static_libraries.sh DIR: libfmt.a, libhwy.a and libsimdjson.a in DIR. Debian has these as shared libraries only, so they are
# compiled from Debian's source packages, in the versions that are installed, with the flags of a shared library:
# the program and the Python module both link them.
set -euo pipefail
out=$(realpath -m "$1")
cxx=${CXX:-g++}
version_of() { dpkg-query -W -f='${source:Version}' "$1:$(dpkg --print-architecture)"; }
wanted="highway $(version_of libhwy-dev), fmtlib $(version_of libfmt-dev), simdjson $(version_of libsimdjson-dev), $($cxx -dumpmachine) $($cxx -dumpfullversion)"
if [ "$(cat "$out/made_of" 2>/dev/null)" = "$wanted" ]; then exit 0; fi
echo "== static libraries: $wanted"
rm -rf "$out" && mkdir -p "$out/lists/partial" "$out/source"

# A list of sources of its own: what the machine has, asked for source packages.
cat /etc/apt/sources.list.d/*.sources 2>/dev/null | sed 's/^Types:.*/Types: deb-src/' >"$out/apt.sources" || true
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb /deb-src /p' >"$out/apt.list" || true
for kind in sources list; do
  [ -s "$out/apt.$kind" ] || continue
  printf 'Dir::Etc::sourcelist "%s";\nDir::Etc::sourceparts "-";\nDir::State::lists "%s";\nAPT::Sandbox::User "root";\n' \
    "$out/apt.$kind" "$out/lists" >"$out/apt.conf"
done
export APT_CONFIG=$out/apt.conf
apt-get -o DPkg::Lock::Timeout=600 update -qq
cd "$out/source"
apt-get source -qq --download-only "highway=$(version_of libhwy-dev)" "fmtlib=$(version_of libfmt-dev)" \
  "simdjson=$(version_of libsimdjson-dev)" >/dev/null
dpkg-source -x highway_*.dsc hwy >/dev/null 2>&1
dpkg-source -x fmtlib_*.dsc fmt >/dev/null 2>&1
dpkg-source -x simdjson_*.dsc simdjson >/dev/null 2>&1

flags=(-O2 -fPIC -fvisibility=hidden -std=c++17 -DNDEBUG "-ffile-prefix-map=$out=.")
for file in hwy/hwy/{targets,aligned_allocator,per_target,print}.cc; do
  $cxx "${flags[@]}" -Ihwy -c "$file" -o "hwy_$(basename "$file" .cc).o"
done
for file in fmt/src/{format,os}.cc; do
  $cxx "${flags[@]}" -Ifmt/include -c "$file" -o "fmt_$(basename "$file" .cc).o"
done
$cxx "${flags[@]}" -Isimdjson/singleheader -c simdjson/singleheader/simdjson.cpp -o simdjson.o
ar=$($cxx -print-prog-name=ar)
$ar rcD "$out/libhwy.a" hwy_*.o
$ar rcD "$out/libfmt.a" fmt_*.o
$ar rcD "$out/libsimdjson.a" simdjson.o
cd "$out" && rm -rf source lists apt.*
echo "$wanted" >made_of
