"""tests/packaging/version_test.py [VERSION]: the version stands in include/tare/version.hpp, and everything else reads it from there."""
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READERS = ("CMakeLists.txt", "CMakePresets.json", "pyproject.toml", "packaging/data/pyproject.toml", "mkdocs.yml", "Makefile")
FOLDERS = ("cmake", "packaging", "python", "src")


def faults():
    header = (ROOT / "include/tare/version.hpp").read_text()
    version = re.search(r'#define TARE_VERSION "(\d+\.\d+\.\d+)"', header).group(1)
    parts = [re.search(rf"#define TARE_VERSION_{name} (\d+)", header).group(1) for name in ("MAJOR", "MINOR", "PATCH")]
    if version.split(".") != parts:
        yield f"version.hpp says {version} and {'.'.join(parts)}"
    if f"inline namespace v{parts[0]}_{parts[1]} " not in header:
        yield "the inline namespace is that of another version"
    if sys.argv[1:] and sys.argv[1] != version:
        yield f"CMake has read {sys.argv[1]} instead of {version}"
    if not re.search(rf"^## {re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text(), re.M):
        yield f"CHANGELOG.md has no section {version}"
    for name in ("pyproject.toml", "packaging/data/pyproject.toml"):
        project = tomllib.loads((ROOT / name).read_text())
        text = str(project["tool"])
        if "version" not in project["project"]["dynamic"] or "include/tare/version.hpp" not in text:
            yield f"{name} does not read the version from version.hpp"
    files = [ROOT / name for name in READERS]
    files += [p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.suffix in (".py", ".cpp", ".hpp", ".cmake", ".sh", ".in")]
    for path in files:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.])", line):
                yield f"{path.relative_to(ROOT)}:{number} has the version, too: {line.strip()}"


if __name__ == "__main__":
    found = list(faults())
    print(*found, sep="\n") if found else print("the version stands in one place")
    sys.exit(1 if found else 0)
