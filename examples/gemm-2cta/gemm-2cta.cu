// SPDX-License-Identifier: Apache-2.0
//
// Persistent, warp-specialised bf16 GEMM on CTA pairs, as the tuned libraries write it.
// One pair computes 256 x 256: each CTA holds 128 rows of the accumulator in its own tensor
// memory and half of B in its own shared memory; the even CTA issues every mma.
// Two accumulator stages let the epilogue of one tile overlap the main loop of the next.
// K is a constant, as in kernels that are compiled for one shape.
#include "../common.cuh"

constexpr int cta_m = 128, cta_n = 128, tile_n = 2 * cta_n, block_k = 64, mma_k = 16;
constexpr int shape_k = 4096, k_blocks = shape_k / block_k;
constexpr int stages = 5, accumulators = 2, store_n = 64, store_stages = 2;
constexpr uint32_t a_bytes = cta_m * block_k * 2, b_bytes = cta_n * block_k * 2,
                   stage_bytes = a_bytes + b_bytes;
constexpr uint32_t store_bytes = cta_m * store_n * 2;
constexpr int epilogue_threads = 128, tmem_columns = accumulators * tile_n;
constexpr uint16_t both_ctas = 3;

struct pipeline_state {
    uint32_t stage = 0, phase = 0;
    DEVICE void advance()
    {
        if (++stage == stages) {
            stage = 0;
            phase ^= 1;
        }
    }
};

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256, 1)
    gemm_2cta(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
              const __grid_constant__ CUtensorMap map_d, int tiles_m, int tiles_n)
{
    extern __shared__ __align__(1024) uint8_t tiles_smem[];
    __shared__ __align__(8) uint64_t bars[2 * stages + 2 * accumulators];
    __shared__ uint32_t tmem_slot;

    const int warp = threadIdx.x / 32;
    const uint32_t rank = cluster_ctarank();
    const bool leader_cta = rank == 0;
    const uint32_t smem = smem_addr(tiles_smem), store_smem = smem + stages * stage_bytes;
    const uint32_t full = smem_addr(bars), empty = full + 8 * stages;
    const uint32_t tmem_full = empty + 8 * stages, tmem_empty = tmem_full + 8 * accumulators;
    const int pairs = gridDim.x / 2, tiles = tiles_m * tiles_n;

    cluster_sync();  // the peer must run before tensor memory is allocated for both
    if (warp == 0 && elect_one()) {
        tma_prefetch(&map_a);
        tma_prefetch(&map_b);
        tma_prefetch(&map_d);
    } else if (warp == 1 && elect_one()) {
        for (int s = 0; s < stages; ++s) {
            mbar_init(full + 8 * s, 1);
            mbar_init(empty + 8 * s, 1);
        }
        for (int s = 0; s < accumulators; ++s) {
            mbar_init(tmem_full + 8 * s, 1);
            mbar_init(tmem_empty + 8 * s, 2 * epilogue_threads);
        }
        fence_mbarrier_init();
    } else if (warp == 2) {
        tmem_alloc<2>(smem_addr(&tmem_slot), tmem_columns);
        tmem_relinquish<2>();
    }
    __syncwarp();
    cluster_sync();
    const uint32_t tmem = *reinterpret_cast<volatile uint32_t *>(&tmem_slot);

    if (warp == 0 && elect_one()) {
        // Producer: both CTAs load their halves and report to the leader's full barrier.
        pipeline_state p;
        for (int tile = blockIdx.x / 2; tile < tiles; tile += pairs) {
            const int m = (tile / tiles_n * 2 + rank) * cta_m,
                      n = (tile % tiles_n * 2 + rank) * cta_n;
#pragma unroll 1
            for (int i = 0; i < k_blocks; ++i, p.advance()) {
                mbar_wait_cluster(empty + 8 * p.stage, p.phase ^ 1);
                const uint32_t dst = smem + p.stage * stage_bytes, bar = full + 8 * p.stage;
                if (leader_cta) mbar_arrive_expect_tx(bar, 2 * stage_bytes);
                tma_load_2d_pair(dst, &map_a, bar, i * block_k, m);
                tma_load_2d_pair(dst + a_bytes, &map_b, bar, i * block_k, n);
            }
        }
        // The leader's multicast commits still arrive here: do not leave before them.
        for (int s = 0; s < stages; ++s, p.advance())
            mbar_wait_cluster(empty + 8 * p.stage, p.phase ^ 1);
    } else if (warp == 1 && leader_cta && elect_one()) {
        constexpr uint32_t idesc = idesc_bf16(2 * cta_m, tile_n);
        pipeline_state p;
        uint32_t acc = 0, acc_phase = 0;
        for (int tile = blockIdx.x / 2; tile < tiles; tile += pairs) {
            mbar_wait_cluster(tmem_empty + 8 * acc, acc_phase ^ 1);
            tc_fence_after();
            const uint32_t d = tmem + acc * tile_n;
#pragma unroll 1
            for (int i = 0; i < k_blocks; ++i, p.advance()) {
                mbar_wait_cluster(full + 8 * p.stage, p.phase);
                tc_fence_after();
                const uint64_t a = desc_k_major(smem + p.stage * stage_bytes);
                const uint64_t b = desc_k_major(smem + p.stage * stage_bytes + a_bytes);
#pragma unroll
                for (int j = 0; j < block_k / mma_k; ++j)
                    tc_mma_f16<2>(d, a + 2 * j, b + 2 * j, idesc, i > 0 || j > 0);
                tc_commit_pair(empty + 8 * p.stage, both_ctas);
            }
            tc_fence_before();
            tc_commit_pair(tmem_full + 8 * acc, both_ctas);
            acc ^= 1;
            acc_phase ^= acc == 0;
        }
    } else if (warp >= 4) {
        const int thread = threadIdx.x - 128;
        const uint32_t lane_base = (warp & 3) * 32 << 16;
        uint32_t acc = 0, acc_phase = 0;
        for (int tile = blockIdx.x / 2; tile < tiles; tile += pairs) {
            const int m = (tile / tiles_n * 2 + rank) * cta_m, n = tile % tiles_n * tile_n;
            mbar_wait_cluster(tmem_full + 8 * acc, acc_phase);
            tc_fence_after();
#pragma unroll
            for (int s = 0; s < tile_n / store_n; ++s) {
                const uint32_t buffer = store_smem + s % store_stages * store_bytes;
                // The buffer is free once at most one younger store still reads shared memory.
                if (thread == 0) bulk_wait_group_read<store_stages - 1>();
                named_bar_sync(1, epilogue_threads);
#pragma unroll
                for (int i = 0; i < store_n / 8; ++i) {
                    uint32_t r[8];
                    tc_ld_x8(r, tmem + lane_base + acc * tile_n + s * store_n + 8 * i);
                    tc_wait_ld();
                    // 128-byte swizzle: the 16-byte unit is xored with the row.
                    st_shared_v4(buffer + thread * 128 + ((i ^ (thread & 7)) << 4),
                                 pack_bf16(r[0], r[1]), pack_bf16(r[2], r[3]),
                                 pack_bf16(r[4], r[5]), pack_bf16(r[6], r[7]));
                }
                if (s == tile_n / store_n - 1) {
                    // The whole accumulator is in registers: the next tile may overwrite it.
                    tc_fence_before();
                    mbar_arrive_cluster(tmem_empty + 8 * acc, 0);
                }
                fence_proxy_async();
                named_bar_sync(1, epilogue_threads);
                if (thread == 0) {
                    tma_store_2d(&map_d, buffer, n + s * store_n, m);
                    bulk_commit_group();
                }
            }
            acc ^= 1;
            acc_phase ^= acc == 0;
        }
        if (thread == 0) bulk_wait_group_read<0>();
    }
    __syncwarp();
    cluster_sync();
    if (warp == 2) tmem_dealloc<2>(tmem, tmem_columns);
}
