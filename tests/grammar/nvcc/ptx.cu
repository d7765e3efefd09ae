// cuda/ptx: copies, barriers and the tensor core's fifth generation, as far as the target has them.
#include <cuda/ptx>
#include <cuda_pipeline.h>

namespace ptx = cuda::ptx;

__global__ void copies(const int4 *in, int4 *out, const __grid_constant__ int map)
{
    __shared__ alignas(128) int4 tile[64];
    __shared__ uint64_t barrier;
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    ptx::mbarrier_init(&barrier, 1);
#if __CUDA_ARCH__ >= 900
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 1024, &barrier);
    uint64_t state = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, 1024);
    while (!ptx::mbarrier_try_wait(&barrier, state)) {}
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, 1024);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
#endif
#if defined(__CUDA_ARCH_FEAT_SM100_ALL)
    __shared__ uint32_t slot;
    ptx::tcgen05_alloc(ptx::cta_group_1, &slot, 64);
    uint32_t values[4];
    ptx::tcgen05_ld_32x32b(values, slot);
    ptx::tcgen05_wait_ld();
    ptx::tcgen05_commit(ptx::cta_group_1, &barrier);
    ptx::tcgen05_dealloc(ptx::cta_group_1, slot, 64);
    out[threadIdx.x].x = values[0] + values[3];
#endif
    out[map].y = tile[threadIdx.x].y;
}
