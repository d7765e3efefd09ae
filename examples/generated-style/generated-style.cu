// SPDX-License-Identifier: Apache-2.0
//
// bf16 GEMM with bias as a kernel generator would lower it: each high-level operation brings
// the synchronisation it might need, whatever its neighbours already did.
//   block barrier   tcgen05.fence::before, bar.sync, tcgen05.fence::after
//   barrier wait    mbarrier spin loop, tcgen05.fence::after
//   tensor-memory load or store    each piece with its wait, a fence before the first load
//                   and after the last store
#include "../common.cuh"

constexpr int block_m = 128, block_n = 128, block_k = 64, mma_k = 16, stages = 2;
constexpr uint32_t a_bytes = block_m * block_k * 2, b_bytes = block_n * block_k * 2,
                   stage_bytes = a_bytes + b_bytes;
constexpr uint32_t half_bytes = block_m * 64 * 2, tmem_columns = 128;

DEVICE void block_barrier()
{
    tc_fence_before();
    __syncthreads();
    tc_fence_after();
}

DEVICE void wait_barrier(uint32_t bar, uint32_t parity)
{
    mbar_wait(bar, parity);
    tc_fence_after();
}

DEVICE void tmem_store(uint32_t tmem, const uint32_t (&r)[16])
{
    tc_st_x16(tmem, r);
    tc_wait_st();
}

DEVICE void tmem_load(uint32_t (&r)[16], uint32_t tmem)
{
    tc_ld_x16(r, tmem);
    tc_wait_ld();
}

DEVICE void issue_loads(const CUtensorMap *map_a, const CUtensorMap *map_b, uint32_t dst,
                        uint32_t full_a, uint32_t full_b, int k, int m, int n)
{
    mbar_arrive_expect_tx(full_a, a_bytes);
    tma_load_2d(dst, map_a, full_a, k, m);
    mbar_arrive_expect_tx(full_b, b_bytes);
    tma_load_2d(dst + a_bytes, map_b, full_b, k, n);
}

extern "C" __global__ void __launch_bounds__(128)
    main_kernel(const __grid_constant__ CUtensorMap map_a,
                const __grid_constant__ CUtensorMap map_b,
                const __grid_constant__ CUtensorMap map_d, const float *bias, int k_blocks)
{
    extern __shared__ __align__(1024) uint8_t buf_dyn_shmem[];
    __shared__ __align__(8) uint64_t bars[2 * stages + 1];
    __shared__ __align__(16) float bias_shared[block_n];
    __shared__ uint32_t tmem_slot;

    const int tid = threadIdx.x, m0 = blockIdx.y * block_m, n0 = blockIdx.x * block_n;
    const uint32_t smem = smem_addr(buf_dyn_shmem), d_smem = smem + stages * stage_bytes;
    const uint32_t full_a = smem_addr(bars), full_b = full_a + 8 * stages,
                   mma_done = full_b + 8 * stages;

    if (tid == 32) { // not in the warp that allocates
        tma_prefetch(&map_a);
        tma_prefetch(&map_b);
        tma_prefetch(&map_d);
        for (int s = 0; s < stages; ++s) {
            mbar_init(full_a + 8 * s, 1);
            mbar_init(full_b + 8 * s, 1);
        }
        mbar_init(mma_done, 1);
        fence_mbarrier_init();
    }
    if (tid < 32) {
        tmem_alloc<1>(smem_addr(&tmem_slot), tmem_columns);
        tmem_relinquish<1>();
    }
    block_barrier();
    const uint32_t tmem = *reinterpret_cast<volatile uint32_t *>(&tmem_slot);
    const uint32_t row_addr = tmem + (tid / 32 * 32 << 16);

    bias_shared[tid] = bias[n0 + tid];
    block_barrier();

    // The accumulator starts as the bias, so that the epilogue need not add it.
#pragma unroll
    for (int chunk = 0; chunk < block_n / 16; ++chunk) {
        uint32_t r[16];
#pragma unroll
        for (int j = 0; j < 16; ++j) r[j] = __float_as_uint(bias_shared[16 * chunk + j]);
        tmem_store(row_addr + 16 * chunk, r);
    }
    // From the store of a tile; the block barrier has its own.
    tc_fence_before();
    block_barrier();

    if (tid == 0) issue_loads(&map_a, &map_b, smem, full_a, full_b, 0, m0, n0);
#pragma unroll 1
    for (int i = 0; i < k_blocks; ++i) {
        const int s = i % stages, next = i + 1, ns = next % stages;
        if (tid == 0 && next < k_blocks)
            issue_loads(&map_a, &map_b, smem + ns * stage_bytes, full_a + 8 * ns, full_b + 8 * ns,
                        next * block_k, m0, n0);
        wait_barrier(full_a + 8 * s, i / stages & 1);
        wait_barrier(full_b + 8 * s, i / stages & 1);
        if (tid == 0) {
            const uint64_t a = desc_k_major(smem + s * stage_bytes),
                           b = desc_k_major(smem + s * stage_bytes + a_bytes);
#pragma unroll
            for (int j = 0; j < block_k / mma_k; ++j)
                tc_mma_f16<1>(tmem, a + 2 * j, b + 2 * j, idesc_bf16(block_m, block_n), true);
            tc_commit(mma_done);
        }
        __syncwarp();
        wait_barrier(mma_done, i & 1);
        block_barrier();
    }

    // From the load of a tile; the block barrier has its own.
    tc_fence_after();
#pragma unroll
    for (int chunk = 0; chunk < block_n / 16; ++chunk) {
        uint32_t r[16];
        tmem_load(r, row_addr + 16 * chunk);
#pragma unroll
        for (int j = 0; j < 16; j += 8) {
            // Two boxes of 64 columns, 128-byte swizzle.
            const int column = 16 * chunk + j;
            st_shared_v4(d_smem + column / 64 * half_bytes + tid * 128 +
                             ((column % 64 / 8 ^ (tid & 7)) << 4),
                         pack_bf16(r[j], r[j + 1]), pack_bf16(r[j + 2], r[j + 3]),
                         pack_bf16(r[j + 4], r[j + 5]), pack_bf16(r[j + 6], r[j + 7]));
        }
    }
    // One from the copy to shared memory, one from the bulk store.
    fence_proxy_async();
    fence_proxy_async();
    block_barrier();
    if (tid == 0) {
        tma_store_2d(&map_d, d_smem, n0, m0);
        tma_store_2d(&map_d, d_smem + half_bytes, n0 + 64, m0);
        bulk_commit_group();
        bulk_wait_group_read<0>();
    }
    __syncwarp();
    block_barrier();
    if (tid < 32) tmem_dealloc<1>(tmem, tmem_columns);
}
