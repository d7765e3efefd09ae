// SPDX-License-Identifier: Apache-2.0
//
// Persistent, warp-specialised bf16 GEMM in the manner of CUTLASS, compiled with -lineinfo.
// No tcgen05.fence: completion (commit, wait::ld) plus the acquire and release of the
// mbarriers carry all ordering. Every wait peeks first and spins only if the peek failed;
// the spin loop's labels are the same everywhere. The roles stay warp-wide and elect a
// thread around each issue.
#include "../common.cuh"

constexpr int block_m = 128, block_n = 256, block_k = 64, mma_k = 16;
constexpr int stages = 4, accumulators = 2, store_n = 64, store_stages = 2;
constexpr uint32_t a_bytes = block_m * block_k * 2, b_bytes = block_n * block_k * 2,
                   stage_bytes = a_bytes + b_bytes;
constexpr uint32_t store_bytes = block_m * store_n * 2;
constexpr int epilogue_threads = 128, tmem_columns = accumulators * block_n;

// Role of a warp; warps 4..7 are the epilogue.
enum : int { mma_warp = 0, load_warp = 1, alloc_warp = 2, first_epilogue_warp = 4 };

DEVICE void consumer_wait(uint32_t bar, uint32_t parity, bool peeked)
{
    if (!peeked) mbar_wait_labels(bar, parity);
}

struct shared_storage {
    uint64_t full[stages], empty[stages], acc_full[accumulators], acc_empty[accumulators];
    uint32_t tmem;
};

