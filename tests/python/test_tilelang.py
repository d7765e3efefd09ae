"""TileLang: the flags for nvcc, and the caches."""

import importlib.util
import os
import pathlib
import shutil
import unittest

from session import Session

if importlib.util.find_spec("tilelang") is None:
    raise unittest.SkipTest("No module named 'tilelang'")
if shutil.which("nvcc") is None:
    raise unittest.SkipTest("no nvcc on PATH")

KERNEL = str(pathlib.Path(__file__).with_name("tilelang_kernel.py"))


class TileLang(Session):
    def compiled(self, *arguments, **environment):
        cuda = str(pathlib.Path(os.path.realpath(shutil.which("nvcc"))).parent.parent)
        _, records = self.run_python(
            KERNEL, *arguments, CUDA_HOME=cuda, TILELANG_CACHE_DIR=str(self.folder / "tilelang"), **environment
        )
        return self.went(records)

    def test_cache(self):
        """tilelang: by compile_flags waits go, another process hits the cache, other flags and none miss it"""
        (deleted,) = self.compiled("ptxopt")
        self.assertGreater(deleted, 0)
        self.assertEqual(self.compiled("ptxopt"), [])
        self.assertEqual(self.compiled("ptxopt", PTXOPT_FLAGS="--rules none"), [0])
        self.assertEqual(self.compiled(), [])
        self.assertEqual(self.kernels(), 3)

    def kernels(self):
        """How many are in the cache."""
        return len(list(self.folder.glob("tilelang/**/kernel.cubin")))

    def test_disabled(self):
        """tilelang: with PTXOPT_DISABLE it is the build without ptxopt, with its cache, whatever was made before"""
        (deleted,) = self.compiled("ptxopt")
        self.assertGreater(deleted, 0)
        self.assertEqual(self.compiled("ptxopt", PTXOPT_DISABLE="1"), [])
        self.assertEqual(self.kernels(), 2)
        self.assertEqual(self.compiled(), [])
        self.assertEqual(self.compiled("ptxopt"), [])
        self.assertEqual(self.kernels(), 2)

    def test_fallback(self):
        """tilelang: a fallback is cached with a key of its own, and tried again"""
        settings = {"PTXOPT_CACHE_DIR": str(self.folder / "ptxopt")}
        settings["PTXOPT_REAL_PTXAS"], trouble = self.flaky_ptxas(os.path.realpath(shutil.which("ptxas")))
        self.assertEqual(self.compiled("ptxopt", **settings), ["refused"])
        trouble.unlink()
        (deleted,) = self.compiled("ptxopt", **settings)
        self.assertGreater(deleted, 0)
        self.assertEqual(self.compiled("ptxopt", **settings), [])
