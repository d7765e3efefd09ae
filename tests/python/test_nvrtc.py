"""NVRTC and nvJitLink by their Python bindings: ptxopt between the two."""

import pathlib
import unittest

import ptxopt

try:
    from cuda.bindings import nvrtc
    from cuda.core import Linker, LinkerOptions, ObjectCode
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None

KERNEL = pathlib.Path(__file__).parents[1] / "clients" / "epilogue.cu"


class Nvrtc(unittest.TestCase):
    def done(self, answer):
        self.assertEqual(answer[0], nvrtc.nvrtcResult.NVRTC_SUCCESS)
        return answer[1] if len(answer) == 2 else None

    def compiled(self, option, size, get):
        program = self.done(nvrtc.nvrtcCreateProgram(KERNEL.read_bytes(), b"epilogue.cu", 0, [], []))
        options = [b"--gpu-architecture=sm_100a", *option]
        self.done(nvrtc.nvrtcCompileProgram(program, len(options), options))
        code = bytearray(self.done(size(program)))
        self.done(get(program, code))
        return bytes(code)

    def linked(self, text):
        result = ptxopt.optimize(text.decode().rstrip("\0"), name="nvrtc.ptx")
        self.assertEqual((len(result.deleted), result.text.count("tcgen05.wait")), (1, 1))
        linker = Linker(ObjectCode.from_ptx(result.text.encode()), options=LinkerOptions(arch="sm_100a"))
        return linker.link("cubin").code

    def test_ptx(self):
        """nvrtc: a wait goes from its PTX, and nvJitLink makes a cubin of the rest"""
        text = self.compiled([], nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)
        self.assertTrue(self.linked(text).startswith(b"\x7fELF"))

    def test_lto(self):
        """nvrtc: a wait goes from the PTX that nvJitLink makes of its LTO IR"""
        code = ObjectCode.from_ltoir(self.compiled([b"-dlto"], nvrtc.nvrtcGetLTOIRSize, nvrtc.nvrtcGetLTOIR))
        to_ptx = LinkerOptions(arch="sm_100a", link_time_optimization=True, ptx=True)
        self.assertTrue(self.linked(Linker(code, options=to_ptx).link("ptx").code).startswith(b"\x7fELF"))
