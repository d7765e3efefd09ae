"""Mojo: MODULAR_NVPTX_COMPILER_PATH, and the cache."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import unittest

import ptxopt
from session import Session

MOJO = pathlib.Path(sys.executable).with_name("mojo")
if importlib.util.find_spec("max") is None or not MOJO.exists():
    raise unittest.SkipTest("no Mojo with the package max here")

KERNEL = str(pathlib.Path(__file__).with_name("mojo_kernel.mojo"))
RUN = "import subprocess, sys; subprocess.run(sys.argv[1:], check=True)"


class Mojo(Session):
    def compiled(self, path=None, **environment):
        settings = {"MODULAR_CACHE_DIR": str(self.folder / "mojo"), **environment}
        if path is None:
            asked = [sys.executable, "-m", "ptxopt", "ptxas-path"]
            path = subprocess.check_output(asked, env={**os.environ, **environment}, text=True).strip()
        settings["MODULAR_NVPTX_COMPILER_PATH"] = path
        command = [str(MOJO), "build", KERNEL, "-o", str(self.folder / "kernel")]
        _, records = self.run_python("-c", RUN, *command, **settings)
        return self.went(records), subprocess.check_output([self.folder / "kernel"])

    def test_cache(self):
        """mojo: a wait goes; a second compile hits the cache, other flags and PTXOPT_DISABLE miss it with their path"""
        went, first = self.compiled()
        self.assertEqual(went, [1])
        self.assertEqual(self.compiled(), ([], first))
        went, other = self.compiled(PTXOPT_FLAGS="--rules none")
        self.assertEqual(went, [0])
        went, off = self.compiled(PTXOPT_DISABLE="1")
        self.assertEqual(went, ["disabled"])
        self.assertNotIn(first, (other, off))
        self.assertEqual(self.compiled(), ([], first))
        self.assertEqual(self.compiled(path=ptxopt.ptxas_path(), PTXOPT_DISABLE="1"), ([], first))

    def test_fallback(self):
        """mojo: the object of a fallback has a path of its own, and the text is tried again"""
        settings = {"PTXOPT_CACHE_DIR": str(self.folder / "ptxopt")}
        settings["PTXOPT_REAL_PTXAS"], trouble = self.flaky_ptxas(os.path.realpath(ptxopt.ptxas_path() + ".real"))
        went, original = self.compiled(**settings)
        self.assertEqual(went, ["refused"])
        trouble.unlink()
        went, ours = self.compiled(**settings)
        self.assertEqual(went, [1])
        self.assertNotEqual(original, ours)
        self.assertEqual(self.compiled(**settings), ([], ours))
