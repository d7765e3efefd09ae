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
        return [one.get("deleted", one["result"]) for one in records]

    def test_cache(self):
        """tilelang: by compile_flags waits go, another process hits the cache, other flags and none miss it"""
        (deleted,) = self.compiled("ptxopt")
        self.assertGreater(deleted, 0)
        self.assertEqual(self.compiled("ptxopt"), [])
        self.assertEqual(self.compiled("ptxopt", PTXOPT_FLAGS="--rules none"), [0])
        self.assertEqual(self.compiled(), [])
        kernels = list(self.folder.glob("tilelang/**/kernel.cubin"))
        self.assertEqual(len(kernels), 3)
