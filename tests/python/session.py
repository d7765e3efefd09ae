"""Runs a compiler in a separate process, and records what ptxopt-ptxas did for it."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import ptxopt


class Session(unittest.TestCase):
    """Caches are empty at the beginning of each test."""

    def setUp(self):
        try:
            ptxopt.program("ptxopt-ptxas")
        except ptxopt.LibraryError as error:
            self.skipTest(str(error))
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.log = self.folder / "log"

    def run_python(self, *arguments, **environment):
        """The output, and the records of the texts that were assembled during the run."""
        self.log.write_text("")
        path = os.pathsep.join([os.path.dirname(__file__), *(path for path in sys.path if path)])
        done = subprocess.run(
            [sys.executable, "-W", "ignore", *arguments],
            env={**os.environ, "PYTHONPATH": path, "PTXOPT_LOG": str(self.log), **environment},
            capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        records = [json.loads(line) for line in self.log.read_text().splitlines()]
        return done.stdout.strip(), [one for one in records if one.get("output", "").count(".")]

    def went(self, records):
        """The number of removed instructions of each text, or another result."""
        return [one["deleted"] if one["result"] in ("rewritten", "unchanged") else one["result"] for one in records]

    def flaky_ptxas(self, real):
        """A ptxas that is killed when it reads the output of ptxopt, as long as a file exists beside it."""
        program, trouble = self.folder / "ptxas", self.folder / "trouble"
        program.write_text(
            "#!/bin/sh\n"
            f"if [ -e '{trouble}' ]; then case $* in */ptxopt-*) kill -9 $$ ;; esac; fi\nexec '{real}' \"$@\"\n"
        )
        program.chmod(0o755)
        trouble.touch()
        return str(program), trouble
