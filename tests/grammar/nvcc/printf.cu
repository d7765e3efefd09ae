// printf, assert, cooperative groups, shuffles, votes and reductions, atomics in every scope.
#include <cassert>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void groups(int *data, unsigned long long *wide)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int sum = cg::reduce(tile, data[threadIdx.x], cg::plus<int>());
    cg::coalesced_group some = cg::coalesced_threads();
    if (some.thread_rank() == 0) printf("%d \"%s\" %f // {};\n", sum, __FILE__, 1.5 * sum);
    assert(sum >= 0);
    atomicAdd_system(&data[0], sum);
    atomicCAS_block(&wide[0], 1ull, 2ull);
    data[1] = __ballot_sync(~0u, sum > 3) ^ __shfl_xor_sync(~0u, sum, 4) ^ __match_any_sync(~0u, sum);
    cg::sync(cg::this_grid());
    __threadfence_system();
    __nanosleep(100);
}
