/* Numbers the sets of conditions, and caches answers about pairs of sets. See condition_pairs.h. */
#include "value/condition_pairs.h"

#include "base/intern.h"

enum question {
    ASKED_EXCLUDE,
    ASKED_OTHER_WARP,
    ASKED_ONE_LANE,
    ASKED_ANOTHER,
    ASKED_SAME_THREAD,
    QUESTIONS
};

/* A key of intern, so it must have no padding bytes. */
struct question_of {
    uint32_t question, a, b;
};

/* For sets with numbers below FEW, answers are in arrays. */
enum { FEW = 256 };

struct condition_pairs {
    /* by question and the first set, then by the second set: 1: no, 2: yes, 0: no answer yet; NULL
       until needed */
    uint8_t *few[QUESTIONS][FEW];
    uint32_t *of;       /* by instruction: 1 + the number of its set; 0: not known yet */
    uint32_t *of_block; /* by block, likewise */
    struct intern numbers;
    struct VEC(const struct condition_set *) sets; /* by number */
    struct intern questions;
    struct VEC(bool) answers; /* by number in questions */
};

void condition_pairs_build(struct subject *subject)
{
    struct condition_pairs *pairs = arena_alloc(subject->arena, 1, sizeof *pairs);
    pairs->of = arena_alloc(subject->arena, subject->function->count, sizeof *pairs->of);
    pairs->of_block = arena_alloc(subject->arena, subject->cfg->count, sizeof *pairs->of_block);
    subject->condition_pairs = pairs;
}

void condition_pairs_free(struct condition_pairs *pairs)
{
    intern_free(&pairs->numbers);
    vec_free(&pairs->sets);
    intern_free(&pairs->questions);
    vec_free(&pairs->answers);
}

static uint32_t number_of_set(const struct subject *subject, const struct condition_set *set)
{
    struct condition_pairs *pairs = subject->condition_pairs;
    struct str bytes = {(const char *)set->at, set->count * sizeof *set->at};
    uint32_t number = intern_find(&pairs->numbers, set->lost, bytes);
    if (number != INTERN_NONE) return number;
    struct condition_set *kept = arena_room(subject->arena, 1, sizeof *kept);
    *kept = *set;
    bytes.p = (const char *)kept->at;
    vec_push(&pairs->sets, kept);
    return intern_add(&pairs->numbers, set->lost, bytes);
}

static uint32_t number_of_block(const struct subject *subject, uint32_t block)
{
    uint32_t *of = &subject->condition_pairs->of_block[block];
    if (!*of) *of = number_of_set(subject, conditions_at(subject, block)) + 1;
    return *of - 1;
}

static void number_conditions(const struct subject *subject, uint32_t instr)
{
    uint32_t *of = &subject->condition_pairs->of[instr];
    if (conditions_are_of_block(subject, instr)) {
        *of = number_of_block(subject, subject->cfg->block_of[instr]) + 1;
    } else {
        struct condition_set set = conditions_of(subject, instr);
        *of = number_of_set(subject, &set) + 1;
    }
}

static inline uint32_t number_of_conditions(const struct subject *subject, uint32_t instr)
{
    const uint32_t *of = &subject->condition_pairs->of[instr];
    if (!*of) number_conditions(subject, instr);
    return *of - 1;
}

const struct condition_set *condition_pairs_set(const struct subject *subject, uint32_t instr)
{
    uint32_t number = number_of_conditions(subject, instr);
    return subject->condition_pairs->sets.at[number];
}

uint32_t condition_pairs_number(const struct subject *subject, uint32_t instr)
{
    return number_of_conditions(subject, instr);
}

/* For each thread that satisfies a, another one satisfies b. */
static bool another_satisfies(const struct subject *subject, const struct condition_set *a,
                              const struct condition_set *b)
{
    if (conditions_other_thread(subject, a, b)) return true;
    return conditions_one_lane(subject, a) && !conditions_one_lane(subject, b) &&
           !conditions_exclude(subject, a, b);
}

