"""Are python/requirements*.txt what packaging/lock.sh makes of the .in files, as far as that can be told without an index:
the same versions, and a hash for every file?"""

import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def wrong_in(path):
    with open(path, encoding="utf-8") as file:
        asked = dict(re.findall(r"^([\w.-]+)==(\S+)", file.read(), re.M))
    with open(path[:-3] + ".txt", encoding="utf-8") as file:
        entries = [e for e in re.split(r"\n(?=\S)", file.read()) if e.strip() and not e.startswith("#")]
    found = {}
    for entry in entries:
        name, version = re.match(r"([\w.-]+)==([^\s;]+)", entry).groups()
        found.setdefault(canonical(name), set()).add(version)
        if "--hash=sha256:" not in entry:
            yield f"{name} has no hash"
    for name, version in asked.items():
        if version not in found.get(canonical(name), ()):
            yield f"{name}=={version} is not in it: run packaging/lock.sh"


def main():
    files = sorted(glob.glob(os.path.join(ROOT, "python", "requirements*.in")))
    wrong = [f"{os.path.basename(path)[:-3]}.txt: {fault}" for path in files for fault in wrong_in(path)]
    print("\n".join(wrong) or f"{len(files)} files are locked")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
