"""Compiles a kernel for the tensor core, also without a GPU; with the argument "ptxopt" by the tileiras of ptxopt."""

import io
import sys

import cuda.tile as ct
import ptxopt.cutile
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel


@ct.kernel
def matmul(A, B, C, m: ct.Constant[int], n: ct.Constant[int], k: ct.Constant[int]):
    x, y = ct.bid(0), ct.bid(1)
    total = ct.full((m, n), 0, dtype=ct.float32)
    for step in range(ct.num_tiles(A, axis=1, shape=(m, k))):
        left = ct.load(A, index=(x, step), shape=(m, k))
        right = ct.load(B, index=(step, y), shape=(k, n))
        total = ct.mma(left, right, total)
    ct.store(C, index=(x, y), tile=ct.astype(total, ct.float16))


matrix = ArrayConstraint(
    ct.float16,
    2,
    index_dtype=ct.int32,
    stride_lower_bound_incl=0,
    alias_groups=(),
    may_alias_internally=False,
    stride_constant=(None, 1),
    stride_divisible_by=(16, 1),
    shape_divisible_by=16,
    base_addr_divisible_by=16,
)
if "ptxopt" in sys.argv and ptxopt.cutile.install() != ptxopt.cutile.install():
    sys.exit("a second install is another")
cubin = io.BytesIO()
signature = KernelSignature([matrix, matrix, matrix, 128, 128, 64], CallingConvention.cutile_python_v1())
export_kernel(matmul, [signature], cubin, gpu_code="sm_100", output_format="cubin")
print(cubin.getvalue()[:4])