static bool answer(const struct subject *subject, const struct question_of *asked)
{
    const struct condition_pairs *pairs = subject->condition_pairs;
    const struct condition_set *a = pairs->sets.at[asked->a], *b = pairs->sets.at[asked->b];
    switch ((enum question)asked->question) {
    case ASKED_EXCLUDE: return conditions_exclude(subject, a, b);
    case ASKED_OTHER_WARP: return conditions_other_warp(subject, a, b);
    case ASKED_ONE_LANE: return conditions_one_lane(subject, a);
    case ASKED_ANOTHER: return another_satisfies(subject, a, b);
    case ASKED_SAME_THREAD:
        return !another_satisfies(subject, a, b) && !another_satisfies(subject, b, a);
    case QUESTIONS: break;
    }
    return false;
}

static bool ask_of_many(const struct subject *subject, const struct question_of *asked)
{
    struct condition_pairs *pairs = subject->condition_pairs;
    struct str bytes = {(const char *)asked, sizeof *asked};
    uint32_t number = intern_find(&pairs->questions, 0, bytes);
    if (number != INTERN_NONE) return pairs->answers.at[number];
    bool answered = answer(subject, asked);
    bytes.p = arena_copy(subject->arena, bytes.p, bytes.n);
    (void)intern_add(&pairs->questions, 0, bytes);
    vec_push(&pairs->answers, answered);
    return answered;
}

/* a, b: numbers of sets. */
static bool ask_once(const struct subject *subject, enum question question, uint32_t a, uint32_t b)
{
    struct condition_pairs *pairs = subject->condition_pairs;
    struct question_of asked = {question, a, b};
    if (a >= FEW || b >= FEW) return ask_of_many(subject, &asked);
    uint8_t **row = &pairs->few[question][a];
    if (!*row) *row = arena_alloc(subject->arena, FEW, sizeof **row);
    bool answered = answer(subject, &asked);
    (*row)[b] = answered ? 2 : 1;
    return answered;
}

/* As ask_once, and fast if the answer about few sets is known: this is the question that lint asks
 * most often. */
static inline bool ask_of_sets(const struct subject *subject, enum question question, uint32_t a,
                               uint32_t b)
{
    const struct condition_pairs *pairs = subject->condition_pairs;
    subject_spend(subject, 1);
    const uint8_t *row = a < FEW && b < FEW ? pairs->few[question][a] : NULL;
    uint8_t kept = row ? row[b] : 0;
    return kept ? kept == 2 : ask_once(subject, question, a, b);
}

static inline bool ask(const struct subject *subject, enum question question, uint32_t a,
                       uint32_t b)
{
    return ask_of_sets(subject, question, number_of_conditions(subject, a),
                       number_of_conditions(subject, b));
}

bool condition_pairs_exclude(const struct subject *subject, uint32_t a, uint32_t b)
{
    return ask(subject, ASKED_EXCLUDE, a, b);
}

bool condition_pairs_exclude_block(const struct subject *subject, uint32_t instr, uint32_t block)
{
    return ask_of_sets(subject, ASKED_EXCLUDE, number_of_conditions(subject, instr),
                       number_of_block(subject, block));
}

bool condition_pairs_other_warp(const struct subject *subject, uint32_t a, uint32_t b)
{
    return ask(subject, ASKED_OTHER_WARP, a, b);
}

bool condition_pairs_one_lane(const struct subject *subject, uint32_t instr)
{
    return ask(subject, ASKED_ONE_LANE, instr, instr);
}

bool condition_pairs_another_thread(const struct subject *subject, uint32_t a, uint32_t b)
{
    return ask(subject, ASKED_ANOTHER, a, b);
}

bool condition_pairs_same_thread(const struct subject *subject, uint32_t a, uint32_t b)
{
    return ask(subject, ASKED_SAME_THREAD, a, b);
}
