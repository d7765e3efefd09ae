"""JAX: XLA runs the ptxas of CUDA_ROOT, and the key of the cache."""

import importlib.util
import pathlib
import unittest

import ptxopt
from session import Session

if importlib.util.find_spec("jax") is None or importlib.util.find_spec("jax_plugins") is None:
    raise unittest.SkipTest("no JAX for CUDA here")
# Of jax[cuda13], and of jax[cuda12].
PACKAGES = importlib.util.find_spec("nvidia.cu13") or importlib.util.find_spec("nvidia.cuda_nvcc")
if PACKAGES is None:
    raise unittest.SkipTest("no ptxas of jax[cuda13] or jax[cuda12] here")

KERNEL = str(pathlib.Path(__file__).with_name("jax_kernel.py"))


class Jax(Session):
    def setUp(self):
        super().setUp()
        self.ours = str(self.folder / "cuda")
        ptxopt.make_shim(self.ours, next(iter(PACKAGES.submodule_search_locations)))

    def compiled(self, **environment):
        """What came of each text."""
        settings = {
            "JAX_COMPILATION_CACHE_DIR": str(self.folder / "cache"),
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        }
        self.run_python(KERNEL, **{**settings, **environment})
        return [line.split('"result":"')[1].split('"')[0] for line in self.log.read_text().splitlines()]

    def keys(self):
        return sorted(path.name for path in (self.folder / "cache").glob("*-cache"))

    def test_cache(self):
        """jax: XLA comes to us by CUDA_ROOT; the key of its cache is the same without us and with PTXOPT_DISABLE"""
        went = self.compiled(CUDA_ROOT=self.ours)
        self.assertGreater(len(went), 0)
        self.assertEqual(set(went), {"passed-on"})
        keys = self.keys()
        self.assertEqual(len(keys), 1)
        self.assertEqual(self.compiled(), [])
        self.assertLessEqual(set(self.compiled(CUDA_ROOT=self.ours, PTXOPT_DISABLE="1")), {"disabled"})
        self.assertEqual(self.keys(), keys)
