"""tests/install/install_test.py PART --build DIR --work DIR [--compiler C] [--type T] [--flags F]

What somebody meets who installs tare and links it. The part `stage` installs into WORK/stage; the others look at it:
headers, refused, documents, symbols, abi, package, pkgconfig, numbers, subdirectory.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HEADERS = {f"{name}.hpp" for name in ("tare version result run predictions estimators verdict curve measurement calibrators "
                                      "tests state simulation files").split()}
MOST_LINES = 60_000
KNOWN = "ece_ew 0.0385998"  # of resnet110_cifar10, test
SECOND = shutil.which("clang++-14") or shutil.which("clang++")


def run(*words, cwd=None, env=None):
    done = subprocess.run([str(w) for w in words], cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {shlex.join(str(w) for w in words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def stage(a):
    shutil.rmtree(a.work, ignore_errors=True)
    run("cmake", "--install", a.build, "--prefix", a.stage)
    found = {str(p.relative_to(a.stage / "include")) for p in (a.stage / "include").rglob("*") if p.is_file()}
    if found != {f"tare/{name}" for name in HEADERS}:
        sys.exit(f"installed headers are not those promised: {sorted(found)}")
    # The installed program finds the installed networks and data files, wherever the prefix is.
    env = {k: v for k, v in os.environ.items() if k not in ("TARE_DATA", "TARE_PAPER")}
    run(a.stage / "bin/tare", "demo", "--no-interval", "--quiet", env=env)
    run(a.stage / "bin/tare", "paper", "--list", env=env)


def headers(a):
    """Each compiles alone, in two standards, with two compilers, without exceptions; none brings what is not ours."""
    include = a.stage / "include"
    standards = {a.compiler: ("c++20", "c++23"), SECOND: ("c++20", "c++2b")}
    for name in sorted(HEADERS):
        for path in re.findall(r"#include\s+[<\"]([^>\"]+)", (include / "tare" / name).read_text()):
            if not (path.removeprefix("tare/") in HEADERS if path.startswith("tare/") else re.fullmatch(r"[a-z_]+", path)):
                sys.exit(f"{name} includes {path}")
        unit = a.work / f"only_{name}.cpp"
        unit.write_text(f"#include <tare/{name}>\n")
        for compiler, names in standards.items():
            for standard in names if compiler else ():
                run(compiler, f"-std={standard}", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-fno-exceptions",
                    "-fsyntax-only", f"-I{include}", unit)
    lines = run(a.compiler, "-std=c++20", f"-I{include}", "-E", a.work / "only_tare.hpp.cpp").count("\n")
    print(f"tare.hpp: {lines:,} preprocessed lines")
    if lines >= MOST_LINES:
        sys.exit(f"tare.hpp preprocesses to {lines:,} lines, {MOST_LINES:,} are too many")


def refused(a):
    """Programs that must not compile, and the words that their author reads (the first line of each)."""
    for unit in sorted((HERE / "refused").glob("*.cpp")):
        words = unit.read_text().splitlines()[0].removeprefix("// ")
        for compiler in filter(None, (a.compiler, SECOND)):
            done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{a.stage}/include", unit],
                                  capture_output=True, text=True)
            if done.returncode == 0:
                sys.exit(f"{unit.name} compiles with {compiler}")
            if words not in done.stderr:
                sys.exit(f"{unit.name}: {compiler} does not say '{words}':\n{done.stderr}")


def documents(a):
    """The program of the pages is the example, and the reference is what the headers say."""
    example = (ROOT / "examples/cpp/calibrate.cpp").read_text()
    for page in ("README.md", "docs/guide/cpp.md"):
        if f"```cpp\n{example}```" not in (ROOT / page).read_text():
            sys.exit(f"the C++ block of {page} is not examples/cpp/calibrate.cpp")
    run(sys.executable, ROOT / "docs/cpp_reference.py", "--check")


def symbols(a):
    """What the shared library shows is the list that is kept, and nothing of anybody else."""
    found = run("nm", "-D", "-C", "--defined-only", "--format=posix", a.library("libtare.so"))
    names = sorted({re.sub(r" [A-Za-z]( [0-9a-f]+)*\s*$", "", line) for line in found.splitlines()} - {""})
    foreign = [n for n in names if not re.match(r"((vtable|typeinfo|typeinfo name) for )?tare::v\d+_\d+::", n)]
    if foreign:
        sys.exit("exported, but not of the public interface:\n" + "\n".join(foreign))
    kept = HERE / "exported_symbols.txt"
    if os.environ.get("TARE_WRITE_SYMBOLS"):
        kept.write_text("\n".join(names) + "\n")
    if kept.read_text().splitlines() != names:
        before = set(kept.read_text().splitlines())
        sys.exit("the exported symbols changed; if that is wanted, run this with TARE_WRITE_SYMBOLS=1\n"
                 + "\n".join([f"- {n}" for n in sorted(before - set(names))] + [f"+ {n}" for n in sorted(set(names) - before)]))
    # The static one: everything else is local, so that it cannot meet the copies of another library.
    shown = run("nm", "-C", "--defined-only", "--extern-only", "--format=posix", a.library("libtare.a"))
    weak = [line for line in shown.splitlines() if re.match(r".*(Eigen|boost|fmt|nlohmann|hwy|simdjson)::", line)]
    if weak:
        sys.exit(f"the static library shows {len(weak)} symbols of others, such as {weak[0]}")
    print(f"{len(names)} exported symbols")


def abi(a):
    """Within one SOVERSION types keep their layout and functions their signature: abidiff against what the first release of it
    had (TARE_WRITE_ABI=1 writes that). Before there is one, the tool must at least see a change that is one."""
    if not shutil.which("abidiff"):
        sys.exit(77)
    library = a.library("libtare.so")
    soname = re.search(r"SONAME.*\[(.*)\]", run("readelf", "-d", library)).group(1)
    kept = HERE / f"{soname}.abi"
    now = a.work / "now.abi"
    describe = ("abidw", "--drop-private-types", "--headers-dir", a.stage / "include", "--no-show-locs", "--out-file")
    run(*describe, now, library)
    text = now.read_text()
    changed = a.work / "changed.abi"
    larger = lambda found: f"{found.group(1)}{int(found.group(2)) + 64}"  # one member more
    changed.write_text(re.sub(r"(<class-decl name='FitOptions' size-in-bits=')(\d+)", larger, text))
    if subprocess.run(["abidiff", now, changed], capture_output=True).returncode == 0:
        sys.exit("abidiff does not see that a struct has grown")
    if os.environ.get("TARE_WRITE_ABI"):
        shutil.copy(now, kept)
    if not kept.exists():
        print(f"no release of {soname} yet: nothing to compare with")
        return
    run("abidiff", kept, now)


def project(a, name, *options, targets=()):
    """Configures and builds tests/install/consumer in its own folder, all of it or some targets; returns it."""
    folder = a.work / name
    run("cmake", "-S", HERE / "consumer", "-B", folder, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={a.compiler}",
        f"-DCMAKE_CXX_FLAGS={a.flags}", f"-DCMAKE_BUILD_TYPE={a.type}", f"-Dexamples={ROOT}/examples/cpp", *options,
        env={**os.environ, "PKG_CONFIG_PATH": str(next(a.stage.rglob("pkgconfig")))})
    run("cmake", "--build", folder, *(["--target", *targets] if targets else []))
    return folder


def playground(folder):
    """Where programs find the networks and may write."""
    play = folder / "play"
    play.mkdir(exist_ok=True)
    if not (play / "data").exists():
        (play / "data").symlink_to(ROOT / "data")
    return play


def examples(folder):
    """The three programs, and the one that checks a number by hand."""
    play = playground(folder)
    run(folder / "consumer")
    said = run(folder / "calibrate", cwd=play)
    if "onfident" not in said or not (play / "temperature.json").read_text().startswith("{"):
        sys.exit(f"calibrate said {said}")
    said = run(folder / "measure_file", "data/resnet110_cifar10.npz", "test", cwd=play)
    if KNOWN not in said:
        sys.exit(f"measure_file said {said}")
    run(folder / "running_total", cwd=play)


def package(a):
    """find_package: shared and static."""
    examples(project(a, "shared", f"-DCMAKE_PREFIX_PATH={a.stage}"))
    examples(project(a, "static", f"-DCMAKE_PREFIX_PATH={a.stage}", "-Dlibrary=tare::static", "-DPARTS=static"))


def pkgconfig(a):
    """pkg-config: shared, and static by --static."""
    examples(project(a, "pc", "-DPKG_CONFIG=ON", "-Dlibrary=PkgConfig::tare"))
    env = {**os.environ, "PKG_CONFIG_PATH": str(next(a.stage.rglob("pkgconfig")))}
    flags = run("pkg-config", "--static", "--cflags", "--libs", "tare", env=env).split()
    archive = [str(a.library("libtare.a")) if f == "-ltare" else f for f in flags]
    unit = [str(HERE / "consumer" / name) for name in ("main.cpp", "second_unit.cpp")]
    run(a.compiler, "-std=c++20", *shlex.split(a.flags), *unit, *archive, "-o", a.work / "by_hand")
    run(a.work / "by_hand")


def numbers(a):
    """The same bits, whatever the flags of the program, with Eigen and Boost of its own; shared and static."""
    network = ROOT / "data" / "lenet5_cifar10.npz"
    folder = project(a, "numbers", f"-DCMAKE_PREFIX_PATH={a.stage}", "-DNUMBERS=ON", "-DPARTS=static", targets=("numbers",))
    printed = {}
    for name in ("shared", "static"):
        for variant in ("plain", "whole", "native", "fast"):
            printed[f"{name} {variant}"] = run(folder / f"numbers_{variant}_{name}", network).splitlines()
    first = next(iter(printed.values()))
    if len(first) < 200:
        sys.exit(f"only {len(first)} numbers")
    for name, lines in printed.items():
        other = [f"{a} | {b}" for a, b in zip(first, lines) if a != b]
        if other or len(lines) != len(first):
            sys.exit(f"{name}: {len(other)} of {len(first)} numbers differ, such as {other[:3]}")
    print(f"{len(first)} numbers, the same bits in {len(printed)} programs")


def subdirectory(a):
    """add_subdirectory: the library, compiled as a part of somebody's project. What is asked is whether that works, so it is
    compiled in a quick way: little optimisation, one instruction set, one example beside it."""
    a.type, a.flags = "Debug", "-O1 -g0 -DHWY_COMPILE_ONLY_STATIC"
    folder = project(a, "subdirectory", f"-DTARE_SOURCE={ROOT}", targets=("consumer", "measure_file"))
    run(folder / "consumer")
    said = run(folder / "measure_file", "data/resnet110_cifar10.npz", "test", cwd=playground(folder))
    if KNOWN not in said:
        sys.exit(f"measure_file said {said}")


def main():
    parts = {f.__name__: f for f in (stage, headers, refused, documents, symbols, abi, package, pkgconfig, numbers, subdirectory)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=parts)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--type", default="RelWithDebInfo")
    parser.add_argument("--flags", default="")
    a = parser.parse_args()
    a.build, a.work = a.build.resolve(), a.work.resolve()
    a.stage = a.work / "stage"
    a.library = lambda name: next(a.stage.rglob(name))
    parts[a.part](a)


if __name__ == "__main__":
    main()
