/* Resolves the names of registers. PTX declares names in blocks; `.reg .b32 %r<8>` declares %r0 to
 * %r7 (ISA 5.4.6). As in ptxas, the number of a member is all its trailing digits, read modulo
 * 2^32, so %r07 is %r7, and no name refers to a member of `%r3<4>`. A name that is declared in
 * exactly that spelling has precedence. */
#ifndef PTXOPT_PTX_NAMES_H
#define PTXOPT_PTX_NAMES_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "base/word.h"
#include "ptx/view.h"

#define DECLARATION_NONE UINT32_MAX

/* A declaration. outer: the declaration of the same name or stem in an outer scope that it hides.
 */
struct declaration {
    uint32_t scope, id, outer;
    bool is_range;
    bool is_late;    /* members may have been met before it, see spelled_reg */
    reg_id reg;      /* of a plain name: 1 + the register, or 0 if not met yet */
    uint64_t count;  /* of a range */
    reg_id *members; /* of its first members: 1 + the register, or 0 if not met yet */
    uint32_t member_count, met;
};

enum { NAMES_STEM_BITS = 3, NAMES_NAME_BITS = 9, NAMES_DIGIT_BITS = 9 };

/* A cached result: the number of a stem of up to eight letters when there were stem_count stems. */
struct recent_stem {
    uint64_t word;
    uint32_t stem_count, id;
};

/* A cached result: the register of a name of up to eight letters under that key. */
struct recent_name {
    uint64_t word; /* 0: none, and the rest has no value */
    uint32_t key;
    reg_id reg;
};

/* Zero-initialised by the caller, who then opens the body with names_open. Scopes are opened and
 * closed as the text is read. */
struct names {
    /* A stack of the declarations of open scopes: names, and ranges by their stem without trailing
     * digits. */
    struct VEC(struct declaration) open;
    struct intern names, stems; /* numbered as innermost and innermost_range */
    struct recent_stem recent_stems[1 << NAMES_STEM_BITS];
    struct VEC(uint32_t) innermost, innermost_range; /* indices of open, or DECLARATION_NONE */
    struct intern memo; /* (key, name) of names that are not declared: numbered as memo_regs */
    struct VEC(reg_id) memo_regs;
    /* (declaring scope, canonical name), except members in tables: numbered as reg_ids. */
    struct intern regs;
    struct VEC(reg_id) reg_ids;
    uint32_t reg_count;
    uint32_t tables; /* number of tables of members, never reduced */
    /* Plain names that end in a digit: a bit for each, by its last letters. */
    uint64_t digit_names[(1 << NAMES_DIGIT_BITS) / 64];
    bool digit_regs;                 /* regs has a name that ends in a digit */
    struct arena spelled;            /* canonical names that are not in the text */
    struct VEC(uint32_t) parent;     /* by scope */
    struct VEC(uint32_t) first_open; /* by scope: index in open of its first declaration */
    struct VEC(uint32_t) key_of;     /* by scope; each declaration gives it a new key */
    uint32_t key;                    /* under one key, a name always means the same register */
    uint32_t current;
    /* Kept from function to function: what follows has keys of its own in each. */
    uint32_t last_key;
    struct recent_name *recent_names; /* 1 << NAMES_NAME_BITS; NULL until names_open */
};

void names_open(struct names *names);
void names_close(struct names *names);

/* names_declare declares a plain name, names_declare_range the names stem0, stem1, … (count of
 * them), in the current scope. */
void names_declare(struct names *names, struct str name);
void names_declare_range(struct names *names, struct str stem, uint64_t count);

reg_id names_look_up(struct names *names, struct str name);

/* As names_look_up, for a name of one to eight letters, which are in word (word_load). */
reg_id names_look_up_short(struct names *names, struct str name, uint64_t word);

/* The register that the name means in the current scope. name must not contain NUL. An undeclared
 * name belongs to the body. */
static inline reg_id names_resolve(struct names *names, struct str name)
{
    if (name.n > sizeof(uint64_t)) return names_look_up(names, name);
    uint64_t word = word_load(name.p, name.n);
    struct recent_name *recent = &names->recent_names[word * WORD_SPREAD >> (64 - NAMES_NAME_BITS)];
    if (recent->word != word || recent->key != names->key)
        *recent = (struct recent_name){word, names->key, names_look_up_short(names, name, word)};
    return recent->reg;
}

/* Frees what belongs to the last function, and begins another one. */
void names_restart(struct names *names);
/* Frees everything. */
void names_free(struct names *names);

#endif
