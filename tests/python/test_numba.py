"""numba-cuda: ptxopt between its PTX and nvJitLink."""

import unittest

import ptxopt

try:
    from cuda.core import Linker, LinkerOptions, ObjectCode
    from llvmlite import ir
    from numba import cuda, types
    from numba.cuda.extending import intrinsic
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None


@intrinsic
def load_and_wait_twice(context, address):
    def code(context, builder, signature, arguments):
        word = ir.IntType(32)
        load = ir.InlineAsm(
            ir.FunctionType(word, [word]), "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];", "=r,r", side_effect=True
        )
        wait = ir.InlineAsm(
            ir.FunctionType(ir.VoidType(), []), "tcgen05.wait::ld.sync.aligned;", "~{memory}", side_effect=True
        )
        value = builder.call(load, arguments)
        builder.call(wait, [])
        builder.call(wait, [])
        return value

    return types.uint32(types.uint32), code


def kernel(out, address):
    out[cuda.threadIdx.x] = load_and_wait_twice(address)


class Numba(unittest.TestCase):
    def test_link(self):
        """numba: a wait goes from the PTX of numba.cuda.compile, and nvJitLink makes a cubin of it"""
        signature = types.void(types.uint32[::1], types.uint32)
        text, _ = cuda.compile(kernel, signature, device=False, abi="numba", cc=(10, 0, "a"), output="ptx")
        result = ptxopt.optimize(text, name="numba.ptx")
        self.assertEqual(len(result.deleted), 1)
        self.assertEqual((text.count("tcgen05.wait"), result.text.count("tcgen05.wait")), (2, 1))
        linker = Linker(ObjectCode.from_ptx(result.text.encode()), options=LinkerOptions(arch="sm_100a"))
        self.assertTrue(linker.link("cubin").code.startswith(b"\x7fELF"))
