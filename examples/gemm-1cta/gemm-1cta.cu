// SPDX-License-Identifier: Apache-2.0
//
// bf16 GEMM, one CTA a tile, in the style of the hand-written tutorials:
// C[m, n] = sum over k of A[m, k] * B[n, k], A and B K-major, C row-major.
// Warp 0 loads, warp 1 multiplies, then all four warps store what they read from tensor memory.
#include "../common.cuh"

constexpr int block_m = 128, block_n = 256, block_k = 64, stages = 4, mma_k = 16;
constexpr uint32_t a_bytes = block_m * block_k * 2, b_bytes = block_n * block_k * 2;
constexpr uint32_t stage_bytes = a_bytes + b_bytes;

extern "C" __global__ void __launch_bounds__(128)
    gemm_1cta(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
              uint16_t *c, int n, int k)
{
    extern __shared__ __align__(1024) uint8_t tiles[];
    __shared__ __align__(8) uint64_t bars[2 * stages + 1];
    __shared__ uint32_t tmem_slot;

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int tile_m = blockIdx.y * block_m, tile_n = blockIdx.x * block_n;
    const int k_blocks = k / block_k;
    const uint32_t smem = smem_addr(tiles);
    const uint32_t full = smem_addr(bars), empty = full + 8 * stages, done = empty + 8 * stages;

    if (warp == 0 && elect_one()) {
        tma_prefetch(&map_a);
        tma_prefetch(&map_b);
        for (int s = 0; s < stages; ++s) {
            mbar_init(full + 8 * s, 1);
            mbar_init(empty + 8 * s, 1);
        }
        mbar_init(done, 1);
        fence_mbarrier_init();
    } else if (warp == 1) {
        tmem_alloc<1>(smem_addr(&tmem_slot), block_n);
        tmem_relinquish<1>();
    }
    __syncthreads();
    const uint32_t tmem = *reinterpret_cast<volatile uint32_t *>(&tmem_slot);

    if (warp == 0 && elect_one()) {
        for (int i = 0; i < k_blocks; ++i) {
            const int s = i % stages;
            // A fresh barrier's previous phase counts as complete, so the first round passes.
            mbar_wait(empty + 8 * s, (i / stages & 1) ^ 1);
            mbar_arrive_expect_tx(full + 8 * s, stage_bytes);
            tma_load_2d(smem + s * stage_bytes, &map_a, full + 8 * s, i * block_k, tile_m);
            tma_load_2d(smem + s * stage_bytes + a_bytes, &map_b, full + 8 * s, i * block_k,
                        tile_n);
        }
    } else if (warp == 1 && elect_one()) {
        constexpr uint32_t idesc = idesc_bf16(block_m, block_n);
        for (int i = 0; i < k_blocks; ++i) {
            const int s = i % stages;
            mbar_wait(full + 8 * s, i / stages & 1);
            tc_fence_after();
            const uint64_t a = desc_k_major(smem + s * stage_bytes);
            const uint64_t b = desc_k_major(smem + s * stage_bytes + a_bytes);
#pragma unroll
            for (int j = 0; j < block_k / mma_k; ++j)
                // Within the swizzle atom K advances by 32 bytes: 2 in units of 16.
                tc_mma_f16<1>(tmem, a + 2 * j, b + 2 * j, idesc, i > 0 || j > 0);
            tc_commit(empty + 8 * s);
        }
        tc_commit(done);
    }
    __syncwarp();

    mbar_wait(done, 0);
    tc_fence_after();

    // Warp w may touch lanes 32w..32w+31 only: the lane is in the upper half of the address.
    const uint32_t row_addr = tmem + (warp * 32 << 16);
    uint16_t *row = c + size_t(tile_m + warp * 32 + lane) * n + tile_n;
#pragma unroll
    for (int chunk = 0; chunk < block_n / 16; ++chunk) {
        uint32_t acc[16];
        tc_ld_x16(acc, row_addr + 16 * chunk);
        tc_wait_ld();
        uint32_t out[8];
#pragma unroll
        for (int j = 0; j < 8; ++j) out[j] = pack_bf16(acc[2 * j], acc[2 * j + 1]);
        uint4 *dst = reinterpret_cast<uint4 *>(row + 16 * chunk);
        dst[0] = make_uint4(out[0], out[1], out[2], out[3]);
        dst[1] = make_uint4(out[4], out[5], out[6], out[7]);
    }

    // Every warp has waited for its reads; only then may the accumulator be given back.
    __syncthreads();
    if (warp == 1) tmem_dealloc<1>(tmem, block_n);
}
