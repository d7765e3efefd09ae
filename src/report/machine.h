/* The machine code that ptxas made: the words of each function and the lines that they are of. An
 * instruction of sm_100a is a word of 16 bytes; fields are as ptxas 13.0 writes them. */
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

/* One function. lines has the line of the PTX text for each word, 0 where the table has none. */
struct machine_code {
    const char *name;
    struct machine_word *words;
    uint32_t *lines;
    const char **texts; /* the text of a disassembler; NULL, or NULL for each word: not requested */
    uint32_t count;
    bool is_exact; /* each LDTM and STTM is of a line with a tcgen05.ld or st: the lines are right
                      as far as can be seen */
};

/* All that has code, in the order of the cubin. Zero-initialise. */
struct machine {
    struct arena arena;
    struct VEC(struct machine_code) functions;
};

/* Reads what compiled_make left; false where that is nothing, or no cubin with lines. Trusts
 * nothing that it reads. */
bool machine_read(struct machine *machine, const struct compiled *compiled);
void machine_free(struct machine *machine);

unsigned machine_opcode(struct machine_word word);

/* Bits 64 to 95: what an instruction's modifiers are among. */
uint32_t machine_modifiers(struct machine_word word);

/* Whether a reader of tensor memory code needs it: what touches that memory, fences, barriers. */
bool machine_is_landmark(struct machine_word word);

/* Whether something can wait for the end of an LDTM or STTM by its word: an LDTM that has no
 * scoreboard ends with a later one that has. */
bool machine_tells_end(struct machine_word operation);

/* Whether the word waits for that LDTM or STTM: its scoreboard is in the mask of those waited for,
 * or a DEPBAR lets none be left; for an STTM, a FENCE.VIEW.ASYNC.T. */
bool machine_waits_for(struct machine_word word, struct machine_word operation);

#endif
