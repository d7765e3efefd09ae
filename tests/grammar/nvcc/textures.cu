// Textures and surfaces by handle, vector loads, half and bfloat arithmetic.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void sample(cudaTextureObject_t one, cudaTextureObject_t many, cudaSurfaceObject_t surface, float4 *out)
{
    float x = threadIdx.x * 0.5f;
    float4 sum = tex2D<float4>(one, x, x);
    float4 deep = tex3DLod<float4>(many, x, x, x, 2.0f);
    float4 cube = tex2DLayered<float4>(one, x, x, 3);
    float4 four = tex2Dgather<float4>(one, x, x, 1);
    float old;
    surf2Dread(&old, surface, threadIdx.x * 4, blockIdx.x, cudaBoundaryModeClamp);
    surf2Dwrite(sum.x + old, surface, threadIdx.x * 4, blockIdx.x);
    out[threadIdx.x] = make_float4(sum.x + deep.y, cube.z, four.w, __ldg(&out[9]).x);
}

__global__ void halves(__half2 *a, __nv_bfloat162 *b)
{
    a[threadIdx.x] = __hfma2(a[0], a[1], h2exp2(a[2]));
    b[threadIdx.x] = __hmax2(b[0], __hfma2(b[1], b[2], b[3]));
}
