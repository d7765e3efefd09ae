"""Runs the tests of one module and prints a line each: "ok", "not ok" or "skip", the name, the reason, by tabs.

The message of a failure is below its line, after "#".
"""

import importlib
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))


class Lines(unittest.TestResult):
    def line(self, verdict, test, reason=""):
        name = test.shortDescription() or str(test)
        print(verdict, name, reason.split("\n")[0], sep="\t", flush=True)

    def wrong(self, test, error):
        self.line("not ok", test)
        for text in self._exc_info_to_string(error, test).rstrip().split("\n")[-20:]:
            print("#", text[:300], flush=True)

    def addSuccess(self, test):
        self.line("ok", test)

    def addSkip(self, test, reason):
        self.line("skip", test, reason)

    def addError(self, test, error):
        self.wrong(test, error)

    def addFailure(self, test, error):
        self.wrong(test, error)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.wrong(subtest, error)


try:
    module = importlib.import_module(sys.argv[1])
except unittest.SkipTest as skipped:
    print("skip", sys.argv[1], skipped, sep="\t")
else:
    unittest.defaultTestLoader.loadTestsFromModule(module).run(Lines())
