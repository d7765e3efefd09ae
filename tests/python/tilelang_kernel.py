"""Compiles a kernel for the tensor core, also without a GPU; with the argument "ptxopt" by the flags of ptxopt."""

import sys

import ptxopt.tilelang
import tilelang
import tilelang.language as T

SIDE, TILE = 512, 128
MATRIX = T.Tensor((SIDE, SIDE), "float16")


@T.prim_func
def gemm(A: MATRIX, B: MATRIX, C: MATRIX):
    with T.Kernel(SIDE // TILE, SIDE // TILE, threads=256) as (x, y):
        a, b = T.alloc_shared((TILE, TILE), "float16"), T.alloc_shared((TILE, TILE), "float16")
        total, done = T.alloc_tmem((TILE, TILE), "float32"), T.alloc_barrier(1)
        registers, out = T.alloc_fragment((TILE, TILE), "float32"), T.alloc_shared((TILE, TILE), "float16")
        for k in T.Pipelined(SIDE // TILE, num_stages=1):
            T.copy(A[y * TILE, k * TILE], a)
            T.copy(B[x * TILE, k * TILE], b)
            T.gemm(a, b, total, transpose_B=True, mbar=done, clear_accum=(k == 0))
            T.mbarrier_wait_parity(done, k % 2)
        T.copy(total, registers)
        T.copy(registers, out)
        T.copy(out, C[y * TILE, x * TILE])


flags = ptxopt.tilelang.compile_flags() if "ptxopt" in sys.argv else None
tilelang.compile(gemm, target={"kind": "cuda", "arch": "sm_100a"}, compile_flags=flags)
