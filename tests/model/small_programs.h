/* The letters and shapes of which every small program of exhaustive.c is made. */
#ifndef PTXOPT_TESTS_MODEL_SMALL_PROGRAMS_H
#define PTXOPT_TESTS_MODEL_SMALL_PROGRAMS_H

#include "semantics.h"

enum { PARTS_MAX = 4, LETTERS_MAX = 8, BATCH = 2000, STRICTS = 11, STRICT_LETTERS = 5 };

/* What a letter receives from another thread, and that it publishes without causality. */
enum { IN = 1, RELAXED_IN = 2, RELAXED_OUT = 4 };

struct word {
    uint8_t kind, causality;
    bool guarded, rare;
    const char *text; /* %u: a number that no other letter has */
};

/* Rare letters differ from the others only if there is a commit. So a program of many letters has
 * at most one of them, and then a commit. */
static const struct word words[] = {
    {EVENT_LD, 0, false, false, "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%v%u},[%%t];"},
    {EVENT_ST, 0, false, false, "tcgen05.st.sync.aligned.32x32b.x1.b32 [%%t],{%%v%u};"},
    {EVENT_PIPE, 0, false, false, "tcgen05.mma.cta_group::1.kind::f16 [%%t],%%s,%%s,%%i,%%p;"},
    {EVENT_WAIT_LD, 0, false, false, "tcgen05.wait::ld.sync.aligned;"},
    {EVENT_WAIT_ST, 0, false, false, "tcgen05.wait::st.sync.aligned;"},
    {EVENT_BEFORE, 0, false, false, "tcgen05.fence::before_thread_sync;"},
    {EVENT_AFTER, 0, false, false, "tcgen05.fence::after_thread_sync;"},
    {EVENT_RELEASE_BARRIER, 0, false, false, "mbarrier.arrive.b64 _,[%%s];"},
    {EVENT_ACQUIRE_BARRIER, IN, false, false, "mbarrier.try_wait.b64 %%q,[%%s],%%s;"},
    {EVENT_COMMIT, 0, false, false, "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%%s];"},
    {EVENT_ALLOC, 0, false, false, "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %%t,32;"},
    {EVENT_PIPE, 0, true, true, "@%%p tcgen05.mma.cta_group::1.kind::f16 [%%t],%%s,%%s,%%i,%%p;"},
    {EVENT_RELEASE_MEMORY, RELAXED_OUT, false, true, "red.relaxed.gpu.global.add.u32 [%%s],1;"},
    {EVENT_ACQUIRE_MEMORY, RELAXED_IN, false, true, "ld.relaxed.gpu.global.u32 %%v%u,[%%s];"},
    {EVENT_BOTH_BARRIER, IN, false, true, "bar.sync 0;"},
    {EVENT_BOTH_MEMORY, RELAXED_IN | RELAXED_OUT, false, true,
     "atom.relaxed.gpu.global.add.u32 %%v%u,[%%s],1;"},
};

enum { WORDS = sizeof words / sizeof *words, ALL_RARE = 2 };

/* The text between the parts; a part is a block of the graph, and the last one ends the kernel. */
struct shape {
    const char *name;
    uint32_t parts, part_max, total_max,
        nightly_max;               /* parts, letters in a part, letters in total */
    const char *before[PARTS_MAX]; /* the text before each part */
    bool branches[PARTS_MAX];      /* that text has an instruction, not only a label */
    uint32_t succs[PARTS_MAX][2], succ_count[PARTS_MAX];
};

static const struct shape shapes[] = {
    {"straight lines", 1, 6, 5, 6, {""}, {false}, {{0}}, {0}},
    {"an if without else",
     3,
     2,
     4,
     6,
     {"", "@%p bra J;", "J:"},
     {false, true, false},
     {{1, 2}, {2}},
     {2, 1}},
    {"a diamond",
     4,
     2,
     3,
     4,
     {"", "@%p bra E;", "bra J;E:", "J:"},
     {false, true, true, false},
     {{1, 2}, {3}, {3}},
     {2, 1, 1}},
    {"a loop of one block",
     3,
     2,
     4,
     6,
     {"", "L:", "@%p bra L;"},
     {false, false, true},
     {{1}, {1, 2}},
     {1, 2}},
    {"a loop that is left in its middle",
     4,
     2,
     3,
     4,
     {"", "L:", "@%p bra X;", "bra L;X:"},
     {false, false, true, true},
     {{1}, {2, 3}, {1}},
     {1, 2, 1}},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

struct program {
    uint8_t word[LETTERS_MAX];
    uint32_t count[PARTS_MAX]; /* letters of each part */
    uint32_t total;
    bool deleted[LETTERS_MAX];
};

#endif
