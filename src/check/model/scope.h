/* Which register does this name mean here, and which instruction this label? */
#ifndef PTXOPT_CHECK_MODEL_SCOPE_H
#define PTXOPT_CHECK_MODEL_SCOPE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "check/read/token.h"

enum { SCOPE_DEPTH_MAX = 10000, SCOPE_RANGES_MAX = 16 };

/* Names of the function itself that need no table: stem0, stem1 … mean first, first + 1 … */
struct scope_range {
    uint64_t stem; /* its bytes, of which there are so many; the first is the lowest */
    uint32_t length, first, count;
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
    struct VEC(struct scope_shadow) shadows;
    struct VEC(uint32_t) marks;    /* shadows.count at each open scope */
    struct VEC(uint32_t) open;     /* ids of the open scopes, innermost last */
    struct VEC(uint32_t) parents;  /* by scope id */
    struct VEC(uint32_t) label_at; /* by label: the index given to scope_label */
    uint32_t register_count;
    struct scope_range ranges[SCOPE_RANGES_MAX];
    uint32_t range_count, room; /* room: for so many names in ranges */
};

/* room: how many registers may be numbered because they are declared, used or not. */
void scope_init(struct scope *scope, struct arena *arena, uint32_t room);
void scope_free(struct scope *scope);

/* False when too deep, or when nothing is open. */
bool scope_open(struct scope *scope);
bool scope_close(struct scope *scope);

/* The register that name means now. */
uint32_t scope_register(struct scope *scope, struct str name);

/* The register of the name at pos, and the end of that, where a range says it at once: stem and
 * number as usually written. Else UINT32_MAX, and it has to be looked up. */
uint32_t scope_register_in_range(const struct scope *scope, struct str text, uint32_t pos,
                                 uint32_t *end);

/* `.reg` of name in the innermost scope. */
void scope_declare(struct scope *scope, struct str name);

/* Defines a label in the innermost scope; one defined twice (prototypes are) is not found. */
void scope_label(struct scope *scope, struct str name, uint32_t index);

/* The index of the label that name means in scope id; UINT32_MAX when there is none, or when it may
 * be one of several: ptxas binds a name as its block closes, to what stood before that. own_first:
 * the block's own label comes before all others. */
uint32_t scope_find_label(const struct scope *scope, uint32_t id, struct str name, bool own_first);

/* Does any block around scope id, or it itself, define that label? */
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
