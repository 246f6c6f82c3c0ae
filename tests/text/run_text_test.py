#!/usr/bin/env python3
"""Runs one text test: a command, its input and all it must print, in one file.

    run:    emulsion asm --target mobile -
    stdin:  drain o_t, acc, par, nearest
    exit:   1
    stderr: EM107 error: rounding mode "nearest" is unknown   stdin:1:22
              what to do: one of single double floor trunc half_away rne_f32

$EMULSION_MODEL is the product's own model, without .tflite; its stored results lie in expected/.
Values start in column 8; further lines of a value are indented by 8. `run` is a shell command, run in an empty folder.
A file may hold several commands; each starts with `run`. What is left out must be empty (exit: 0). In expected text a
line "..." stands for any lines and "<*>" for anything within a line. Lines that start with # are comments.

Expected text changes only when asked: EMULSION_ACCEPT=1 rewrites it with what was printed.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile

INDENT = 8
KEYS = ("run", "stdin", "exit", "stdout", "stderr")


def parse(lines):
    """[(key, first line, last line, value)], comments and blank lines left out."""
    fields = []
    for number, line in enumerate(lines):
        match = re.match(r"([a-z]+):(.*)", line)
        if match and match[1] in KEYS:
            fields.append([match[1], number, number, [line[INDENT:]]])
        elif line.startswith(" " * INDENT) and fields:
            fields[-1][2] = number
            fields[-1][3].append(line[INDENT:])
        elif line == "" and fields and number + 1 < len(lines) and lines[number + 1].startswith(" " * INDENT):
            fields[-1][2] = number
            fields[-1][3].append("")
        elif line and not line.startswith("#"):
            sys.exit(f"line {number + 1}: neither a key, a continuation nor a comment: {line}")
    return [(key, first, last, "\n".join(value)) for key, first, last, value in fields]


def commands(fields):
    cases = []
    for field in fields:
        if field[0] == "run":
            cases.append({})
        if not cases:
            sys.exit("the first field must be run:")
        cases[-1][field[0]] = field
    return cases


def matches(want, have):
    pattern = ""
    for line in want.split("\n"):
        if line == "...":
            pattern += "(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("<*>")) + " *\n"
    return re.fullmatch(pattern, have + "\n") is not None


def show_difference(name, want, have):
    print(f"--- {name} differs")
    for line in difflib.unified_diff(want.split("\n"), have.split("\n"), "expected", "printed", lineterm=""):
        print(line)


def execute(case, folder):
    stdin = case["stdin"][3] + "\n" if "stdin" in case else ""
    done = subprocess.run(["bash", "-c", case["run"][3]], input=stdin.encode(), capture_output=True, cwd=folder, timeout=300)
    return {
        "exit": str(done.returncode),
        "stdout": done.stdout.decode(errors="replace").rstrip("\n"),
        "stderr": done.stderr.decode(errors="replace").rstrip("\n"),
    }


def formatted(key, value):
    first, *rest = value.split("\n")
    return [f"{key}:".ljust(INDENT) + first] + [(" " * INDENT + line).rstrip() for line in rest]


def accept(path, lines, edits):
    """edits: [(key, first, last, value)]; first None: insert after line `last`. Bottom up, so that numbers stay valid."""
    for key, first, last, value in sorted(edits, key=lambda e: (e[2], e[1] is None, KEYS.index(e[0])), reverse=True):
        new = formatted(key, value) if value else []
        if first is None:
            lines[last + 1:last + 1] = new
        else:
            lines[first:last + 1] = new
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    path, binary_folder = sys.argv[1], sys.argv[2]
    os.environ["PATH"] = binary_folder + os.pathsep + os.environ["PATH"]
    with open(path, encoding="utf-8") as file:
        lines = file.read().rstrip("\n").split("\n")
    edits, failed = [], False
    with tempfile.TemporaryDirectory() as folder:
        for case in commands(parse(lines)):
            result = execute(case, folder)
            for key in ("exit", "stdout", "stderr"):
                default = "0" if key == "exit" else ""
                want = case[key][3] if key in case else default
                if matches(want, result[key]):
                    continue
                failed = True
                print(f"$ {case['run'][3]}")
                show_difference(key, want, result[key])
                new = "" if result[key] == default else result[key]
                last = max(field[2] for field in case.values())
                edits.append((key, case[key][1], case[key][2], new) if key in case else (key, None, last, new))
    if not failed:
        return 0
    if os.environ.get("EMULSION_ACCEPT") == "1":
        accept(path, lines, edits)
        print(f"accepted: {path}")
        return 0
    print(f"to accept what was printed: EMULSION_ACCEPT=1 python3 {' '.join(sys.argv)}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
