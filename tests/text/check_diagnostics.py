#!/usr/bin/env python3
"""Checks that every row of the error catalogue is provoked by some test: its identifier or code stands in a test's source."""
import pathlib
import re
import sys


def rows(catalogue):
    return re.findall(r"^DIAG\((\w+), (\d+)", catalogue.read_text(), re.MULTILINE)


def main(root):
    sources = [p for p in (root / "tests").rglob("*") if p.suffix in {".cpp", ".h", ".txt", ".py"}]
    text = "\n".join(p.read_text(errors="replace") for p in sources)
    missing = [f"EM{code} {name}" for name, code in rows(root / "runtime/diag/diagnostics.def")
               if not re.search(rf"\b{name}\b|EM{code}\b|\b{code}\b", text)]
    for m in missing:
        print(f"{m}: no test mentions it")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
