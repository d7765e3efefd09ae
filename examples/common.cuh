// SPDX-License-Identifier: Apache-2.0
//
// Device helpers the example kernels share: one PTX instruction each, named after it.
// Inline assembly rather than a library, so that the .ptx shows what the .cu says.
#pragma once

#include <cstdint>
#include <cuda.h>

#define DEVICE __device__ __forceinline__

// ---- threads and addresses -------------------------------------------------------------

DEVICE uint32_t smem_addr(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

// The leader is chosen once a role, not once an instruction: elect.sync is a warp collective
// and would otherwise stand between every mma and its commit.
DEVICE bool elect_one()
{
    uint32_t leader;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }"
                 : "=r"(leader));
    return leader != 0;
}

// As __syncwarp, which would bring a toolkit header's path into -lineinfo output.
DEVICE void warp_sync()
{
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

DEVICE uint32_t cluster_ctarank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

DEVICE void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

DEVICE void named_bar_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}

DEVICE void st_shared_v4(uint32_t addr, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};"
                 :
                 : "r"(addr), "r"(a), "r"(b), "r"(c), "r"(d)
                 : "memory");
}

DEVICE uint32_t pack_bf16(uint32_t lo, uint32_t hi)
{
    uint32_t packed;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;"
        : "=r"(packed)
        : "f"(__uint_as_float(hi)), "f"(__uint_as_float(lo)));
    return packed;
}

// ---- mbarrier ----------------------------------------------------------------------------

DEVICE void mbar_init(uint32_t bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(bar), "r"(count));
}

// Makes the initialised barriers visible to the async proxy and to the cluster.
DEVICE void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

DEVICE void mbar_arrive(uint32_t bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(bar) : "memory");
}

DEVICE void mbar_arrive_expect_tx(uint32_t bar, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(bar), "r"(bytes)
                 : "memory");
}

// Arrives on the barrier at the same offset in another CTA of the cluster.
DEVICE void mbar_arrive_cluster(uint32_t bar, uint32_t cta)
{
    asm volatile("{\n\t"
                 ".reg .b32 remote;\n\t"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n\t"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n\t"
                 "}"
                 :
                 : "r"(bar), "r"(cta)
                 : "memory");
}

DEVICE bool mbar_try_wait(uint32_t bar, uint32_t parity)
{
    uint32_t done;
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t"
                 "}"
                 : "=r"(done)
                 : "r"(bar), "r"(parity)
                 : "memory");
    return done != 0;
}

DEVICE void mbar_wait(uint32_t bar, uint32_t parity)
{
    while (!mbar_try_wait(bar, parity)) {
    }
}

// The same wait with the loop inside the assembly: every expansion repeats the two labels,
// which is legal because the braces scope them. The last number is a time limit in ns.
DEVICE void mbar_wait_labels(uint32_t bar, uint32_t parity)
{
    asm volatile("{\n\t"
                 ".reg .pred P1;\n\t"
                 "LAB_WAIT:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1, %2;\n\t"
                 "@P1 bra DONE;\n\t"
                 "bra LAB_WAIT;\n\t"
                 "DONE:\n\t"
                 "}"
                 :
                 : "r"(bar), "r"(parity), "r"(0x989680)
                 : "memory");
}

// Where another CTA of the cluster may arrive, the acquire needs the wider scope.
DEVICE void mbar_wait_cluster(uint32_t bar, uint32_t parity)
{
    asm volatile("{\n\t"
                 ".reg .pred P1;\n\t"
                 "LAB_WAIT:\n\t"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 P1, [%0], %1, %2;\n\t"
                 "@P1 bra DONE;\n\t"
                 "bra LAB_WAIT;\n\t"
                 "DONE:\n\t"
                 "}"
                 :
                 : "r"(bar), "r"(parity), "r"(0x989680)
                 : "memory");
}

// ---- TMA -----------------------------------------------------------------------------------

DEVICE void tma_prefetch(const CUtensorMap *map)
{
    asm volatile("prefetch.tensormap [%0];" : : "l"(map) : "memory");
}

