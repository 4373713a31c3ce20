#!/usr/bin/env bash
# packaging/conan/create.sh: the library as a Conan package, shared and static, in a home of its own (build/conan), and an example that
# uses it. The dependencies are those of the system: Conan's are somebody else's builds.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p build
venv=$PWD/build/conan-venv
if ! [ -x "$venv/bin/conan" ]; then
  echo "== conan: into build/conan-venv"
  rm -rf "$venv"
  "${PYTHON:-python3}" -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check 'conan>=2.8,<3'
fi
export CONAN_HOME=$PWD/build/conan
"$venv/bin/conan" profile detect --exist-ok >build/conan.txt 2>&1
for shared in True False; do
  echo "== conan create, shared=$shared (build/conan.txt)"
  "$venv/bin/conan" create packaging/conan -pr default -pr packaging/conan/debian.profile -s compiler.cppstd=20 \
    -o "&:shared=$shared" -c tools.cmake.cmake_layout:test_folder="$PWD/build/conan-test" -c tools.cmake.cmaketoolchain:user_presets= \
    >build/conan.txt 2>&1 || { tail -30 build/conan.txt; exit 1; }
  grep '^ece_ew ' build/conan.txt
done
