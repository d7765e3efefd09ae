/* Resolves register names. See names.h. */
#include "ptx/names.h"

#include "base/work.h"

enum { SAFE_DIGITS = 9 }; /* a number with this many digits does not wrap around */

static struct recent_name *no_recent_names(void)
{
    enum { COUNT = 1 << NAMES_NAME_BITS };
    struct recent_name *recent = mem_alloc(COUNT * sizeof *recent);
    for (uint32_t i = 0; i < COUNT; i++) recent[i].word = 0;
    return recent;
}

/* Opens a scope. Until something is declared in it, names mean the same as in the scope around it,
 * so the key is kept. */
void names_open(struct names *names)
{
    if (!names->recent_names) names->recent_names = no_recent_names();
    uint32_t parent = names->parent.count ? names->current : 0;
    names->current = names->parent.count;
    vec_push(&names->parent, parent);
    vec_push(&names->first_open, names->open.count);
    vec_push(&names->key_of, names->key);
}

static uint32_t *innermost_of(struct names *names, bool is_range, uint32_t id)
{
    return is_range ? &names->innermost_range.at[id] : &names->innermost.at[id];
}

void names_close(struct names *names)
{
    while (names->open.count > names->first_open.at[names->current]) {
        const struct declaration *last = &names->open.at[--names->open.count];
        *innermost_of(names, last->is_range, last->id) = last->outer;
        mem_free(last->members);
    }
    names->current = names->parent.at[names->current];
    names->key = names->key_of.at[names->current];
}

/* The number of a name or stem. A new one gets an entry for its innermost declaration. */
static uint32_t names_number(struct names *names, bool is_range, struct str name)
{
    uint32_t id = intern_add(is_range ? &names->stems : &names->names, 0, name);
    if (is_range && id == names->innermost_range.count)
        vec_push(&names->innermost_range, DECLARATION_NONE);
    if (!is_range && id == names->innermost.count) vec_push(&names->innermost, DECLARATION_NONE);
    return id;
}

/* If a name is declared twice in one scope, the first declaration counts, with the larger count. */
static void names_declare_one(struct names *names, bool is_range, struct str name, uint64_t count)
{
    uint32_t id = names_number(names, is_range, name);
    uint32_t *innermost = innermost_of(names, is_range, id);
    struct declaration *last = *innermost == DECLARATION_NONE ? NULL : &names->open.at[*innermost];
    names->key = names->key_of.at[names->current] = ++names->last_key;
    if (last && last->scope == names->current) {
        if (last->count < count) {
            last->count = count;
            last->is_late |= names->digit_regs;
        }
        return;
    }
    uint32_t outer = *innermost;
    *innermost = names->open.count;
    vec_push(&names->open, (struct declaration){.scope = names->current,
                                                .id = id,
                                                .outer = outer,
                                                .is_range = is_range,
                                                .is_late = names->digit_regs,
                                                .count = count});
}

static bool names_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The last eight letters of a name, or all if it has fewer. */
static uint64_t last_letters(struct str name)
{
    size_t n = name.n < sizeof(uint64_t) ? name.n : sizeof(uint64_t);
    return word_load(name.p + name.n - n, n);
}

/* The number of a bit in digit_names, by the last letters of a name. */
static inline uint32_t bit_of(uint64_t letters)
{
    return (uint32_t)(letters * WORD_SPREAD >> (64 - NAMES_DIGIT_BITS));
}

void names_declare(struct names *names, struct str name)
{
    uint32_t bit = bit_of(last_letters(name));
    if (names_is_digit(name.p[name.n - 1])) names->digit_names[bit / 64] |= UINT64_C(1) << bit % 64;
    names_declare_one(names, false, name, 0);
}

void names_declare_range(struct names *names, struct str stem, uint64_t count)
{
    names_declare_one(names, true, stem, count);
}

/* A name as a member of a range. */
struct member {
    struct str stem;
    uint32_t number;
    bool canonical; /* in the spelling of printf: no leading zero, no wrap-around */
};

static struct member split_member(struct str name)
{
    struct member member = {.stem = name};
    for (uint32_t scale = 1; member.stem.n && names_is_digit(name.p[member.stem.n - 1]);
         scale *= 10)
        member.number += scale * (uint32_t)(name.p[--member.stem.n] - '0'); /* modulo 2^32 */
    size_t digits = name.n - member.stem.n;
    bool leading_zero = digits > 1 && name.p[member.stem.n] == '0';
    member.canonical = digits && digits <= SAFE_DIGITS && !leading_zero;
    return member;
}

/* The number whose digits are the bytes of word, each less '0', the last digit highest. */
static inline uint32_t number_of_digits(uint64_t word)
{
    word = word * (10 << 8 | 1) >> 8 & UINT64_C(0x00ff00ff00ff00ff);
    word = word * (100 << 16 | 1) >> 16 & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(word * (UINT64_C(10000) << 32 | 1) >> 32);
}

