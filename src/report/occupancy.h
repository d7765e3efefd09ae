/* Counts the warps that fit on an SM, by the registers that their kernel takes. */
#ifndef PTXOPT_REPORT_OCCUPANCY_H
#define PTXOPT_REPORT_OCCUPANCY_H

#include <stdint.h>

/* The warps that may be resident on an SM of that architecture ("sm_100a") at the same time, for a
 * kernel of that many registers a thread (at least 1) and threads a CTA (at most 1024); 0 when not
 * even one CTA has room.
 *
 * By cuda_occupancy.h of the CUDA toolkit (cudaOccMaxBlocksPerSMRegsLimit): an SM has 64 K
 * registers in 4 equal parts; a warp takes its registers from one of them, in units of 256, which
 * are 8 a thread; CTAs are resident whole. There are at most 64 warps and 32 CTAs; on sm_101 and
 * sm_110 48 and 24 (CUDA programming guide, "Compute Capabilities").
 *
 * threads 0: they are not known. The answer is then that for CTAs of a warp each, of which as many
 * have room as there may be warps: where it does not fall, neither does that for larger CTAs.
 *
 * Shared memory is not used, as that given at the launch is not in the text; where it leaves room
 * for fewer CTAs, the registers do not count. Edits change neither. */
uint32_t occupancy_warps(const char *arch, uint32_t registers, uint32_t threads);

#endif
