"""Triton: the hook, and the environment variable, each with the cache of Triton."""

import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import ptxopt
import ptxopt.triton
from session import Session

try:
    import triton
    import triton_kernel
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None


class Hook(unittest.TestCase):
    """With an empty cache and no hook."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        patch = mock.patch.dict(os.environ, {"TRITON_CACHE_DIR": folder.name})
        patch.start()
        self.addCleanup(patch.stop)
        triton.knobs.runtime.add_stages_inspection_hook = None
        self.addCleanup(ptxopt.triton.uninstall)
        self.results = []

    def compiled(self, **choice):
        ptxopt.triton.install(on_result=self.results.append, **choice)
        return triton_kernel.compile_kernel()

    def test_text(self):
        """triton: the hook gives ptxas what ptxopt makes of the PTX, after a hook that is there"""
        twice = triton_kernel.TwiceHook()
        triton.knobs.runtime.add_stages_inspection_hook = twice
        compiled = self.compiled()
        (result,) = self.results
        self.assertEqual(compiled.asm["ptx"], result.text)
        self.assertGreater(len(result.deleted), 0)
        self.assertEqual(twice.stages, 1)
        self.assertGreater(
            len(triton_kernel.WAIT.findall(result.source.decode())),
            len(triton_kernel.WAIT.findall(compiled.asm["ptx"])),
        )
        self.assertTrue(compiled.asm["cubin"].startswith(b"\x7fELF"))

    def test_cache(self):
        """triton: a second compile hits the cache; other flags, and none, miss it"""
        plain = triton_kernel.compile_kernel()
        first, again = self.compiled(), self.compiled()
        self.assertEqual((first.hash, len(self.results)), (again.hash, 1))
        other = self.compiled(no_assume=["register-dependency"])
        self.assertEqual(len(self.results), 2)
        self.assertEqual(len({plain.hash, first.hash, other.hash}), 3)
        ptxopt.triton.uninstall()
        self.assertIsNone(triton.knobs.runtime.add_stages_inspection_hook)
        self.assertEqual(triton_kernel.compile_kernel().hash, plain.hash)

    def test_other_process(self):
        """triton: another process finds what this one compiled"""
        first = self.compiled().hash
        code = (
            "import ptxopt.triton as t, triton_kernel as k\nresults = []\nt.install(on_result=results.append)\n"
            "print(k.compile_kernel().hash, len(results))"
        )
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        printed = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code], env=environment, check=True, capture_output=True, text=True
        )
        self.assertEqual(printed.stdout.split(), [first, "0"])

    def test_keys(self):
        """triton: the hook's part of the key is the same each time, and has that of the one before"""
        ptxopt.triton.install()
        hook = triton.knobs.runtime.add_stages_inspection_hook
        self.assertIs(hook(), hook())
        ptxopt.triton.uninstall()
        triton.knobs.runtime.add_stages_inspection_hook = triton_kernel.TwiceHook()
        ptxopt.triton.install()
        key, digest = triton.knobs.runtime.add_stages_inspection_hook()
        self.assertEqual((key, digest), (f"twice-{hook()[0]}", f"0123-{hook()[1]}"))

    def test_installs(self):
        """triton: install takes the place of an earlier one, and wrong flags are refused then"""
        ptxopt.triton.install(assume=["exit-silent"])
        ptxopt.triton.install()
        self.assertIsNone(triton.knobs.runtime.add_stages_inspection_hook.previous)
        with self.assertRaises(ptxopt.OptionError):
            ptxopt.triton.install(isa="1.0")
        ptxopt.triton.uninstall()
        with mock.patch.dict(os.environ, {"PTXOPT_DISABLE": "1"}):
            ptxopt.triton.install()
        self.assertIsNone(triton.knobs.runtime.add_stages_inspection_hook)

    def test_failure(self):
        """triton: a text that ptxopt fails on is compiled as it is, and the log says so"""
        plain = triton_kernel.compile_kernel().asm["ptx"]
        with self.assertLogs("ptxopt.triton", "WARNING") as logged:
            compiled = self.compiled(timeout=0)
        self.assertEqual((compiled.asm["ptx"], self.results), (plain, []))
        self.assertIn("matmul stays as it is", logged.output[0])

    def test_again(self):
        """triton: a text whose time was up is tried again, once: the next install has another key"""
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"PTXOPT_CACHE_DIR": folder}):
            choice = {"timeout": 0, "no_assume": ["exit-silent"]}
            keys = []
            for _ in range(3):
                with self.assertLogs("ptxopt.triton", "WARNING") if len(keys) < 2 else mock.MagicMock():
                    keys.append(self.compiled(**choice).hash)
        self.assertEqual(len(set(keys)), 2)
        self.assertEqual(keys[1], keys[2])
        self.assertEqual(self.results, [])


class Variable(Session):
    def compiled(self, *, real=None, **environment):
        """The key of the kernel, compiled in a process of its own, as Triton asks ptxas for its version once; and
        what went meanwhile in each text."""
        code = (
            "import triton, triton_kernel as k\ntriton.knobs.runtime.add_stages_inspection_hook = k.TwiceHook()\n"
            "print(k.compile_kernel().hash)"
        )
        settings = {
            "TRITON_PTXAS_BLACKWELL_PATH": ptxopt.ptxas_path(real),
            "TRITON_CACHE_DIR": str(self.folder / "triton"),
            "PTXOPT_CACHE_DIR": str(self.folder / "ptxopt"),
        }
        key, records = self.run_python("-c", code, **{**settings, **environment})
        return key, self.went(records)

    def test_cache(self):
        """triton: by TRITON_PTXAS_BLACKWELL_PATH the waits go, a second compile hits, other flags miss"""
        key, (deleted,) = self.compiled()
        self.assertGreater(deleted, 0)
        self.assertEqual(self.compiled(), (key, []))
        other, (deleted,) = self.compiled(PTXOPT_FLAGS="--rules none")
        self.assertEqual(deleted, 0)
        off, (disabled,) = self.compiled(PTXOPT_DISABLE="1")
        self.assertEqual(disabled, "disabled")
        self.assertEqual(len({key, other, off}), 3)
        self.assertEqual(self.compiled(PTXOPT_DISABLE="1"), (off, []))
        real = os.path.realpath(ptxopt.ptxas_path() + ".real")
        self.assertEqual(self.compiled(TRITON_PTXAS_BLACKWELL_PATH=real), (off, []))
        self.assertEqual(self.compiled(), (key, []))

    def test_fallback(self):
        """triton: by TRITON_PTXAS_BLACKWELL_PATH a fallback is cached with a key of its own, and tried again"""
        flaky, trouble = self.flaky_ptxas(os.path.realpath(ptxopt.ptxas_path() + ".real"))
        first, (result,) = self.compiled(real=flaky)
        self.assertEqual(result, "refused")
        trouble.unlink()
        again, (deleted,) = self.compiled(real=flaky)
        self.assertGreater(deleted, 0)
        self.assertNotEqual(first, again)
        self.assertEqual(self.compiled(real=flaky), (again, []))
