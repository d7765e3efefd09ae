"""The fixture of pytest, in a separate pytest."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import ptxopt
import texts

try:
    import pytest  # noqa: F401
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None


class Fixture(unittest.TestCase):
    """Tests of a compiler, and their results."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "good.ptx").write_text(texts.TWO_WAITS)
        (self.folder / "wrong.ptx").write_text(texts.WRONG_WAIT)
        (self.folder / "empty").mkdir()

    def run_tests(self, body, *options, ini=""):
        """The exit status and the output of pytest."""
        (self.folder / "test_ptx.py").write_text("import pathlib, ptxopt\ngood, wrong = pathlib.Path('good.ptx'), pathlib.Path('wrong.ptx')\n" + body)
        (self.folder / "pytest.ini").write_text("[pytest]\n" + ini)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "ptxopt.pytest", "-p", "no:cacheprovider", f"--basetemp={self.folder / 'temp'}", *options]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_what_is_right_passes(self):
        """pytest: a text, a file and their results"""
        status, said = self.run_tests(
            "def test_it(ptx_lint):\n"
            "    assert ptx_lint(good.read_text(), name='k')[0].hazards == ()\n"
            "    assert len(ptx_lint(good)) == 1\n"
            "    assert ptx_lint(wrong, level='error')[0].stats.linted\n"
        )
        self.assertEqual(status, 0, said)

    def test_what_is_wrong_fails_and_is_told(self):
        """pytest: a finding fails the test, with its place, its fix and the text"""
        status, said = self.run_tests("def test_it(ptx_lint):\n    ptx_lint(wrong.read_text(), name='matmul')\n")
        (hazard,) = ptxopt.lint(texts.WRONG_WAIT).hazards
        self.assertEqual(status, 1, said)
        self.assertIn(f"matmul:10:2: warning: {hazard.message} [{hazard.code}; id {hazard.id}]", said)
        self.assertIn(f"fix: {hazard.fix}", said)
        self.assertEqual((self.folder / "temp/ptx/0.ptx").read_text(), texts.WRONG_WAIT)

    def test_folders(self):
        """pytest: all of a folder is read, and one without PTX fails"""
        status, said = self.run_tests("def test_it(ptx_lint):\n    ptx_lint(pathlib.Path('.'))\n")
        self.assertEqual((status, "wrong.ptx:10:2" in said, "good.ptx:" in said), (1, True, False), said)
        status, said = self.run_tests("def test_it(ptx_lint):\n    ptx_lint(pathlib.Path('empty'))\n")
        self.assertEqual((status, "there is no *.ptx" in said), (1, True), said)

    def test_what_is_known(self):
        """pytest: the level and what is accepted, by the command line and by the configuration"""
        body = "def test_it(ptx_lint):\n    ptx_lint(wrong)\n"
        (hazard,) = ptxopt.lint(texts.WRONG_WAIT).hazards
        self.assertEqual(self.run_tests(body, "--ptx-lint-level=error")[0], 0)
        self.assertEqual(self.run_tests(body, ini="ptx_lint_level = error\n")[0], 0)
        self.assertEqual(self.run_tests(body, "--ptx-lint-level=warning", ini="ptx_lint_level = error\n")[0], 1)
        self.assertEqual(self.run_tests(body, ini=f"ptx_lint_accept =\n    {hazard.id}\n")[0], 0)
        self.assertEqual(self.run_tests(body.replace("wrong)", f"wrong, accept=['{hazard.id}'])"))[0], 0)

    def test_what_is_no_ptx(self):
        """pytest: what is no PTX is an error of the test"""
        status, said = self.run_tests("def test_it(ptx_lint):\n    ptx_lint('this is no tcgen05')\n")
        self.assertEqual((status, "BadInputError" in said), (1, True), said)
