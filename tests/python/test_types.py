"""The package is typed: mypy --strict reports nothing."""

import os
import subprocess
import sys
import unittest

import texts

try:
    import mypy  # noqa: F401
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None


class Types(unittest.TestCase):
    def test_strict(self):
        """types: mypy --strict passes"""
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "-p", "ptxopt"]
        done = subprocess.run(command, cwd=texts.SOURCE / "python", capture_output=True, text=True)
        self.assertEqual((done.stdout.split(":")[0], done.stderr), ("Success", ""), done.stdout)
