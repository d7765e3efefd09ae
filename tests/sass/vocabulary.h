/* What may stand in a program of the SASS differential: one statement of PTX, what the ISA calls
 * it, and the one machine word by which it is found again in what ptxas makes of it. */
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
    KIND_WEAK,  /* memory without any order: never judged */
    KIND_WAIT_LD,
    KIND_WAIT_ST,
    KIND_BEFORE,
    KIND_AFTER,
};

/* Words that several operations may give rise to, so that they must not meet in one program. */
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

/* Which programs hold it: the random ones often or seldom, or only those of the grid, because its
 * words may be another's or it is one of many forms. */
enum use { OFTEN, SELDOM, GRID_ONLY };

/* Where it may stand: a `.sync.aligned` one never under elect.sync. (vote and its kin may: ptxas
 * does not know how many threads are there.) */
enum place { ANYWHERE, WHOLE_WARP };

struct operation {
    const char *ptx; /* `#` is a number of its own, `$` the number of a register of its own */
    enum kind kind;
    uint16_t word;        /* its low 12 bits; 0: no word of its own, so never judged */
    uint16_t other[2];    /* or these, in other kinds of register */
    uint32_t mask, value; /* of bits 64 to 95 */
    bool offset;          /* `#` is in bits 40 to 59 */
    enum side is, emits;
    enum place place;
    enum use use;
};

extern const struct operation vocabulary[];
extern const uint32_t vocabulary_size;

/* Its row, and in *number what stands for `#`; NULL for any other statement. */
const struct operation *vocabulary_find(const char *statement, uint32_t *number);

/* Is this the opcode of one of its words? A memory access has two, by how its address is held. */
bool operation_has_word(const struct operation *op, uint32_t opcode);

/* Could a word of the one be taken for the other's? The numbers are those of `#`. */
bool vocabulary_clash(const struct operation *a, uint32_t a_number, const struct operation *b,
                      uint32_t b_number);

static inline bool kind_is_async(enum kind kind)
{
    return kind <= KIND_PIPE;
}

/* The opcode as reports name it: of tcgen05 without its modifiers. */
struct opcode_name {
    char text[96];
};
struct opcode_name operation_name(const struct operation *op);

#endif
