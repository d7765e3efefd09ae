/* Computes how many warps fit on an SM, from the registers that their kernel needs. */
#ifndef PTXOPT_REPORT_OCCUPANCY_H
#define PTXOPT_REPORT_OCCUPANCY_H

#include <stdint.h>

/* The number of warps that can be resident on an SM at the same time. arch: the architecture, such
 * as "sm_100a". registers: of each thread, at least 1. threads: of each CTA, at most 1024; 0: not
 * known. Returns 0 if not even one CTA fits.
 *
 * Source: cuda_occupancy.h of the CUDA toolkit (cudaOccMaxBlocksPerSMRegsLimit). An SM has 64 K
 * registers in 4 equal parts. A warp takes its registers from one part, in units of 256, which are
 * 8 for each thread. A CTA is resident as a whole. There are at most 64 warps and 32 CTAs, on
 * sm_101 and sm_110 48 and 24 (CUDA programming guide, "Compute Capabilities").
 *
 * If threads is 0, the result is for CTAs of one warp without the limit of CTAs. If edits do not
 * lower that result, they do not lower it for larger CTAs either.
 *
 * Shared memory is not considered, because the amount given at the launch is not in the text. If it
 * limits the CTAs further, the registers do not matter. Edits change neither. */
uint32_t occupancy_warps(const char *arch, uint32_t registers, uint32_t threads);

#endif
