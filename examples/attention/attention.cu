// SPDX-License-Identifier: Apache-2.0
//
// Forward attention, head dimension 128, one tile of 128 queries a CTA, no mask, at least
// one block of keys.
//   warps 0-3  softmax: S from tensor memory, P = exp2(S - max) back over it as bf16
//   warps 4-7  correction: rescale O when the row maximum grew, and write the result
//   warp  8    mma: S = Q K^T, O += P V with P read from tensor memory
//   warp  9    TMA
// S has two buffers, so that Q K^T of one block overlaps the softmax of the one before.
// V is used as it lies in memory, that is MN-major.
#include "../common.cuh"

constexpr int queries = 128, keys = 128, head = 128, mma_k = 16, buffers = 2;
constexpr uint32_t half_bytes = 128 * 64 * 2, tile_bytes = 2 * half_bytes;
constexpr uint32_t o_column = 2 * keys, tmem_columns = 512;
constexpr int group_threads = 128;

struct barriers {
    uint64_t q_full, k_full[buffers], k_empty[buffers], v_full[buffers], v_empty[buffers];
    uint64_t s_full[buffers], p_ready[buffers], pv_done[buffers], scale_ready[buffers];
    uint64_t o_ready, sum_ready;
};

DEVICE uint32_t at(const uint64_t &bar)
{
    return smem_addr(&bar);
}
DEVICE float exp2_approx(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
DEVICE int phase_of(int block)
{
    return block / buffers & 1;
}

DEVICE void load_tile(uint32_t dst, const CUtensorMap *map, uint32_t bar, int row)
{
    mbar_arrive_expect_tx(bar, tile_bytes);
    tma_load_2d(dst, map, bar, 0, row);
    tma_load_2d(dst + half_bytes, map, bar, 64, row);
}

DEVICE void mma_qk(uint32_t d, uint32_t q, uint32_t k)
{
    const uint64_t a = desc_k_major(q), b = desc_k_major(k);
#pragma unroll
    for (int j = 0; j < head / mma_k; ++j) {
        const uint32_t offset = j / 4 * (half_bytes >> 4) + j % 4 * 2;
        tc_mma_f16<1>(d, a + offset, b + offset, idesc_bf16(queries, keys), j > 0);
    }
}

DEVICE void mma_pv(uint32_t d, uint32_t p, uint32_t v, bool accumulate)
{
    const uint64_t b = desc_mn_major(v, half_bytes);
#pragma unroll
    for (int j = 0; j < keys / mma_k; ++j)
        tc_mma_f16_ts(d, p + j * mma_k / 2, b + j * (mma_k * 128 >> 4),
                      idesc_bf16(queries, head, true), accumulate || j > 0);
}

extern "C" __global__ void __launch_bounds__(320, 1)
    attention(const __grid_constant__ CUtensorMap map_q, const __grid_constant__ CUtensorMap map_k,
              const __grid_constant__ CUtensorMap map_v, uint16_t *out, int blocks,
              float scale_log2)
{
    extern __shared__ __align__(1024) uint8_t tiles[];
    __shared__ __align__(8) barriers bars;
    __shared__ float scales[buffers][queries], sums[queries];
    __shared__ uint32_t tmem_slot;

    const int warp = threadIdx.x / 32, row = threadIdx.x & 127;
    const uint32_t q_smem = smem_addr(tiles), k_smem = q_smem + tile_bytes,
                   v_smem = k_smem + buffers * tile_bytes;

    if (warp == 9 && elect_one()) {
        mbar_init(at(bars.q_full), 1);
        for (int b = 0; b < buffers; ++b) {
            mbar_init(at(bars.k_full[b]), 1);
            mbar_init(at(bars.k_empty[b]), 1);
            mbar_init(at(bars.v_full[b]), 1);
            mbar_init(at(bars.v_empty[b]), 1);
            mbar_init(at(bars.s_full[b]), 1);
            mbar_init(at(bars.pv_done[b]), 1);
            mbar_init(at(bars.p_ready[b]), group_threads);
            mbar_init(at(bars.scale_ready[b]), group_threads);
        }
        mbar_init(at(bars.o_ready), group_threads);
        mbar_init(at(bars.sum_ready), group_threads);
        fence_mbarrier_init();
    } else if (warp == 8) {
        tmem_alloc<1>(smem_addr(&tmem_slot), tmem_columns);
        tmem_relinquish<1>();
    }
    tc_fence_before();
    __syncthreads();
    tc_fence_after();
    const uint32_t tmem = *reinterpret_cast<volatile uint32_t *>(&tmem_slot);
    const uint32_t lane_base = (warp & 3) * 32 << 16;

    if (warp == 9 && elect_one()) {
        const int first = blockIdx.y * blocks * keys;
        load_tile(q_smem, &map_q, at(bars.q_full), (blockIdx.y * gridDim.x + blockIdx.x) * queries);
#pragma unroll 1
        for (int j = 0; j < blocks; ++j) {
            const int b = j % buffers;
            mbar_wait(at(bars.k_empty[b]), phase_of(j) ^ 1);
            load_tile(k_smem + b * tile_bytes, &map_k, at(bars.k_full[b]), first + j * keys);
            mbar_wait(at(bars.v_empty[b]), phase_of(j) ^ 1);
            load_tile(v_smem + b * tile_bytes, &map_v, at(bars.v_full[b]), first + j * keys);
        }
    } else if (warp == 8 && elect_one()) {
        mbar_wait(at(bars.q_full), 0);
        mbar_wait(at(bars.k_full[0]), 0);
        tc_fence_after();
        mma_qk(tmem, q_smem, k_smem);
        tc_commit(at(bars.k_empty[0]));
        tc_commit(at(bars.s_full[0]));
#pragma unroll 1
        for (int j = 0; j < blocks; ++j) {
            const int b = j % buffers, next = j + 1, nb = next % buffers;
            if (next < blocks) {
                if (j > 0) {
                    // The buffer still held P of block j - 1.
                    mbar_wait(at(bars.pv_done[nb]), phase_of(j - 1));
                    tc_fence_after();
                }
                mbar_wait(at(bars.k_full[nb]), phase_of(next));
                tc_fence_after();
                mma_qk(tmem + nb * keys, q_smem, k_smem + nb * tile_bytes);
                tc_commit(at(bars.k_empty[nb]));
                tc_commit(at(bars.s_full[nb]));
            }
            mbar_wait(at(bars.v_full[b]), phase_of(j));
            mbar_wait(at(bars.o_ready), j & 1);
            mbar_wait(at(bars.p_ready[b]), phase_of(j));
            tc_fence_after();
            mma_pv(tmem + o_column, tmem + b * keys, v_smem + b * tile_bytes, j > 0);
            tc_commit(at(bars.v_empty[b]));
            tc_commit(at(bars.pv_done[b]));
        }
    } else if (warp < 4) {
        float row_max = -INFINITY, row_sum = 0.0f;
#pragma unroll 1
        for (int j = 0; j < blocks; ++j) {
            const int b = j % buffers;
            const uint32_t s_addr = tmem + lane_base + b * keys;
            uint32_t s[keys];
            float block_max = row_max;
            mbar_wait(at(bars.s_full[b]), phase_of(j));
            tc_fence_after();
#pragma unroll
            for (int chunk = 0; chunk < keys / 32; ++chunk) {
                tc_ld_x32(s + 32 * chunk, s_addr + 32 * chunk);
                tc_wait_ld();
#pragma unroll
                for (int i = 0; i < 32; ++i)
                    block_max = fmaxf(block_max, __uint_as_float(s[32 * chunk + i]) * scale_log2);
            }
            const float scale = exp2_approx(row_max - block_max);
            row_max = block_max;
            row_sum *= scale;
            // The correction warps may start before P is computed.
            scales[b][row] = scale;
            mbar_arrive(at(bars.scale_ready[b]));
#pragma unroll
            for (int chunk = 0; chunk < keys / 32; ++chunk) {
                uint32_t p[16];
#pragma unroll
                for (int i = 0; i < 16; ++i) {
                    const float lo = exp2_approx(
                        fmaf(__uint_as_float(s[32 * chunk + 2 * i]), scale_log2, -row_max));
                    const float hi = exp2_approx(
                        fmaf(__uint_as_float(s[32 * chunk + 2 * i + 1]), scale_log2, -row_max));
                    row_sum += lo + hi;
                    p[i] = pack_bf16(__float_as_uint(lo), __float_as_uint(hi));
                }
                tc_st_x16(s_addr + 16 * chunk, p);
                tc_wait_st();
            }
            tc_fence_before();
            mbar_arrive(at(bars.p_ready[b]));
        }
        sums[row] = row_sum;
        mbar_arrive(at(bars.sum_ready));
    } else if (warp < 8) {
        const uint32_t o_addr = tmem + lane_base + o_column;
#pragma unroll 1
        for (int j = 0; j < blocks; ++j) {
            const int b = j % buffers;
            mbar_wait(at(bars.scale_ready[b]), phase_of(j));
            if (j > 0) {
                const float scale = scales[b][row];
                mbar_wait(at(bars.pv_done[(j - 1) % buffers]), phase_of(j - 1));
                tc_fence_after();
                // Uniform in the warp, because the loads and stores below are warp-wide.
                if (__any_sync(0xffffffff, scale != 1.0f)) {
#pragma unroll
                    for (int chunk = 0; chunk < head / 16; ++chunk) {
                        uint32_t o[16];
                        tc_ld_x16(o, o_addr + 16 * chunk);
                        tc_wait_ld();
#pragma unroll
                        for (int i = 0; i < 16; ++i)
                            o[i] = __float_as_uint(__uint_as_float(o[i]) * scale);
                        tc_st_x16(o_addr + 16 * chunk, o);
                        tc_wait_st();
                    }
                    tc_fence_before();
                }
            }
            mbar_arrive(at(bars.o_ready));
        }
        mbar_wait(at(bars.sum_ready), 0);
        const float inverse = 1.0f / sums[row];
        mbar_wait(at(bars.pv_done[(blocks - 1) % buffers]), phase_of(blocks - 1));
        tc_fence_after();
        uint4 *dst = reinterpret_cast<uint4 *>(
            out + (size_t(blockIdx.y * gridDim.x + blockIdx.x) * queries + row) * head);
#pragma unroll
        for (int chunk = 0; chunk < head / 16; ++chunk) {
            uint32_t o[16], packed[8];
            tc_ld_x16(o, o_addr + 16 * chunk);
            tc_wait_ld();
#pragma unroll
            for (int i = 0; i < 8; ++i)
                packed[i] = pack_bf16(__float_as_uint(__uint_as_float(o[2 * i]) * inverse),
                                      __float_as_uint(__uint_as_float(o[2 * i + 1]) * inverse));
            dst[2 * chunk] = make_uint4(packed[0], packed[1], packed[2], packed[3]);
            dst[2 * chunk + 1] = make_uint4(packed[4], packed[5], packed[6], packed[7]);
        }
        tc_fence_before();
    }
    __syncthreads();
    if (warp == 8) {
        tc_fence_after();
        tmem_dealloc<1>(tmem, tmem_columns);
    }
}
