"""The programs that replace ptxas, and python -m ptxopt."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import ptxopt
import ptxopt.cute
import ptxopt.tilelang
import texts

try:
    ptxopt.program("ptxopt-ptxas")
except ptxopt.LibraryError as error:
    raise unittest.SkipTest(str(error)) from None


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        clean = {
            name: value for name, value in os.environ.items() if not name.startswith(("PTXOPT_REAL", "PTXOPT_FLAGS"))
        }
        patch = mock.patch.dict(os.environ, {**clean, "PTXOPT_CACHE_DIR": str(self.folder / "cache")}, clear=True)
        patch.start()
        self.addCleanup(patch.stop)
        self.real = self.folder / "ptxas-blackwell"
        # Its object is a line with the words it was called with, and the text.
        shutil.copy(texts.SOURCE / "tests/wrapper/programs/ptxas", self.real)

    def assembled(self, program, *first):
        """The output of a ptxas for a kernel with two waits."""
        source, output = self.folder / "kernel.ptx", self.folder / "kernel.cubin"
        source.write_text(texts.TWO_WAITS)
        subprocess.run([program, *first, "-arch=sm_100a", str(source), "-o", str(output)], check=True)
        return output.read_text().partition("\n")[2]

    def python_m(self, *arguments):
        return subprocess.run([sys.executable, "-m", "ptxopt", *arguments], capture_output=True, text=True)

    def test_ptxas_path(self):
        """programs: ptxas_path is a ptxas that runs ptxopt, and says so in its version"""
        path = ptxopt.ptxas_path(self.real)
        self.assertEqual(os.path.basename(path), "ptxas-blackwell")
        self.assertEqual(self.assembled(path), ptxopt.optimize(texts.TWO_WAITS).text)
        printed = subprocess.run([path, "--version"], check=True, capture_output=True, text=True).stdout
        real = subprocess.run([self.real, "--version"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(printed.splitlines()[:-1], real.splitlines())
        self.assertTrue(printed.splitlines()[-1].startswith(f"ptxopt {ptxopt.__version__}"))

    def test_same_path(self):
        """programs: ptxas_path is the same again, and another for another ptxas or other flags"""
        path = ptxopt.ptxas_path(self.real)
        self.assertEqual(ptxopt.ptxas_path(self.real), path)
        other = shutil.copy(self.real, self.folder / "ptxas")
        self.assertNotEqual(os.path.dirname(ptxopt.ptxas_path(other)), os.path.dirname(path))
        prefix = ptxopt.tilelang.compile_flags()
        os.environ["PTXOPT_FLAGS"] = "--isa 9.4"
        self.assertNotEqual(ptxopt.ptxas_path(self.real), path)
        self.assertNotEqual(ptxopt.tilelang.compile_flags(), prefix)

    def test_found(self):
        """programs: without a path it is the ptxas that would run without us, and never ours"""
        os.environ["PTXOPT_REAL_PTXAS"] = str(self.real)
        path = ptxopt.ptxas_path()
        self.assertEqual(os.readlink(path + ".real"), str(self.real))
        del os.environ["PTXOPT_REAL_PTXAS"]
        shim = self.folder / "shim"
        shim.mkdir()
        (shim / "ptxas").symlink_to(ptxopt.program("ptxopt-ptxas"))
        os.environ["PATH"] = f"{shim}:{self.folder}:{os.environ['PATH']}"
        shutil.copy(self.real, self.folder / "ptxas")
        with mock.patch("importlib.util.find_spec", return_value=None):  # as if there were no Triton
            self.assertEqual(os.readlink(ptxopt.ptxas_path() + ".real"), str(self.folder / "ptxas"))

    def test_missing(self):
        """programs: a ptxas that is not there is an error that names it"""
        with self.assertRaisesRegex(ptxopt.LibraryError, "/no/such/ptxas"):
            ptxopt.ptxas_path("/no/such/ptxas")

    def test_prefix(self):
        """programs: compile_flags name a program to run before ptxas"""
        (flag,) = ptxopt.tilelang.compile_flags()
        option, _, prefix = flag.partition("=")
        self.assertEqual(option, "--ptxas-prefix")
        self.assertEqual(self.assembled(prefix, str(self.real)), ptxopt.optimize(texts.TWO_WAITS).text)

    def test_cute(self):
        """programs: cute.install sets what FlashAttention-4 and quack read, for this process"""
        path = ptxopt.cute.install(self.real)
        self.assertEqual((os.environ["CUTE_DSL_PTXAS_PATH"], os.environ["CUTE_DSL_KEEP_PTX"]), (path, "1"))
        lines = (texts.SOURCE / "doc/adopt.md").read_text().partition("export CUTE_DSL_PTXAS_PATH")
        shown = re.findall(r"(\w+)=(?:([01])\b|\$)", "".join(lines[1:]).partition("\n\n")[0])
        self.assertEqual(len(shown), 5)
        for name, value in shown:
            self.assertTrue(os.environ[name] == value if value else os.path.exists(os.environ[name]), name)
        dump = os.environ["CUTE_DSL_DUMP_DIR"]
        self.assertTrue(os.path.isdir(dump))
        self.assertEqual((ptxopt.cute.install(self.real), os.environ["CUTE_DSL_DUMP_DIR"]), (path, dump))
        with mock.patch.dict(sys.modules, {"quack": None}), self.assertRaisesRegex(ptxopt.PtxoptError, "quack"):
            os.environ["PTXOPT_FLAGS"] = "--isa 9.4"
            ptxopt.cute.install(self.real)

    def test_module(self):
        """programs: python -m ptxopt prints a path, makes a tree, and is ptxopt otherwise"""
        self.assertEqual(self.python_m("ptxas-path", str(self.real)).stdout, ptxopt.ptxas_path(self.real) + "\n")
        cuda = self.folder / "cuda"
        (cuda / "bin").mkdir(parents=True)
        shutil.copy(self.real, cuda / "bin" / "ptxas")
        self.assertEqual(self.python_m("shim", str(self.folder / "tree"), str(cuda)).returncode, 0)
        self.assertEqual(self.assembled(self.folder / "tree/bin/ptxas"), ptxopt.optimize(texts.TWO_WAITS).text)
        source = self.folder / "kernel.ptx"
        self.assertEqual(self.python_m(str(source)).stdout, ptxopt.optimize(texts.TWO_WAITS).text)
        wrong = self.python_m("ptxas-path", "/no/such/ptxas")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("/no/such/ptxas", wrong.stderr)