DEVICE void tma_load_2d(uint32_t dst, const CUtensorMap *map, uint32_t bar, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3}], [%4];"
                 :
                 : "r"(dst), "l"(map), "r"(x), "r"(y), "r"(bar)
                 : "memory");
}

// In a CTA pair the barrier may be the leader's: clearing the bit of the odd CTA names it.
constexpr uint32_t leader_mask = 0xfeffffffu;

DEVICE void tma_load_2d_pair(uint32_t dst, const CUtensorMap *map, uint32_t bar, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global"
                 ".tile.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3}], [%4];"
                 :
                 : "r"(dst), "l"(map), "r"(x), "r"(y), "r"(bar & leader_mask)
                 : "memory");
}

DEVICE void bulk_load(uint32_t dst, const void *src, uint32_t bytes, uint32_t bar)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :
        : "r"(dst), "l"(src), "r"(bytes), "r"(bar)
        : "memory");
}

DEVICE void tma_store_2d(const CUtensorMap *map, uint32_t src, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"
                 :
                 : "l"(map), "r"(x), "r"(y), "r"(src)
                 : "memory");
}

DEVICE void bulk_commit_group()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

template <int pending> DEVICE void bulk_wait_group_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(pending) : "memory");
}

DEVICE void fence_proxy_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// ---- tcgen05: allocation, fences, waits -----------------------------------------------------

template <int group> DEVICE void tmem_alloc(uint32_t dst, uint32_t columns)
{
    static_assert(group == 1 || group == 2, "");
    if constexpr (group == 1)
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;"
                     :
                     : "r"(dst), "r"(columns)
                     : "memory");
    else
        asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;"
                     :
                     : "r"(dst), "r"(columns)
                     : "memory");
}

template <int group> DEVICE void tmem_relinquish()
{
    if constexpr (group == 1)
        asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    else
        asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;");
}

template <int group> DEVICE void tmem_dealloc(uint32_t tmem, uint32_t columns)
{
    if constexpr (group == 1)
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;"
                     :
                     : "r"(tmem), "r"(columns));
    else
        asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;"
                     :
                     : "r"(tmem), "r"(columns));
}

DEVICE void tc_fence_before()
{
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
DEVICE void tc_fence_after()
{
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}
DEVICE void tc_wait_ld()
{
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}
DEVICE void tc_wait_st()
{
    asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
}

DEVICE void tc_commit(uint32_t bar)
{
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];"
                 :
                 : "r"(bar)
                 : "memory");
}

DEVICE void tc_commit_pair(uint32_t bar, uint16_t cta_mask)
{
    asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one"
                 ".shared::cluster.multicast::cluster.b64 [%0], %1;"
                 :
                 : "r"(bar), "h"(cta_mask)
                 : "memory");
}

// ---- tcgen05: descriptors --------------------------------------------------------------------

// Shared-memory descriptor, 128-byte swizzle. K-major operands repeat every 8 rows, so the
// stride is 1024 bytes and the leading offset is ignored.
DEVICE uint64_t desc_k_major(uint32_t addr)
{
    return uint64_t((addr & 0x3ffff) >> 4) | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 |
           uint64_t(1) << 46 | uint64_t(2) << 61;
}

// MN-major: 64 elements are contiguous, the next 64 are leading_bytes away.
DEVICE uint64_t desc_mn_major(uint32_t addr, uint32_t leading_bytes)
{
    return uint64_t((addr & 0x3ffff) >> 4) | uint64_t(leading_bytes >> 4) << 16 |
           uint64_t(1024 >> 4) << 32 | uint64_t(1) << 46 | uint64_t(2) << 61;
}

// Scale factors for tcgen05.cp: no swizzle, 8 rows of 16 bytes a core matrix.
DEVICE uint64_t desc_scales(uint32_t addr)
{
    return uint64_t((addr & 0x3ffff) >> 4) | uint64_t(128 >> 4) << 32 | uint64_t(1) << 46;
}

// Instruction descriptor: bf16 x bf16 -> f32.
__host__ __device__ constexpr uint32_t idesc_bf16(uint32_t m, uint32_t n, bool b_mn_major = false)
{
    return 1u << 4 | 1u << 7 | 1u << 10 | uint32_t(b_mn_major) << 16 | (n >> 3) << 17 |
           (m >> 4) << 24;
}

