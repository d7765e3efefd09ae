"""CuTe DSL: FlashAttention-4 and quack assemble with ptxopt."""

import importlib.util
import json
import os
import pathlib
import sys

import ptxopt
import texts
from session import Session

MISSING = [name for name in ("cutlass", "quack", "flash_attn") if importlib.util.find_spec(name) is None]

QUACK = """\
import os, pathlib, sys, ptxopt.cute
ptxopt.cute.install()
from quack.dsl import cute_dsl_ptxas
source = pathlib.Path(os.environ["CUTE_DSL_DUMP_DIR"], "kernel.ptx")
source.write_text(sys.argv[1])
print(cute_dsl_ptxas._compile_ptx(source, sys.argv[1])[:4])
import quack.cache, flash_attn.cute.cache_utils
print(quack.cache.CACHE_ENABLED, flash_attn.cute.cache_utils.CUTE_DSL_CACHE_ENABLED)
"""


SETTINGS = """\
import json, os, sys, ptxopt.cute
before = dict(os.environ)
path = ptxopt.cute.install(sys.argv[1])
changed = sorted(name for name in os.environ if os.environ[name] != before.get(name))
print(json.dumps([path, changed, os.path.isdir(os.environ.get("CUTE_DSL_DUMP_DIR", "none"))]))
"""


class Settings(Session):
    def installed(self, **environment):
        return json.loads(self.run_python("-c", SETTINGS, sys.executable, **environment)[0])

    def test_dump(self):
        """cute: install makes the folder that CUTE_DSL_DUMP_DIR names, or sets it to one"""
        folder = str(self.folder / "not" / "there")
        path, changed, is_there = self.installed(CUTE_DSL_DUMP_DIR=folder)
        self.assertTrue(os.access(path, os.X_OK))
        self.assertNotIn("CUTE_DSL_DUMP_DIR", changed)
        self.assertTrue(is_there)
        _, changed, is_there = self.installed(CUTE_DSL_DUMP_DIR="")
        self.assertIn("CUTE_DSL_DUMP_DIR", changed)
        self.assertTrue(is_there)

    def test_disabled(self):
        """cute: with PTXOPT_DISABLE install sets nothing"""
        self.assertEqual(self.installed(PTXOPT_DISABLE="1", CUTE_DSL_DUMP_DIR=""), [None, [], False])


class Cute(Session):
    def setUp(self):
        if MISSING:
            self.skipTest(f"no {' nor '.join(MISSING)} here")
        super().setUp()
        os.environ.pop("CUTE_DSL_DUMP_DIR", None)

    def test_quack(self):
        """cute: quack's _compile_ptx gets a cubin of what ptxopt made of the text, and no cache has another"""
        printed, (record,) = self.run_python("-c", QUACK, texts.TWO_WAITS)
        self.assertEqual(printed.split("\n"), [r"b'\x7fELF'", "False False"])
        self.assertEqual((record["result"], record["deleted"]), ("rewritten", 1))

    def test_flash_attention(self):
        """cute: FlashAttention-4 takes its kernel to ptxopt and ptxas, and the folder for it is gone"""
        _, records = self.run_python(str(pathlib.Path(__file__).with_name("cute_kernel.py")))
        self.assertGreater(len(records), 0)
        for record in records:
            self.assertIn(record["result"], ("rewritten", "unchanged"))
            self.assertGreater(record["candidates"], 0)
            self.assertIn("flash_attn", record["input"])
            self.assertFalse(os.path.exists(os.path.dirname(record["input"])))

    def test_disabled(self):
        """cute: with PTXOPT_DISABLE FlashAttention-4 assembles inside CuTe DSL"""
        _, records = self.run_python(str(pathlib.Path(__file__).with_name("cute_kernel.py")), PTXOPT_DISABLE="1")
        self.assertEqual(records, [])

    def test_caches(self):
        """cute: a fallback is in no cache: another process compiles anew"""
        flaky, trouble = self.flaky_ptxas(os.path.realpath(ptxopt.ptxas_path() + ".real"))
        kernel = str(pathlib.Path(__file__).with_name("cute_kernel.py"))
        _, first = self.run_python(kernel, PTXOPT_REAL_PTXAS=flaky, QUACK_CACHE_DIR=str(self.folder))
        trouble.unlink()
        _, again = self.run_python(kernel, PTXOPT_REAL_PTXAS=flaky, QUACK_CACHE_DIR=str(self.folder))
        self.assertGreater(len(first), 0)
        self.assertEqual(len(first), len(again))
        self.assertNotIn("refused", self.went(again))
