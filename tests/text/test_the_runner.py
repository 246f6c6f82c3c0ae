#!/usr/bin/env python3
"""The text test runner itself: it passes what is right, fails what is wrong, and rewrites only when asked."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).with_name("run_text_test.py")


def run(text, accept=False):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "case.txt"
        path.write_text(text)
        environment = {**os.environ, "EMULSION_ACCEPT": "1" if accept else "0"}
        done = subprocess.run([sys.executable, RUNNER, path, folder], capture_output=True, text=True, env=environment)
        return done.returncode, path.read_text()


class Runner(unittest.TestCase):
    def test_passes_what_matches(self):
        self.assertEqual(run("run:    cat; exit 3\nstdin:  a\n        b\nexit:   3\nstdout: a\n        b\n")[0], 0)

    def test_wildcards(self):
        self.assertEqual(run("run:    seq 9; echo took 5 ms\nstdout: 1\n        ...\n        took <*> ms\n")[0], 0)

    def test_fails_and_leaves_the_file_alone(self):
        for wrong in ("run:    echo b\nstdout: a\n", "run:    false\n", "run:    echo x >&2\n", "run:    true\nstdout: a\n"):
            self.assertEqual(run(wrong), (1, wrong))

    def test_accepts_when_asked(self):
        status, text = run("# why\nrun:    echo b; echo c; exit 2\nstdout: a\nrun:    echo d >&2\n", accept=True)
        self.assertEqual(status, 0)
        self.assertEqual(text, "# why\nrun:    echo b; echo c; exit 2\nstdout: b\n        c\nexit:   2\nrun:    echo d >&2\nstderr: d\n")
        self.assertEqual(run(text)[0], 0)


if __name__ == "__main__":
    unittest.main()
