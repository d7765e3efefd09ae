/* Resolves the names of registers and labels in nested scopes. */
#ifndef PTXOPT_CHECK_MODEL_SCOPE_H
#define PTXOPT_CHECK_MODEL_SCOPE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "check/read/scan.h"
#include "check/read/token.h"

enum { SCOPE_DEPTH_MAX = 10000, SCOPE_RANGES_MAX = 16 };

/* Names of the function itself that need no table: stem0, stem1 … mean first, first + 1 … */
struct scope_range {
    uint64_t stem; /* its bytes, and `0` after them; the first is the lowest */
    uint32_t first, count;
    bool is_hidden; /* a nested scope has declared one of them: all are looked up */
};

struct scope_shadow {
    uint32_t name, old; /* what the name meant outside */
};

/* The names of one function body while it is read in order. A name that no nested scope
 * declares means one register of the function; a nested `.reg` makes a new one till its `}`. */
struct scope {
    struct arena *arena;
    struct intern names, labels, stems; /* stems: of all ranges so far */
    struct VEC(uint32_t) current;       /* by name: the register */
    struct VEC(uint8_t) nested;         /* by name: a nested scope declares it, too */
    struct VEC(struct scope_shadow) shadows;
    struct VEC(uint32_t) marks;    /* shadows.count at each open scope */
    struct VEC(uint32_t) open;     /* ids of the open scopes, innermost last */
    struct VEC(uint32_t) parents;  /* by scope id */
    struct VEC(uint32_t) label_at; /* by label: the index given to scope_label */
    uint32_t register_count;
    struct scope_range ranges[SCOPE_RANGES_MAX];
    uint32_t range_count;
    uint32_t *room; /* for so many names in ranges */
};

/* room: how many registers may be numbered because they are declared, used or not; those that are,
 * are taken from it. */
void scope_init(struct scope *scope, struct arena *arena, uint32_t *room);
void scope_free(struct scope *scope);

/* False when too deep, or when nothing is open. */
bool scope_open(struct scope *scope);
bool scope_close(struct scope *scope);

/* The register that name means now. */
uint32_t scope_register(struct scope *scope, struct str name);

/* The same of a name that was met before; UINT32_MAX when it was not. */
uint32_t scope_register_met(const struct scope *scope, struct str name);

/* A name like %r12, which ends at end. */
struct scope_numbered {
    uint64_t stem; /* as that of a range */
    uint32_t number, end;
};

/* Reads the name at pos; false when it is none with a number after, as usually written. */
bool scope_read_numbered(struct str text, uint32_t pos, struct scope_numbered *name);

/* The digits of a word, which are values below ten and are at its end. */
static inline uint32_t scope_number(uint64_t values)
{
    values = values * 10 + (values >> 8);
    uint64_t low = (values & 0x000000ff000000ff) * (100 + (1000000ull << 32));
    uint64_t high = (values >> 16 & 0x000000ff000000ff) * (1 + (10000ull << 32));
    return (uint32_t)((low + high) >> 32);
}

/* scope_read_numbered for a name below eight bytes with as many after, all at once. */
static inline bool scope_read_short(struct str text, uint32_t pos, struct scope_numbered *name)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t word = scan_word(text.p + pos), values = word ^ ones * '0';
    uint64_t others = (values | ((values & ones * 0x7f) + ones * (0x7f - 9))) & ones * 0x80;
    uint64_t digits = others ^ ones * 0x80;
    if (!digits) return false;
    unsigned first = (unsigned)__builtin_ctzll(digits) & 56; /* bits in front of them */
    uint64_t behind = others >> first << first;
    if (!behind) return false;
    unsigned end = (unsigned)__builtin_ctzll(behind) & 56;
    *name = (struct scope_numbered){.stem = (word & ~(~0ull << first)) | (uint64_t)'0' << first,
                                    .number = scope_number(values >> first << (64 - (end - first))),
                                    .end = pos + end / 8};
    bool usual = end - first == 8 || values >> first & 0xff;
    return usual && !token_class_at(text, name->end, TOKEN_CLASS_WORD);
}

/* The register of the name at pos and the end of the name, if a range names it directly: stem and
 * number as usually written. Otherwise UINT32_MAX; then the name must be looked up. */
static inline uint32_t scope_register_in_range(const struct scope *scope, struct str text,
                                               uint32_t pos, uint32_t *end)
{
    struct scope_numbered name;
    bool is_short = text.n - pos >= 2 * sizeof name.stem && scope_read_short(text, pos, &name);
    if (!is_short && !scope_read_numbered(text, pos, &name)) return UINT32_MAX;
    const struct scope_range *range = scope->ranges, *behind = range + scope->range_count;
    while (range < behind && range->stem != name.stem) range++;
    if (range == behind || name.number >= range->count || range->is_hidden) return UINT32_MAX;
    *end = name.end;
    return range->first + name.number;
}

/* The register of the name at pos, and the end of that, when it means the same everywhere in the
 * function, which has been read; else UINT32_MAX. */
uint32_t scope_register_everywhere(const struct scope *scope, struct str text, uint32_t pos,
                                   uint32_t *end);

/* `.reg` of name in the innermost scope. */
void scope_declare(struct scope *scope, struct str name);

/* Defines a label in the innermost scope; one defined twice (prototypes are) is not found. */
void scope_label(struct scope *scope, struct str name, uint32_t index);

/* The index of the label that name means in scope id; UINT32_MAX when there is none, or when it may
 * be one of several: ptxas binds a name as its block closes, to what stood before that. own_first:
 * the block's own label comes before all others. */
uint32_t scope_find_label(const struct scope *scope, uint32_t id, struct str name, bool own_first);

/* Whether any block around scope id, or it itself, defines that label. */
bool scope_has_label(const struct scope *scope, uint32_t id, struct str name);

/* `.reg` of stem<count>. False when ptxas would read such names in another way than as stem0, stem1
 * …: it takes all trailing digits for the number. */
bool scope_declare_range(struct scope *scope, struct str stem, uint32_t count);

/* `.reg` of stem<count> in the function itself, which changes no name's meaning. */
void scope_number_range(struct scope *scope, struct str stem, uint32_t count);

/* True when name, as spelled, may be another spelling of a name that a range declared: %r07. */
bool scope_is_alias(const struct scope *scope, struct str name);

uint32_t scope_current(const struct scope *scope);

#endif
