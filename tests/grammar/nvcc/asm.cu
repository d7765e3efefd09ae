// Inline asm: scoped registers and labels that repeat, as `%=` does not exist here.
#include <cstdint>

__device__ inline void wait(uint32_t barrier, uint32_t phase)
{
    asm volatile("{\n\t.reg .pred P1;\nLAB_WAIT:\n\t"
                 "mbarrier.test_wait.parity.shared.b64 P1, [%0], %1;\n\t"
                 "@P1 bra DONE;\n\tbra LAB_WAIT;\nDONE:\n\t}" ::"r"(barrier), "r"(phase) : "memory");
}

__global__ void waits(uint32_t *out, uint32_t barrier)
{
#if __CUDA_ARCH__ >= 800
    wait(barrier, 0);
    wait(barrier, 1);
#endif
    uint32_t low, high;
    asm("mad.lo.cc.u32 %0, %2, %3, 1; madc.hi.u32 %1, %2, %3, 0; // two on a line"
        : "=r"(low), "=r"(high) : "r"(out[0]), "r"(out[1]));
    asm volatile("/* nothing */");
    asm volatile("{ .reg .b32 %%t; mov.b32 %%t, {%1, %1}; lop3.b32 %0, %%t, %0, 0x0F, 0x96; }"
                 : "+r"(low) : "h"((uint16_t)7));
    uint64_t wide;
    asm("cvta.to.global.u64 %0, %1;" : "=l"(wide) : "l"(out));
    out[2] = low ^ high ^ (uint32_t)wide;
#if __CUDA_ARCH__ == 1000
    asm volatile("tcgen05.fence::before_thread_sync;\n\ttcgen05.wait::ld.sync.aligned;" ::: "memory");
#endif
}
