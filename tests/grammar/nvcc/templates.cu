// Templates, structs by value, constant and managed memory, launch bounds, indirect calls, double.
#include <cstdint>

template <typename T, int N> struct Pack { T value[N]; };

__constant__ float weights[64] = {1.0f, -2.5f, 3e-3f};
__managed__ int counter;
__device__ double table[4][2] = {{1, 2}, {3, 4}};
extern __shared__ char dynamic[];

template <typename T, int N>
__global__ void __launch_bounds__(128, 2) scale(Pack<T, N> in, T *out, T by)
{
    T *tile = reinterpret_cast<T *>(dynamic);
    tile[threadIdx.x] = in.value[threadIdx.x % N];
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < N; i++) out[i * blockDim.x + threadIdx.x] += tile[i] * by + (T)weights[i & 63];
    if (threadIdx.x == 0) atomicAdd(&counter, 1);
}

template __global__ void scale<float, 8>(Pack<float, 8>, float *, float);
template __global__ void scale<double, 3>(Pack<double, 3>, double *, double);
template __global__ void scale<int64_t, 5>(Pack<int64_t, 5>, int64_t *, int64_t);

__device__ __noinline__ int twice(int x) { return x * 2; }
__device__ __noinline__ int thrice(int x) { return x * 3; }
using Function = int (*)(int);
__device__ Function functions[] = {twice, thrice};

__global__ void indirect(int *out, int which)
{
    switch (which) {
    case 0: out[0] = 1; break;
    case 1: out[0] = twice(out[1]); break;
    case 2: out[0] = 7; break;
    case 3: out[0] = thrice(out[2]); break;
    case 4: out[0] = out[9]; break;
    default: out[0] = functions[which & 1](out[3]);
    }
    out[5] = __popc(out[4]) + __clz(out[4]) + __funnelshift_l(out[1], out[2], 3);
    out[6] = (int)table[which & 3][0];
}
