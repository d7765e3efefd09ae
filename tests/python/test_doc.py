"""The examples in the documents have the shown results."""

import doctest
import importlib
import os
import pathlib
import tempfile
import unittest

import texts


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        pathlib.Path("kernel.ptx").write_text(texts.TWO_WAITS)

    def tried(self, test):
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        said = []
        runner.run(test, out=said.append)
        self.assertEqual((runner.failures, runner.tries > 0), (0, True), "".join(said))

    def test_readme(self):
        """doc: python/README.md shows what happens"""
        text = (texts.SOURCE / "python" / "README.md").read_text()
        self.tried(doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0))

    def test_docstrings(self):
        """doc: so do the docstrings"""
        for name in ("ptxopt", "ptxopt.run"):
            for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)):
                if test.examples:
                    self.tried(test)
