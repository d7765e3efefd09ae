"""Lint of what Triton emits for a kernel of the tensor core; needs no GPU."""

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(a, b, c, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, inner = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.float32)
    for first in range(0, k, K):
        left = tl.load(a + rows[:, None] * k + first + inner[None, :])
        right = tl.load(b + (first + inner)[:, None] * N + columns[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16))


def test_matmul(ptx_lint):
    types = {"a": "*fp16", "b": "*fp16", "c": "*fp16", "k": "i32", "M": "constexpr", "N": "constexpr", "K": "constexpr"}
    source = ASTSource(matmul, types, {"M": 128, "N": 64, "K": 64})
    ptx_lint(triton.compile(source, target=GPUTarget("cuda", 100, 32)).asm["ptx"], name="matmul")
