/* Resolves the names of registers. PTX declares names by block; `.reg .b32 %r<8>` declares %r0 to
 * %r7 (ISA 5.4.6). As in ptxas, the number is all the trailing digits, read modulo 2^32, so
 * that %r07 is %r7 and `%r3<4>` declares nothing that can be named; a name that is declared as
 * spelled comes first. */
#ifndef PTXOPT_PTX_NAMES_H
#define PTXOPT_PTX_NAMES_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "base/word.h"
#include "ptx/view.h"

#define DECLARATION_NONE UINT32_MAX

/* outer: what it hides, the same name or stem in a scope around. */
struct declaration {
    uint32_t scope, id, outer;
    bool is_range;
    bool is_late;    /* members may have been met before, see spelled_reg */
    uint64_t count;  /* of a range */
    reg_id *members; /* its first: 1 + the register, 0 if not met yet */
    uint32_t member_count, met;
};

enum { NAMES_STEM_BITS = 3, NAMES_NAME_BITS = 8 };

/* What was found for a stem of up to eight letters when there were that many stems. */
struct recent_stem {
    uint64_t word;
    uint32_t stem_count, id;
};

/* What was found for a name of up to eight letters under that key. */
struct recent_name {
    uint64_t word; /* 0: none */
    uint32_t key;
    reg_id reg;
};

/* Zero-initialise, then names_open the body. Scopes are opened and closed as the text is read. */
struct names {
    /* What open scopes declare, a stack: names, and ranges by their stem without trailing
     * digits. */
    struct VEC(struct declaration) open;
    struct intern names, stems; /* numbered as innermost and innermost_range */
    struct recent_stem recent_stems[1 << NAMES_STEM_BITS];
    struct recent_name recent_names[1 << NAMES_NAME_BITS];
    struct VEC(uint32_t) innermost, innermost_range; /* into open, or DECLARATION_NONE */
    struct intern memo;                              /* (key, name): numbered as memo_regs */
    struct VEC(reg_id) memo_regs;
    /* (declaring scope, canonical name), but for the members in tables: numbered as reg_ids. */
    struct intern regs;
    struct VEC(reg_id) reg_ids;
    uint32_t reg_count;
    uint32_t tables;             /* of members, ever */
    uint64_t digit_names;        /* plain names that end in a digit: the bits of those declared */
    bool digit_regs;             /* regs has such a name */
    struct arena spelled;        /* canonical names that the text does not spell */
    struct VEC(uint32_t) parent; /* of each scope */
    struct VEC(uint32_t) first_open; /* of each scope: its first declaration's place in open */
    struct VEC(uint32_t) key_of;     /* of each scope; a new one with each declaration */
    uint32_t last_key, key;          /* under one key a name always means the same */
    uint32_t current;
};

void names_open(struct names *names);
void names_close(struct names *names);

/* Declares a plain name, or the count names stem0, stem1 …, in the current scope. */
void names_declare(struct names *names, struct str name);
void names_declare_range(struct names *names, struct str stem, uint64_t count);

reg_id names_look_up(struct names *names, struct str name);

/* The register that name, which holds no NUL, means in the current scope. An undeclared name
 * belongs to the body. */
static inline reg_id names_resolve(struct names *names, struct str name)
{
    if (name.n > sizeof(uint64_t)) return names_look_up(names, name);
    uint64_t word = word_load(name.p, name.n);
    struct recent_name *recent = &names->recent_names[word * WORD_SPREAD >> (64 - NAMES_NAME_BITS)];
    if (recent->word != word || recent->key != names->key)
        *recent = (struct recent_name){word, names->key, names_look_up(names, name)};
    return recent->reg;
}

void names_free(struct names *names);

#endif
