/* Random PTX in letters of the ordering model: one statement a line. */
#ifndef PTXOPT_TESTS_MODEL_LETTERS_H
#define PTXOPT_TESTS_MODEL_LETTERS_H

#include <stdint.h>

#include "base/buf.h"

/* %u: the number of a register. Ordering instructions are more frequent than operations. */
static const char *const letters[] = {
    "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%v%u}, [%%t];",
    "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%v%u}, [%%t];",
    "tcgen05.st.sync.aligned.32x32b.x1.b32 [%%t], {%%v%u};",
    "tcgen05.mma.cta_group::1.kind::f16 [%%t], %%s, %%s, %%i, %%p;",
    "tcgen05.wait::ld.sync.aligned;",
    "tcgen05.wait::ld.sync.aligned;",
    "tcgen05.wait::st.sync.aligned;",
    "tcgen05.wait::st.sync.aligned;",
    "tcgen05.fence::before_thread_sync;",
    "tcgen05.fence::before_thread_sync;",
    "tcgen05.fence::after_thread_sync;",
    "tcgen05.fence::after_thread_sync;",
    "@%%p tcgen05.mma.cta_group::1.kind::f16 [%%t], %%s, %%s, %%i, %%p;",
    "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%%s];",
    "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%%s];",
    "mbarrier.arrive.b64 _, [%%s];",
    "mbarrier.try_wait.b64 %%q, [%%s], %%s;",
    "mbarrier.test_wait.parity.relaxed.cluster.b64 %%q, [%%s], %%v%u;",
    "bar.sync 0;",
    "barrier.cluster.arrive.relaxed.aligned;",
    "barrier.cluster.wait.aligned;",
    "red.relaxed.gpu.global.add.u32 [%%s], %%v%u;",
    "st.relaxed.gpu.global.u32 [%%s], %%v%u;",
    "st.volatile.shared.u32 [%%t], %%v%u;",
    "ld.relaxed.gpu.global.u32 %%v%u, [%%s];",
    "ld.volatile.shared.u32 %%v%u, [%%t];",
    "atom.relaxed.gpu.global.add.u32 %%v%u, [%%s], 1;",
    "add.u32 %%v%u, %%v0, 1;",
    "st.shared.u32 [%%t], %%v%u;",
    "fence.proxy.async;",
};

enum { LETTERS = sizeof letters / sizeof *letters };

/* The head of a text, the head of a kernel; its end is "}\n". */
static const char letters_header[] = ".version 8.8\n.target sm_100a\n.address_size 64\n";
static const char letters_kernel[] =
    "\n.visible .entry %s%u()\n{\n.reg .b32 %%v<40>, %%t, %%i;\n.reg .b64 %%s;\n"
    ".reg .pred %%p, %%q;\n";

/* xorshift; the same programs on every machine. */
static inline uint32_t draw(uint64_t *state, uint32_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 33) % below;
}

#endif
