/* The assumptions that a proof may use beyond the text of the ISA. */
#ifndef PTXOPT_CHECK_MODEL_ASSUME_H
#define PTXOPT_CHECK_MODEL_ASSUME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum check_assume {
    CHECK_COMMIT_FENCES = 1 << 0,       /* the fence of a commit counts for later barriers, too */
    CHECK_SCALES_FOLLOW_CP = 1 << 1,    /* cp and mma also pair by the scale operands */
    CHECK_REGISTER_DEPENDENCY = 1 << 2, /* a loaded register may be read without a wait */
    CHECK_READS_COMMUTE = 1 << 3,       /* the order of two tensor-memory reads is not observed */
    CHECK_SYNC_IS_NO_BARRIER = 1 << 4,  /* .sync publishes nothing in the warp, except barriers */
    CHECK_EXIT_SILENT = 1 << 5,         /* leaving the kernel publishes nothing */
    CHECK_WAIT_PUBLISHES = 1 << 6,      /* a release publishes what a wait completed */
    CHECK_NOT_CUMULATIVE = 1 << 7,      /* a fence passes on only the thread's own operations */
    CHECK_ISA_9_4_PAIRS = 1 << 8, /* st->ld, st->st, ld->st of a warp, mma->cp by A are pipelined */
    CHECK_PTXAS_FOLLOWS_ISA = 1 << 9 /* after one wait, ptxas holds back what the ISA requires */
};

/* check_assume_bit: the bit of an assumption; 0 if there is none with this name. check_assume_name:
 * the name of a bit; "" if there is none. The bits are the lowest ones, without a gap. */
uint32_t check_assume_bit(struct str name);
const char *check_assume_name(uint32_t bit);

/* The newest ISA version whose pipelined pairs are known; check_assume_knows is false for newer
 * versions. */
enum { CHECK_NEWEST_MAJOR = 9, CHECK_NEWEST_MINOR = 4 };
bool check_assume_knows(uint32_t isa_major, uint32_t isa_minor);

/* Returns the default bits for an ISA version. For an unknown version these are what every known
 * version grants. */
uint32_t check_assume_default(uint32_t isa_major, uint32_t isa_minor);

#endif
