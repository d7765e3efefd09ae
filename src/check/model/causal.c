/* Looks up what an opcode receives and publishes with causality. A form that is not in the table
 * counts as possibly relaxed. See causal.h. */
#include "check/model/causal.h"

#include "check/model/word.h"

enum how { RELAXED, CAUSALLY, NOTHING };

/* How the forms receive and publish that begin with prefix, have one word, and lack the other (""
 * matches any). */
struct causal_form {
    char head[15], prefix[26], with[10], without[9];
    uint8_t receives, publishes; /* enum how */
};

static const struct causal_form forms[] = {
    {"atom", "", ".acquire", "", CAUSALLY, RELAXED},
    {"atom", "", ".release", "", RELAXED, CAUSALLY},
    {"atom", "", ".acq_rel", "", CAUSALLY, CAUSALLY},
    {"bar", "", "", "", CAUSALLY, CAUSALLY},
    {"barrier", ".cluster.arrive.", "", ".relaxed", RELAXED, CAUSALLY},
    {"barrier", ".cluster.wait.", "", "", CAUSALLY, RELAXED},
    {"barrier", ".arrive.", "", "", RELAXED, CAUSALLY},
    {"barrier", ".sync.", "", "", CAUSALLY, CAUSALLY},
    {"barrier", ".red.", "", "", CAUSALLY, CAUSALLY},
    {"barrier", ".cta.", "", "", CAUSALLY, CAUSALLY},
    {"brkpt", "", "", "", NOTHING, NOTHING},
    {"cp", ".async.wait_group.", "", "", NOTHING, NOTHING},
    {"cp", ".async.wait_all.", "", "", NOTHING, NOTHING},
    {"cp", ".async.bulk.wait_group.", "", "", NOTHING, NOTHING},
    {"cp", ".async.commit_group.", "", "", NOTHING, NOTHING},
    {"cp", ".async.bulk.commit_group.", "", "", NOTHING, NOTHING},
    {"elect", "", ".sync", "", NOTHING, NOTHING},
    {"fence", "", "", "", NOTHING, NOTHING},
    {"griddepcontrol", ".wait.", "", "", CAUSALLY, RELAXED},
    {"griddepcontrol", ".launch_dependents.", "", "", NOTHING, RELAXED},
    {"ld", "", ".acquire", "", CAUSALLY, RELAXED},
    {"mbarrier", ".arrive.", "", ".relaxed", RELAXED, CAUSALLY},
    {"mbarrier", ".arrive_drop.", "", ".relaxed", RELAXED, CAUSALLY},
    {"mbarrier", ".test_wait.", "", ".relaxed", CAUSALLY, RELAXED},
    {"mbarrier", ".try_wait.", "", ".relaxed", CAUSALLY, RELAXED},
    {"mbarrier", ".complete_tx.", "", "", NOTHING, RELAXED},
    {"mbarrier", ".init.", "", "", NOTHING, NOTHING},
    {"mbarrier", ".inval.", "", "", NOTHING, NOTHING},
    {"mbarrier", ".expect_tx.", "", "", NOTHING, NOTHING},
    {"membar", "", "", "", NOTHING, NOTHING},
    {"nanosleep", "", "", "", NOTHING, NOTHING},
    {"pmevent", "", "", "", NOTHING, NOTHING},
    {"red", "", ".release", ".async", NOTHING, CAUSALLY},
    {"setmaxnreg", "", "", "", NOTHING, NOTHING},
    {"st", "", ".release", ".async", NOTHING, CAUSALLY},
};

static bool causal_form_fits(const struct causal_form *form, struct str head, struct str modifiers)
{
    return *head.p == *form->head && str_is(head, form->head) &&
           (!*form->prefix || word_begins(modifiers, form->prefix)) &&
           (!*form->with || word_has(modifiers, form->with)) &&
           (!*form->without || !word_has(modifiers, form->without));
}

static struct causal_form causal_form_of(struct str head, struct str modifiers)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (causal_form_fits(&forms[i], head, modifiers)) return forms[i];
    return (struct causal_form){.receives = RELAXED, .publishes = RELAXED};
}

uint16_t causal_words(struct str head, struct str modifiers, unsigned effect)
{
    bool both = effect == CHECK_EFFECT_BOTH_BARRIER || effect == CHECK_EFFECT_BOTH_MEMORY ||
                effect == CHECK_EFFECT_MEET;
    bool receives =
        both || effect == CHECK_EFFECT_ACQUIRE_BARRIER || effect == CHECK_EFFECT_ACQUIRE_MEMORY;
    bool publishes =
        both || effect == CHECK_EFFECT_RELEASE_BARRIER || effect == CHECK_EFFECT_RELEASE_MEMORY;
    if (!receives && !publishes) return 0;
    struct causal_form form = causal_form_of(head, modifiers);
    receives &= form.receives != NOTHING;
    bool relaxed = receives && form.receives == RELAXED;
    publishes &= form.publishes == RELAXED;
    return (uint16_t)((receives ? CHECK_EFFECT_RECEIVES : 0) |
                      (relaxed ? CHECK_EFFECT_RECEIVES_RELAXED : 0) |
                      (publishes ? CHECK_EFFECT_PUBLISHES_RELAXED : 0));
}
