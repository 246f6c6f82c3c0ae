#!/usr/bin/env python3
"""Checks that includes point downwards only: the table below is the one of docs/style.md, section 3."""
import pathlib
import re
import sys

# folder -> folders it may include, besides itself. The longest prefix of a path decides.
MAY_INCLUDE = {
    "runtime/diag": [],
    "runtime/isa": ["runtime/diag", "runtime/program"],
    "runtime/program": ["runtime/isa", "runtime/diag"],
    "runtime/emulator": ["runtime/program", "runtime/isa", "runtime/diag"],
    "runtime/device": ["runtime/emulator", "runtime/program", "runtime/isa", "runtime/diag"],
    "dsl": ["runtime/isa", "runtime/diag"],
    "npu_backend": ["dsl", "runtime"],
    "npu_backend/verify": ["runtime"],
    "generators": ["dsl", "runtime/isa", "runtime/diag"],
    "generators/reference": [],
    "graph": ["generators", "npu_backend", "dsl", "runtime"],
    "apps": ["graph", "generators", "npu_backend", "dsl", "runtime"],
}
HALIDE_FREE = ["runtime", "npu_backend/verify"]  # HalideRuntime.h and HalideBuffer.h are allowed: they need no libHalide


def inside(path, folder):
    return path == folder or path.startswith(folder + "/")


def owner(path):
    return max((f for f in MAY_INCLUDE if inside(path, f)), key=len, default=None)


def faults_of(root, file):
    path = file.relative_to(root).as_posix()
    folder = owner(path)
    top_folders = {f.split("/")[0] for f in MAY_INCLUDE}
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if not match:
            continue
        target = match[1]
        if target == "Halide.h" and any(inside(path, f) for f in HALIDE_FREE):
            yield f"{path}:{number}: {target} in a folder that must not need libHalide"
        if target.split("/")[0] not in top_folders or "/" not in target:
            continue
        if not any(inside(target, f) for f in [folder, *MAY_INCLUDE[folder]]):
            yield f"{path}:{number}: {folder} may not include {target}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = [f for top in sorted({f.split("/")[0] for f in MAY_INCLUDE}) for f in (root / top).rglob("*") if f.suffix in (".h", ".cpp")]
    faults = [fault for file in files for fault in faults_of(root, file)]
    print("\n".join(faults) if faults else f"{len(files)} files keep to their layers")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
