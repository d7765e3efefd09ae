/* Knows the names of targets. See target.h. */
#include "ptx/target.h"

/* sm_101 has been called sm_110 since ISA 9.0. */
static const char *const architectures[] = {
    "sm_10",   "sm_11",  "sm_12",   "sm_13",   "sm_20",  "sm_30",   "sm_32",   "sm_35",  "sm_37",
    "sm_50",   "sm_52",  "sm_53",   "sm_60",   "sm_61",  "sm_62",   "sm_70",   "sm_72",  "sm_75",
    "sm_80",   "sm_86",  "sm_87",   "sm_88",   "sm_89",  "sm_90",   "sm_90a",  "sm_100", "sm_100a",
    "sm_100f", "sm_101", "sm_101a", "sm_101f", "sm_103", "sm_103a", "sm_103f", "sm_110", "sm_110a",
    "sm_110f", "sm_120", "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f",
};

static const char *const features[] = {
    "debug",
    "map_f64_to_f32",
    "texmode_independent",
    "texmode_unified",
};

static bool is_one_of(struct str name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_is(name, words[i])) return true;
    return false;
}

bool target_is_known(struct str name)
{
    return is_one_of(name, architectures, sizeof architectures / sizeof *architectures) ||
           is_one_of(name, features, sizeof features / sizeof *features);
}
