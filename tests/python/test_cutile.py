"""cuTile: tileiras assembles with ptxopt, and the cache."""

import contextlib
import importlib.util
import os
import pathlib
import sqlite3
import unittest
import unittest.mock

import ptxopt
from session import Session


def _has(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


MISSING = [name for name in ("cuda.tile", "nvidia.cu13") if not _has(name)]
if MISSING:
    raise unittest.SkipTest(f"no {' nor '.join(MISSING)} here")

KERNEL = str(pathlib.Path(__file__).with_name("cutile_kernel.py"))


class CuTile(Session):
    def compiled(self, *arguments, **environment):
        settings = {"CUDA_TILE_CACHE_DIR": str(self.folder / "cutile"), "PTXOPT_CACHE_DIR": str(self.folder / "ptxopt")}
        printed, records = self.run_python(KERNEL, *arguments, **{**settings, **environment})
        self.assertEqual(printed, r"b'\x7fELF'")
        # tileiras is tried with a kernel of nothing first, for what it supports
        records = [one for one in records if one["result"] != "passed-on"]
        for record in records:
            self.assertGreater(record["candidates"], 0)
        return [one["result"] for one in records]

    def test_cache(self):
        """cutile: tileiras comes to us; another process hits the cache, other flags, PTXOPT_DISABLE and none miss it"""
        self.assertIn(self.compiled("ptxopt"), (["rewritten"], ["unchanged"]))
        self.assertEqual(self.compiled("ptxopt"), [])
        self.assertEqual(self.compiled("ptxopt", PTXOPT_FLAGS="--rules none"), ["unchanged"])
        self.assertEqual(self.compiled(), [])
        self.assertEqual(self.compiled("ptxopt", PTXOPT_DISABLE="1"), [])
        self.assertEqual(self.compiled("ptxopt", PTXOPT_FLAGS="--rules none"), [])
        self.assertEqual(self.entries(), 3)

    def test_fallback(self):
        """cutile: what fell back for a reason that may be gone is tried again, once"""
        with unittest.mock.patch.dict(os.environ, {"PTXOPT_CACHE_DIR": str(self.folder / "ptxopt")}):
            self.assertEqual(len(self.compiled("ptxopt")), 1)
            ptxopt.programs.add_fallback("that text")
            self.assertEqual(len(self.compiled("ptxopt")), 1)
            ptxopt.programs.add_fallback("that text")
            self.assertEqual(self.compiled("ptxopt"), [])
            self.assertEqual(self.entries(), 2)

    def entries(self):
        """How many cubins are in the cache."""
        (file,) = (self.folder / "cutile").rglob("*.db")
        with contextlib.closing(sqlite3.connect(file)) as cache:
            return cache.execute("select count(*) from cache").fetchone()[0]