/* The innermost range with the stem of this number; DECLARATION_NONE if there is none. */
static inline uint32_t range_of_stem(const struct names *names, uint32_t id)
{
    return id == INTERN_NONE ? DECLARATION_NONE : names->innermost_range.at[id];
}

static uint32_t innermost_range(const struct names *names, struct str stem)
{
    return range_of_stem(names, intern_find(&names->stems, 0, stem));
}

/* The innermost range that contains the member; NULL if there is none. */
static struct declaration *names_find_range(struct names *names, const struct member *member)
{
    uint32_t at = innermost_range(names, member->stem);
    while (at != DECLARATION_NONE && member->number >= names->open.at[at].count) {
        at = names->open.at[at].outer;
        work_spend(1);
    }
    return at == DECLARATION_NONE ? NULL : &names->open.at[at];
}

static struct declaration *find_name(struct names *names, struct str name)
{
    uint32_t id = intern_find(&names->names, 0, name);
    uint32_t at = id == INTERN_NONE ? DECLARATION_NONE : names->innermost.at[id];
    return at == DECLARATION_NONE ? NULL : &names->open.at[at];
}

/* The register with that canonical name in a scope; scope 0 if no scope declares it. */
static reg_id spelled_reg(struct names *names, uint32_t scope, struct str name)
{
    uint32_t id = intern_add(&names->regs, scope, name);
    if (id == names->reg_ids.count) vec_push(&names->reg_ids, names->reg_count++);
    names->digit_regs |= names_is_digit(name.p[name.n - 1]);
    return names->reg_ids.at[id];
}

/* Makes room for the member in the table of its range, if the table stays in proportion to the
 * members met. The first few ranges of a text may have larger tables, allocated at once if they are
 * not too large. */
static bool grow_members(struct names *names, struct declaration *range, uint32_t number)
{
    enum { FEW = 16, OF_FEW = 16384, AT_ONCE = 4096, ALWAYS = 1024, EACH = 8 };
    bool few = names->tables < FEW;
    uint32_t always = few ? OF_FEW : ALWAYS, count = range->member_count;
    if (number >= always + EACH * range->met) return false;
    names->tables += !count;
    while (count <= number) count = count ? count * 2 : 64;
    if (few && range->count <= AT_ONCE && range->count > count) count = (uint32_t)range->count;
    range->members = mem_realloc(range->members, count * sizeof *range->members);
    memset(range->members + range->member_count, 0,
           (count - range->member_count) * sizeof *range->members);
    range->member_count = count;
    return true;
}

static struct str canonical_name(struct names *names, const struct member *member, struct str name)
{
    if (member->canonical) return name;
    return str_from(arena_printf(&names->spelled, "%.*s%u", (int)member->stem.n, member->stem.p,
                                 member->number));
}

/* The register of a member of a range that has no room for it yet, or that is late: then the member
 * may already have a register. It may have been met before the range was declared, as an undeclared
 * or plain name, or before there was room. A function of its own, because it is rarely needed. */
static __attribute__((noinline)) reg_id member_reg_late(struct names *names,
                                                        struct declaration *range,
                                                        struct member member, struct str name)
{
    uint32_t id = INTERN_NONE;
    if (member.number >= range->member_count && !grow_members(names, range, member.number)) {
        range->is_late = true;
        return spelled_reg(names, range->scope, canonical_name(names, &member, name));
    }
    reg_id *reg = &range->members[member.number];
    if (*reg) return *reg - 1;
    range->met++;
    if (range->is_late)
        id = intern_find(&names->regs, range->scope, canonical_name(names, &member, name));
    *reg = 1 + (id == INTERN_NONE ? names->reg_count++ : names->reg_ids.at[id]);
    return *reg - 1;
}

static inline reg_id member_reg(struct names *names, struct declaration *range,
                                struct member member, struct str name)
{
    if (member.number >= range->member_count || range->is_late)
        return member_reg_late(names, range, member, name);
    reg_id *reg = &range->members[member.number];
    if (!*reg) {
        range->met++;
        *reg = ++names->reg_count;
    }
    return *reg - 1;
}

/* The register of a plain name. */
static reg_id plain_reg(struct names *names, struct declaration *plain, struct str name)
{
    if (!plain->reg) plain->reg = 1 + spelled_reg(names, plain->scope, name);
    return plain->reg - 1;
}

/* plain: the innermost declaration of the plain name; NULL if there is none.
 *
 * Of two open scopes, the inner one has the larger number. A plain name and a member of a range
 * with the same spelling in the same scope are one register, whichever was declared first. */
static reg_id names_resolve_anew(struct names *names, struct declaration *plain, struct str name)
{
    struct member member = split_member(name);
    struct declaration *range = member.stem.n < name.n ? names_find_range(names, &member) : NULL;
    bool alike = plain && range && plain->scope == range->scope && member.canonical;
    if (plain && !alike && (!range || plain->scope >= range->scope))
        return plain_reg(names, plain, name);
    return range ? member_reg(names, range, member, name) : spelled_reg(names, 0, name);
}

