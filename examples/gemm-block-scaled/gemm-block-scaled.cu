// SPDX-License-Identifier: Apache-2.0
//
// MXFP8 GEMM: e4m3 operands with one ue8m0 scale factor for each 32 elements of K.
// K is a multiple of 512: the main loop is unrolled by the four stages.
// The scale factors come in blocks of 128 rows x 4 (512 bytes, rows 0..31 of each quarter
// interleaved), ready for tcgen05.cp, which the mma thread issues right before its mma.
#include "../common.cuh"

constexpr int block_m = 128, block_n = 128, block_k = 128, mma_k = 32, stages = 4;
constexpr uint32_t a_bytes = block_m * block_k, b_bytes = block_n * block_k, sf_bytes = 512;
constexpr uint32_t tile_bytes = a_bytes + b_bytes;
// One block of scale factors for the 128 rows of A, one for those of B.
constexpr uint32_t stage_sf_bytes = 2 * sf_bytes, stage_bytes = tile_bytes + stage_sf_bytes;
// Scale factors have a slot for each stage, so a copy never meets an mma that still reads.
constexpr uint32_t sf_columns = 4, stage_sf_columns = 2 * sf_columns, tmem_columns = 256;

extern "C" __global__ void __launch_bounds__(128)
    gemm_block_scaled(const __grid_constant__ CUtensorMap map_a,
                      const __grid_constant__ CUtensorMap map_b, const uint8_t *sfa,
                      const uint8_t *sfb, uint16_t *c, int n, int k)
{
    extern __shared__ __align__(1024) uint8_t tiles[];
    __shared__ __align__(8) uint64_t bars[2 * stages + 1];
    __shared__ uint32_t tmem_slot;

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int k_blocks = k / block_k;
    const uint32_t smem = smem_addr(tiles), sf_smem = smem + stages * tile_bytes;
    const uint32_t full = smem_addr(bars), empty = full + 8 * stages, done = empty + 8 * stages;

    if (warp == 0) {
        tmem_alloc<1>(smem_addr(&tmem_slot), tmem_columns);
        tmem_relinquish<1>();
    } else if (warp == 1 && elect_one()) {
        for (int s = 0; s < stages; ++s) {
            mbar_init(full + 8 * s, 1);
            mbar_init(empty + 8 * s, 1);
        }
        mbar_init(done, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    const uint32_t tmem = *reinterpret_cast<volatile uint32_t *>(&tmem_slot);

    if (warp == 0 && elect_one()) {
        tma_prefetch(&map_a);
        tma_prefetch(&map_b);
        const uint8_t *sfa_tile = sfa + size_t(blockIdx.y) * k_blocks * sf_bytes;
        const uint8_t *sfb_tile = sfb + size_t(blockIdx.x) * k_blocks * sf_bytes;
#pragma unroll 1
        for (int i = 0; i < k_blocks; ++i) {
            const int s = i % stages;
            const uint32_t bar = full + 8 * s, dst = smem + s * tile_bytes,
                           sf_dst = sf_smem + s * stage_sf_bytes;
            mbar_wait(empty + 8 * s, (i / stages & 1) ^ 1);
            mbar_arrive_expect_tx(bar, stage_bytes);
            tma_load_2d(dst, &map_a, bar, i * block_k, blockIdx.y * block_m);
            tma_load_2d(dst + a_bytes, &map_b, bar, i * block_k, blockIdx.x * block_n);
            bulk_load(sf_dst, sfa_tile + size_t(i) * sf_bytes, sf_bytes, bar);
            bulk_load(sf_dst + sf_bytes, sfb_tile + size_t(i) * sf_bytes, sf_bytes, bar);
        }
    } else if (warp == 1 && elect_one()) {
        constexpr uint32_t idesc = idesc_mxf8(block_m, block_n);
#pragma unroll 1
        for (int i = 0; i < k_blocks; i += stages) {
#pragma unroll
            for (int s = 0; s < stages; ++s) {
                mbar_wait(full + 8 * s, i / stages & 1);
                tc_fence_after();

                const uint32_t tile = smem + s * tile_bytes, sf_tile = sf_smem + s * stage_sf_bytes;
                const uint32_t tmem_sfa = tmem + block_n + s * stage_sf_columns,
                               tmem_sfb = tmem_sfa + sf_columns;
                tc_cp_scales(tmem_sfa, desc_scales(sf_tile));
                tc_cp_scales(tmem_sfb, desc_scales(sf_tile + sf_bytes));

                // Meant to keep the mma after the copies. cp and mma of one thread are
                // pipelined anyway: this pair is the redundancy the example is about.
                tc_fence_before();
                tc_fence_after();

                const uint64_t a = desc_k_major(tile), b = desc_k_major(tile + a_bytes);
#pragma unroll
                for (uint32_t j = 0; j < block_k / mma_k; ++j)
                    // Step j takes byte j of each scale-factor word.
                    tc_mma_mxf8(tmem, a + 2 * j, b + 2 * j, idesc | j << 4 | j << 29, tmem_sfa,
                                tmem_sfb, i > 0 || s > 0 || j > 0);
                tc_commit(empty + 8 * s);
            }
        }
        tc_commit(done);
    }
    __syncwarp();

    mbar_wait(done, 0);
    tc_fence_after();
    uint16_t *row = c + size_t(blockIdx.y * block_m + warp * 32 + lane) * n + blockIdx.x * block_n;
#pragma unroll 1
    for (int chunk = 0; chunk < block_n / 32; ++chunk) {
        uint32_t acc[32];
        tc_ld_x32(acc, tmem + (warp * 32 << 16) + 32 * chunk);
        // Needed although the one below follows: the next round loads into the same registers.
        tc_wait_ld();
        uint4 *dst = reinterpret_cast<uint4 *>(row + 32 * chunk);
#pragma unroll
        for (int j = 0; j < 32; j += 8)
            dst[j / 8] =
                make_uint4(pack_bf16(acc[j], acc[j + 1]), pack_bf16(acc[j + 2], acc[j + 3]),
                           pack_bf16(acc[j + 4], acc[j + 5]), pack_bf16(acc[j + 6], acc[j + 7]));
    }
    tc_wait_ld();
    tc_fence_before();
    __syncthreads();
    if (warp == 0) {
        tc_fence_after();
        tmem_dealloc<1>(tmem, tmem_columns);
    }
}