// Instruction descriptor: e4m3 x e4m3 with ue8m0 scales.
__host__ __device__ constexpr uint32_t idesc_mxf8(uint32_t m, uint32_t n)
{
    return (n >> 3) << 17 | 1u << 23 | (m >> 4) << 24;
}

// ---- tcgen05: data movement and mma -----------------------------------------------------------

template <int group>
DEVICE void tc_mma_f16(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, bool accumulate)
{
    if constexpr (group == 1)
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n\t"
                     "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"
                     :
                     : "r"(d), "l"(a), "l"(b), "r"(idesc), "r"(uint32_t(accumulate))
                     : "memory");
    else
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n\t"
                     "tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, p; }"
                     :
                     : "r"(d), "l"(a), "l"(b), "r"(idesc), "r"(uint32_t(accumulate))
                     : "memory");
}

// A from tensor memory.
DEVICE void tc_mma_f16_ts(uint32_t d, uint32_t a, uint64_t b, uint32_t idesc, bool accumulate)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n\t"
                 "tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], %2, %3, p; }"
                 :
                 : "r"(d), "r"(a), "l"(b), "r"(idesc), "r"(uint32_t(accumulate))
                 : "memory");
}

DEVICE void tc_mma_mxf8(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, uint32_t sfa,
                        uint32_t sfb, bool accumulate)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0;\n\t"
                 "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X"
                 " [%0], %1, %2, %3, [%4], [%5], p; }"
                 :
                 : "r"(d), "l"(a), "l"(b), "r"(idesc), "r"(sfa), "r"(sfb), "r"(uint32_t(accumulate))
                 : "memory");
}

DEVICE void tc_cp_scales(uint32_t tmem, uint64_t desc)
{
    asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;"
                 :
                 : "r"(tmem), "l"(desc)
                 : "memory");
}

#define TC_OUT8(r, o)                                                                              \
    "=r"(r[o]), "=r"(r[o + 1]), "=r"(r[o + 2]), "=r"(r[o + 3]), "=r"(r[o + 4]), "=r"(r[o + 5]),    \
        "=r"(r[o + 6]), "=r"(r[o + 7])
#define TC_IN8(r, o)                                                                               \
    "r"(r[o]), "r"(r[o + 1]), "r"(r[o + 2]), "r"(r[o + 3]), "r"(r[o + 4]), "r"(r[o + 5]),          \
        "r"(r[o + 6]), "r"(r[o + 7])

DEVICE void tc_ld_x8(uint32_t (&r)[8], uint32_t tmem)
{
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                 : TC_OUT8(r, 0)
                 : "r"(tmem));
}

DEVICE void tc_ld_x16(uint32_t (&r)[16], uint32_t tmem)
{
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x16.b32 {%0, %1, %2, %3, %4, %5, %6, %7,"
                 " %8, %9, %10, %11, %12, %13, %14, %15}, [%16];"
                 : TC_OUT8(r, 0), TC_OUT8(r, 8)
                 : "r"(tmem));
}

DEVICE void tc_ld_x32(uint32_t *r, uint32_t tmem)
{
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x32.b32 {%0, %1, %2, %3, %4, %5, %6, %7,"
                 " %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23,"
                 " %24, %25, %26, %27, %28, %29, %30, %31}, [%32];"
                 : TC_OUT8(r, 0), TC_OUT8(r, 8), TC_OUT8(r, 16), TC_OUT8(r, 24)
                 : "r"(tmem));
}

DEVICE void tc_st_x16(uint32_t tmem, const uint32_t (&r)[16])
{
    asm volatile("tcgen05.st.sync.aligned.32x32b.x16.b32 [%16], {%0, %1, %2, %3, %4, %5, %6, %7,"
                 " %8, %9, %10, %11, %12, %13, %14, %15};"
                 :
                 : TC_IN8(r, 0), TC_IN8(r, 8), "r"(tmem)
                 : "memory");
}