/* Resolves a member, in the spelling of printf, of the innermost range of its stem. Most names are
 * such members. False if the range does not have it. at: the range, or DECLARATION_NONE. */
static inline bool resolve_member(struct names *names, uint32_t at, struct member member,
                                  struct str name, reg_id *reg)
{
    if (at == DECLARATION_NONE || member.number >= names->open.at[at].count) return false;
    *reg = member_reg(names, &names->open.at[at], member, name);
    return true;
}

/* As split_member for a name of at most eight letters (word), whose digits are read at once. False
 * if it is not in the spelling of printf. */
static inline bool split_short(struct str name, uint64_t word, struct member *member)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    /* The last letter is the highest byte, and digits are less than 10. */
    uint64_t bytes = word << 8 * (sizeof word - name.n) ^ '0' * each;
    uint64_t others = (((bytes & 0x7f * each) + (0x80 - 10) * each) | bytes) & 0x80 * each;
    if (others >> 63 || !others) return false;
    uint32_t digits = (uint32_t)__builtin_clzll(others) / 8, before = 64 - 8 * digits;
    uint64_t number = bytes >> before;
    *member = (struct member){{name.p, name.n - digits}, number_of_digits(number << before), true};
    return digits == 1 || number & 0xff; /* no leading zero */
}

/* Resolves any name; one that is not declared only once for each key. */
static __attribute__((noinline)) reg_id names_resolve_memo(struct names *names, struct str name)
{
    struct declaration *plain = find_name(names, name);
    if (plain) return names_resolve_anew(names, plain, name);
    uint32_t id = intern_add(&names->memo, names->key, name);
    if (id == names->memo_regs.count) {
        reg_id reg = names_resolve_anew(names, NULL, name);
        vec_push(&names->memo_regs, reg);
    }
    return names->memo_regs.at[id];
}

/* A plain name with these last letters might end in a digit. */
static inline bool may_be_plain(const struct names *names, uint64_t letters)
{
    uint32_t bit = bit_of(letters);
    return names->digit_names[bit / 64] >> bit % 64 & 1;
}

reg_id names_look_up(struct names *names, struct str name)
{
    reg_id reg;
    struct member member = split_member(name);
    if (!may_be_plain(names, last_letters(name)) && member.canonical &&
        resolve_member(names, innermost_range(names, member.stem), member, name, &reg))
        return reg;
    return names_resolve_memo(names, name);
}

/* As names_look_up for a member of a range, and caches the stem, because stems are looked up
 * repeatedly. A function of its own, because it is rarely needed. */
static __attribute__((noinline)) reg_id look_up_stem(struct names *names, struct str name,
                                                     struct recent_stem *recent, struct str stem)
{
    *recent = (struct recent_stem){word_load(stem.p, stem.n), names->stems.count,
                                   intern_find(&names->stems, 0, stem)};
    return names_look_up(names, name);
}

/* Most names are members, met before, of the innermost range of their stem, or the first mention of
 * one. For them, nothing is called. */
reg_id names_look_up_short(struct names *names, struct str name, uint64_t word)
{
    struct member member;
    if (may_be_plain(names, word) || !split_short(name, word, &member))
        return names_resolve_memo(names, name);
    uint64_t stem = word & ((UINT64_C(1) << 8 * member.stem.n) - 1);
    struct recent_stem *recent = &names->recent_stems[stem * WORD_SPREAD >> (64 - NAMES_STEM_BITS)];
    if (recent->word != stem || recent->stem_count != names->stems.count)
        return look_up_stem(names, name, recent, member.stem);
    uint32_t at = range_of_stem(names, recent->id);
    struct declaration *range = at == DECLARATION_NONE ? NULL : &names->open.at[at];
    if (!range || member.number >= range->count) return names_resolve_memo(names, name);
    return member_reg(names, range, member, name);
}

static void free_function(struct names *names)
{
    intern_free(&names->names);
    intern_free(&names->stems);
    intern_free(&names->memo);
    intern_free(&names->regs);
    for (uint32_t i = 0; i < names->open.count; i++) mem_free(names->open.at[i].members);
    vec_free(&names->open);
    vec_free(&names->innermost);
    vec_free(&names->innermost_range);
    vec_free(&names->first_open);
    vec_free(&names->memo_regs);
    vec_free(&names->reg_ids);
    vec_free(&names->parent);
    vec_free(&names->key_of);
    arena_free(&names->spelled);
}

void names_free(struct names *names)
{
    free_function(names);
    mem_free(names->recent_names);
}

void names_restart(struct names *names)
{
    free_function(names);
    memset(names, 0, offsetof(struct names, last_key));
    names->key = ++names->last_key;
}
