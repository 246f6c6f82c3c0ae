#!/usr/bin/env python3
"""Compiles each public header alone: it must include what it uses.   check_headers.py ROOT COMPILER INCLUDE_FOLDER..."""
import concurrent.futures
import pathlib
import subprocess
import sys

PUBLIC = ["runtime/**/*.h", "dsl/**/*.h", "npu_backend/compile.h", "npu_backend/verify/verify.h",
          "npu_backend/reference/reference.h", "npu_backend/aot/gengen.h"]


def compile_alone(root, header, compiler, includes):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-", f"-I{root}", *(f"-isystem{i}" for i in includes)]
    done = subprocess.run(command, input=f'#include "{header}"\n', text=True, capture_output=True)
    return None if done.returncode == 0 else f"{header} does not compile alone:\n{done.stderr[:2000]}"


def main():
    root, compiler, *includes = pathlib.Path(sys.argv[1]).resolve(), *sys.argv[2:]
    headers = sorted({h.relative_to(root).as_posix() for pattern in PUBLIC for h in root.glob(pattern)})
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [f for f in pool.map(lambda h: compile_alone(root, h, compiler, includes), headers) if f]
    print("\n".join(faults) if faults else f"{len(headers)} headers compile alone")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
