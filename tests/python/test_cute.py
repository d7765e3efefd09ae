"""CuTe DSL: FlashAttention-4 and quack assemble with ptxopt."""

import importlib.util
import os
import pathlib

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
