/* Resolves the names of registers and labels in nested scopes. */
#ifndef PTXOPT_CHECK_MODEL_SCOPE_H
#define PTXOPT_CHECK_MODEL_SCOPE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "check/read/scan.h"
#include "check/read/token.h"

/* SCOPE_DIGITS_MAX: of the number of a name in a range. */
enum { SCOPE_DEPTH_MAX = 10000, SCOPE_RANGES_MAX = 16, SCOPE_DIGITS_MAX = 7, SCOPE_RECENT = 32 };

/* A range of names of the function itself that need no table: stem0, stem1, … mean register first,
 * first + 1, …. */
struct scope_range {
    uint64_t stem, mask; /* its bytes followed by `0`, the first byte lowest; mask: which bits of a
                            name must be equal to these: those of a byte from 0x30 on are enough
                            where the number begins */
    uint32_t length;     /* of the stem */
    uint32_t first, count;
    uint32_t direct; /* count; 0 if a nested scope declares one of the names, so that all must be
                        looked up */
};

struct scope_shadow {
    uint32_t name, old; /* old: the register that the name meant outside */
};

/* A short name that was looked up before: its bytes, which are never all zero, and its number. */
struct scope_recent {
    uint64_t word;
    uint32_t number;
};

/* The names of one function body while it is read in order. A name that no nested scope
 * declares means one register of the function; a nested `.reg` makes a new one till its `}`. */
struct scope {
    struct arena *arena;
    struct intern names, labels, stems; /* stems: of all ranges so far */
    struct VEC(uint32_t) current;       /* by name: the register */
    struct VEC(uint8_t) nested;         /* by name: whether a nested scope also declares it */
    struct VEC(struct scope_shadow) shadows;
    struct VEC(uint32_t) marks;    /* shadows.count at each open scope */
    struct VEC(uint32_t) open;     /* ids of the open scopes, innermost last */
    struct VEC(uint32_t) parents;  /* by scope id */
    struct VEC(uint32_t) label_at; /* index passed to scope_label */
    uint32_t register_count;
    struct scope_range ranges[SCOPE_RANGES_MAX];
    uint32_t range_count;
    struct scope_recent recent[SCOPE_RECENT]; /* by a hash of word */
    uint32_t *room;                           /* the number of names that ranges may still have */
};

/* Initialises scope. *room: how many registers of ranges may be numbered, used or not; declarations
 * subtract from it. */
void scope_init(struct scope *scope, struct arena *arena, uint32_t *room);
void scope_free(struct scope *scope);

/* Open and close a nested scope. Return false if the nesting is too deep, or if no scope is
 * open. */
bool scope_open(struct scope *scope);
bool scope_close(struct scope *scope);

/* Returns the register that name means now, and adds the name if it is new. */
uint32_t scope_register(struct scope *scope, struct str name);

/* As scope_register_in_range, near the end of the text. */
uint32_t scope_register_near_end(const struct scope *scope, struct str text, uint32_t pos,
                                 uint32_t *end);

/* The register of the name at pos and the end of the name, if a range names it directly: stem and
 * number as usually written. Otherwise UINT32_MAX; then the name must be looked up. */
static inline uint32_t scope_register_in_range(const struct scope *scope, struct str text,
                                               uint32_t pos, uint32_t *end)
{
    if (text.n - pos < 2 * sizeof(uint64_t)) return scope_register_near_end(scope, text, pos, end);
    uint64_t word = word_load(text.p + pos, sizeof(uint64_t));
    const struct scope_range *range = scope->ranges, *behind = range + scope->range_count;
    while (range < behind && (word ^ range->stem) & range->mask) range++;
    if (range == behind) return UINT32_MAX;
    const unsigned char *digits = (const unsigned char *)text.p + pos + range->length;
    uint32_t number = digits[0] - (uint32_t)'0', n = 1;
    for (uint32_t digit; n < SCOPE_DIGITS_MAX && (digit = digits[n] - (uint32_t)'0') < 10; n++)
        number = number * 10 + digit;
    bool usual = digits[0] <= '9' && (n == 1 || digits[0] != '0');
    if (!usual || token_classes[digits[n]] & TOKEN_CLASS_WORD || number >= range->direct)
        return UINT32_MAX;
    *end = pos + range->length + n;
    return range->first + number;
}

/* Returns the register of the name at pos, and sets *end to its end, if the name means the same in
 * all scopes of the function, which must have been read completely; otherwise UINT32_MAX. */
uint32_t scope_register_everywhere(const struct scope *scope, struct str text, uint32_t pos,
                                   uint32_t *end);

/* Declares name by `.reg` in the innermost scope. */
void scope_declare(struct scope *scope, struct str name);

/* Defines a label in the innermost scope. A label that is defined twice, as those of prototypes
 * are, is not found later. */
void scope_label(struct scope *scope, struct str name, uint32_t index);

/* Returns the index of the label that name means in scope id; UINT32_MAX if there is none, or if it
 * may mean several. ptxas binds a name when its block closes, to a label defined before that.
 * own_first: a label of the block itself has priority. */
uint32_t scope_find_label(const struct scope *scope, uint32_t id, struct str name, bool own_first);

/* Whether scope id, or a scope around it, defines the label. */
bool scope_has_label(const struct scope *scope, uint32_t id, struct str name);

/* Declares stem<count> by `.reg` in the innermost scope. Returns false if ptxas would not read
 * these names as stem0, stem1, …: it takes all trailing digits as the number. */
bool scope_declare_range(struct scope *scope, struct str stem, uint32_t count);

/* Numbers stem<count>, declared by `.reg` in the function itself. This changes the meaning of no
 * name. */
void scope_number_range(struct scope *scope, struct str stem, uint32_t count);

/* Whether name, as spelled, may be another spelling of a name in a range, such as %r07. */
bool scope_is_alias(const struct scope *scope, struct str name);

uint32_t scope_current(const struct scope *scope);

#endif
