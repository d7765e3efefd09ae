"""A compiler in a process of its own, and what ptxopt-ptxas had to do for it."""

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
        """What it prints, and the records of the texts that were assembled meanwhile."""
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
