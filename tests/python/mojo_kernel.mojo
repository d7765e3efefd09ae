# A kernel with one wait too many, compiled to an object for sm_100a where there is no GPU, too.
from max.gpu import thread_idx
from max.gpu.host import get_gpu_target
from std.compile import compile_info
from std.sys import inlined_assembly
def kernel(p: UnsafePointer[UInt32, MutAnyOrigin], t: UInt32):
    var a = inlined_assembly["tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];", UInt32, constraints="=r,r"](t)
    inlined_assembly["tcgen05.wait::ld.sync.aligned;", NoneType, constraints="~{memory}"]()
    inlined_assembly["tcgen05.wait::ld.sync.aligned;", NoneType, constraints="~{memory}"]()
    p[thread_idx.x] = a
def main() raises:
    var info = compile_info[kernel, emission_kind="object", target=get_gpu_target["sm_100a"]()]()
    print(info.asm.byte_length())