extern "C" __global__ void __launch_bounds__(256, 1)
    gemm_lineinfo(const __grid_constant__ CUtensorMap map_a,
                  const __grid_constant__ CUtensorMap map_b,
                  const __grid_constant__ CUtensorMap map_d, int tiles_m, int tiles_n, int k_rounds)
{
    extern __shared__ __align__(1024) uint8_t tensors[];
    __shared__ __align__(8) shared_storage storage;

    const int warp = threadIdx.x / 32;
    const int tiles = tiles_m * tiles_n;
    const uint32_t smem = smem_addr(tensors), store_smem = smem + stages * stage_bytes;
    const uint32_t full = smem_addr(storage.full), empty = smem_addr(storage.empty);
    const uint32_t acc_full = smem_addr(storage.acc_full), acc_empty = smem_addr(storage.acc_empty);

    if (warp == load_warp && elect_one()) {
        tma_prefetch(&map_a);
        tma_prefetch(&map_b);
        tma_prefetch(&map_d);
    }
    // One constructor for each pipeline, each with its own fence.
    if (warp == 0 && elect_one()) {
        for (int s = 0; s < stages; ++s) {
            mbar_init(full + 8 * s, 1);
            mbar_init(empty + 8 * s, 1);
        }
    }
    fence_mbarrier_init();
    if (warp == 0 && elect_one()) {
        for (int s = 0; s < accumulators; ++s) {
            mbar_init(acc_full + 8 * s, 1);
            mbar_init(acc_empty + 8 * s, epilogue_threads);
        }
    }
    fence_mbarrier_init();
    warp_sync();
    if (warp == alloc_warp) {
        tmem_alloc<1>(smem_addr(&storage.tmem), tmem_columns);
        tmem_relinquish<1>();
    }
    __syncthreads();
    const uint32_t tmem = *reinterpret_cast<volatile uint32_t *>(&storage.tmem);
    asm volatile("griddepcontrol.wait;" ::: "memory");

    if (warp == load_warp) {
        uint32_t phase = 1;
#pragma unroll 1
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const int m = tile / tiles_n * block_m, n = tile % tiles_n * block_n;
#pragma unroll 1
            for (int round = 0; round < k_rounds; ++round, phase ^= 1) {
#pragma unroll
                for (int s = 0; s < stages; ++s) {
                    const uint32_t bar = full + 8 * s, dst = smem + s * stage_bytes;
                    const int k = (round * stages + s) * block_k;
                    consumer_wait(empty + 8 * s, phase, mbar_try_wait(empty + 8 * s, phase));
                    if (elect_one()) {
                        mbar_arrive_expect_tx(bar, stage_bytes);
                        tma_load_2d(dst, &map_a, bar, k, m);
                        tma_load_2d(dst + a_bytes, &map_b, bar, k, n);
                    }
                    warp_sync();
                }
            }
        }
        // Producer tail: leave only when every commit that arrives here has arrived.
#pragma unroll
        for (int s = 0; s < stages; ++s) mbar_wait_labels(empty + 8 * s, phase);
    } else if (warp == mma_warp) {
        constexpr uint32_t idesc = idesc_bf16(block_m, block_n);
        uint32_t phase = 0, acc_phase = 1;
        int tile = blockIdx.x;
#pragma unroll 1
        while (tile < tiles) {
            // Unrolled by the accumulator stages, so that each has its own code.
#pragma unroll
            for (int acc = 0; acc < accumulators; ++acc) {
                if (tile >= tiles) break;
                const uint32_t d = tmem + acc * block_n;
                mbar_wait_labels(acc_empty + 8 * acc, acc_phase);
                bool peeked = mbar_try_wait(full, phase);
#pragma unroll 1
                for (int round = 0; round < k_rounds; ++round, phase ^= 1) {
#pragma unroll
                    for (int s = 0; s < stages; ++s) {
                        consumer_wait(full + 8 * s, phase, peeked);
                        // Look at the next stage while this one is being issued.
                        peeked = s + 1 < stages ? mbar_try_wait(full + 8 * (s + 1), phase)
                                                : mbar_try_wait(full, phase ^ 1);
                        const uint64_t a = desc_k_major(smem + s * stage_bytes);
                        const uint64_t b = desc_k_major(smem + s * stage_bytes + a_bytes);
                        if (elect_one()) {
#pragma unroll
                            for (int j = 0; j < block_k / mma_k; ++j)
                                tc_mma_f16<1>(d, a + 2 * j, b + 2 * j, idesc,
                                              round > 0 || s > 0 || j > 0);
                            tc_commit(empty + 8 * s);
                        }
                        warp_sync();
                    }
                }
                if (elect_one()) tc_commit(acc_full + 8 * acc);
                warp_sync();
                tile += gridDim.x;
            }
            acc_phase ^= 1;
        }
    } else if (warp >= first_epilogue_warp) {
        const int thread = threadIdx.x - 32 * first_epilogue_warp;
        const uint32_t lane_base = (warp & 3) * 32 << 16;
        uint32_t acc_phase = 0;
        int tile = blockIdx.x;
#pragma unroll 1
        while (tile < tiles) {
#pragma unroll
            for (int acc = 0; acc < accumulators; ++acc) {
                if (tile >= tiles) break;
                const int m = tile / tiles_n * block_m, n = tile % tiles_n * block_n;
                mbar_wait_labels(acc_full + 8 * acc, acc_phase);
#pragma unroll
                for (int s = 0; s < block_n / store_n; ++s) {
                    const uint32_t buffer = store_smem + s % store_stages * store_bytes;
                    const uint32_t src = tmem + lane_base + acc * block_n + s * store_n;
                    uint32_t r[store_n];
                    tc_ld_x32(r, src);
                    tc_wait_ld();
                    tc_ld_x32(r + 32, src + 32);
                    tc_wait_ld();
                    if (s == block_n / store_n - 1) {
                        // Last read of this accumulator: hand it back before storing.
                        tc_wait_ld();
                        mbar_arrive(acc_empty + 8 * acc);
                    }
                    if (thread == 0) bulk_wait_group_read<store_stages - 1>();
                    named_bar_sync(1, epilogue_threads);
#pragma unroll
                    for (int i = 0; i < store_n / 8; ++i)
                        st_shared_v4(buffer + thread * 128 + ((i ^ (thread & 7)) << 4),
                                     pack_bf16(r[8 * i], r[8 * i + 1]),
                                     pack_bf16(r[8 * i + 2], r[8 * i + 3]),
                                     pack_bf16(r[8 * i + 4], r[8 * i + 5]),
                                     pack_bf16(r[8 * i + 6], r[8 * i + 7]));
                    fence_proxy_async();
                    named_bar_sync(1, epilogue_threads);
                    if (thread == 0) {
                        tma_store_2d(&map_d, buffer, n + s * store_n, m);
                        bulk_commit_group();
                    }
                }
                tile += gridDim.x;
            }
            acc_phase ^= 1;
        }
        if (thread == 0) bulk_wait_group_read<0>();
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    }
    __syncthreads();
    if (warp == alloc_warp) tmem_dealloc<1>(tmem, tmem_columns);
}
