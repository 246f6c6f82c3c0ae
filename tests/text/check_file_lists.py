#!/usr/bin/env python3
"""Checks that every source file stands in a CMakeLists.txt at or above it, and that lists of sources are sorted."""
import pathlib
import re
import sys

FOLDERS = ["runtime", "dsl", "npu_backend", "generators", "graph", "apps", "tests"]
SOURCE = re.compile(r"[\w./-]+\.cpp\b")


def without_comments(text):
    lines = "\n".join(line.split("#")[0] for line in text.split("\n"))
    return lines.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")


def listed_sources(cmake):
    """Paths named in `cmake`, and faults in the order of its vertical lists."""
    text = without_comments(cmake.read_text(encoding="utf-8"))
    faults, run = [], []
    for line in text.split("\n") + [""]:
        match = re.fullmatch(r"\s+([\w./-]+\.cpp)\)?\s*", line)
        if match:
            run.append(match[1])
            continue
        if run != sorted(run, key=lambda name: (name.startswith("../"), name)):  # files of other folders come last
            faults.append(f"{cmake}: not sorted: {' '.join(run)}")
        run = []
    return {(cmake.parent / name).resolve() for name in SOURCE.findall(text)}, faults


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    listed, faults = set(), []
    for folder in FOLDERS:
        for cmake in (root / folder).rglob("CMakeLists.txt"):
            sources, unsorted = listed_sources(cmake)
            listed |= sources
            faults += unsorted
    # Projects of their own, built by tests.
    skip = root / "tests/install/consumer"
    for folder in FOLDERS:
        for source in sorted((root / folder).rglob("*.cpp")):
            if source not in listed and skip not in source.parents:
                faults.append(f"{source.relative_to(root)}: in no CMakeLists.txt")
    print("\n".join(faults) if faults else f"{len(listed)} sources listed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
