/* The statements of the programs: one statement of PTX, its class in the ISA, and the one machine
 * word by which it is found in the machine code. */
#ifndef PTXOPT_TESTS_SASS_VOCABULARY_H
#define PTXOPT_TESTS_SASS_VOCABULARY_H

#include <stdbool.h>
#include <stdint.h>

enum kind {
    KIND_LD,
    KIND_ST,
    KIND_PIPE, /* mma, cp, shift */
    KIND_COMMIT,
    KIND_ALLOC, /* alloc, dealloc, relinquish_alloc_permit */
    KIND_ORDER, /* "execution ordering instructions" */
    KIND_WEAK,  /* memory without any order: never compared */
    KIND_WAIT_LD,
    KIND_WAIT_ST,
    KIND_BEFORE,
    KIND_AFTER,
};

/* Words that several operations may cause, so only one of these may be in a program. */
enum side {
    SIDE_NONE,
    SIDE_MEMBAR = 1,
    SIDE_VOTE = 2,
    SIDE_ELECT = 4,
    SIDE_DEPBAR = 8,
    SIDE_BAR = 16,
    SIDE_SHUFFLE = 32,
    SIDE_REDUX = 64
};

/* The programs that may have it: random ones often or rarely, or only those of the grid, because
 * its words may come from another statement or it is one of many forms. */
enum use { OFTEN, SELDOM, GRID_ONLY };

/* Where it is allowed: a `.sync.aligned` one never under elect.sync. (vote and similar ones are:
 * ptxas does not know how many threads are there.) */
enum place { ANYWHERE, WHOLE_WARP };

struct operation {
    const char *ptx; /* `#` is a number of its own, `$` the number of its own register */
    enum kind kind;
    uint16_t word;        /* its low 12 bits; 0: no word of its own, so never compared */
    uint16_t other[2];    /* or these, in other kinds of register */
    uint32_t mask, value; /* of bits 64 to 95 */
    bool offset;          /* `#` is in bits 40 to 59 */
    enum side is, emits;
    enum place place;
    enum use use;
};

extern const struct operation vocabulary[];
extern const uint32_t vocabulary_size;

/* Its row, and in number the number in place of `#`; NULL for any other statement. */
const struct operation *vocabulary_find(const char *statement, uint32_t *number);

/* Whether this is the opcode of one of its words. A memory access has two, depending on the form of
 * its address. */
bool operation_has_word(const struct operation *op, uint32_t opcode);

/* Whether a word of one could be mistaken for a word of the other. The numbers are those of `#`. */
bool vocabulary_clash(const struct operation *a, uint32_t a_number, const struct operation *b,
                      uint32_t b_number);

static inline bool kind_is_async(enum kind kind)
{
    return kind <= KIND_PIPE;
}

/* The opcode as in reports: for tcgen05 without its modifiers. */
struct opcode_name {
    char text[96];
};
struct opcode_name operation_name(const struct operation *op);

#endif
