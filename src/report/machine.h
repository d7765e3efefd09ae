/* Reads the machine code that ptxas made: the words of each function and the PTX line of each word.
 * An instruction of sm_100a is a word of 16 bytes. The fields are those that ptxas 13.0 writes;
 * they are not documented. */
#ifndef PTXOPT_REPORT_MACHINE_H
#define PTXOPT_REPORT_MACHINE_H

#include "base/arena.h"
#include "base/vec.h"
#include "report/compiled.h"
#include "report/cubin.h"

enum sass_opcode {
    SASS_FENCE_VIEW = 0x3c6, /* FENCE.VIEW.ASYNC.T is tcgen05.wait::st */
    SASS_UTCBAR = 0x3e9,     /* tcgen05.commit */
    SASS_BRA_U = 0x547,
    SASS_UTCMMA = 0x5ea,
    SASS_NOP = 0x918,
    SASS_DEPBAR = 0x91a,
    SASS_CALL = 0x944,
    SASS_BRA = 0x947,
    SASS_WARPSYNC = 0x948,
    SASS_BRX = 0x949,
    SASS_EXIT = 0x94d,
    SASS_RET = 0x950,
    SASS_MEMBAR = 0x992,
    SASS_SYNCS = 0x9a7, /* mbarrier.arrive */
    SASS_UTCCP = 0x9e7,
    SASS_STTM = 0x9ed, /* tcgen05.st */
    SASS_LDTM = 0x9ee, /* tcgen05.ld */
    SASS_BAR = 0xb1d
};

struct machine_word {
    uint64_t low, high;
};

/* A function. lines: by word, the line of the PTX text; 0: the table has none. */
struct machine_code {
    const char *name;
    struct machine_word *words;
    uint32_t *lines;
    const char **texts; /* by word: disassembled text; NULL, or NULL for each word: not requested */
    uint32_t count;
    bool is_exact; /* each LDTM and STTM has a line with a tcgen05.ld or st: as far as can be
                      checked, the lines are right */
};

/* All functions with code, in the order of the cubin. Zero-initialised by the caller. */
struct machine {
    struct arena arena;
    struct VEC(struct machine_code) functions;
};

/* Reads the result of compiled_make, which is not trusted. False if there is none, or no cubin with
 * a table of lines. */
bool machine_read(struct machine *machine, const struct compiled *compiled);
void machine_free(struct machine *machine);

unsigned machine_opcode(struct machine_word word);

/* Bits 64 to 95, which contain the modifiers of an instruction. */
uint32_t machine_modifiers(struct machine_word word);

/* True for words that a reader of tensor memory code needs to see: accesses to that memory, fences,
 * barriers. */
bool machine_is_landmark(struct machine_word word);

/* True if the word of an LDTM or STTM shows how to wait for its end. An LDTM without a scoreboard
 * ends with a later one that has a scoreboard. */
bool machine_tells_end(struct machine_word operation);

/* True if the word waits for that LDTM or STTM: its wait mask contains the scoreboard, or it is a
 * DEPBAR that waits until none is left; for an STTM, it is FENCE.VIEW.ASYNC.T. */
bool machine_waits_for(struct machine_word word, struct machine_word operation);

#endif
