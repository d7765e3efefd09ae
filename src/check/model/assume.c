/* The assumptions, their defaults, and what a version of the ISA grants. See assume.h. */
#include "check/model/assume.h"

#include <stddef.h>

struct assumption {
    uint32_t bit;
    const char *name;
    bool by_default;
};

static const struct assumption assumptions[] = {
    {CHECK_COMMIT_FENCES, "commit-fences", true},
    {CHECK_SCALES_FOLLOW_CP, "scales-follow-cp", true},
    {CHECK_REGISTER_DEPENDENCY, "register-dependency", true},
    {CHECK_READS_COMMUTE, "reads-commute", true},
    {CHECK_SYNC_IS_NO_BARRIER, "sync-is-no-barrier", true},
    {CHECK_EXIT_SILENT, "exit-silent", false},
    {CHECK_WAIT_PUBLISHES, "wait-publishes", false},
    {CHECK_NOT_CUMULATIVE, "not-cumulative", false},
    {CHECK_ISA_9_4_PAIRS, "isa-9.4-pairs", false},
    {CHECK_PTXAS_FOLLOWS_ISA, "ptxas-follows-isa", false},
};

enum { ASSUMPTIONS = sizeof assumptions / sizeof *assumptions };

/* For each version, what it grants beyond the previous one. */
static const struct {
    uint32_t major, minor, bit;
} versions[] = {{9, 4, CHECK_ISA_9_4_PAIRS}};

uint32_t check_assume_bit(struct str name)
{
    for (int i = 0; i < ASSUMPTIONS; i++)
        if (str_is(name, assumptions[i].name)) return assumptions[i].bit;
    return 0;
}

const char *check_assume_name(uint32_t bit)
{
    for (int i = 0; i < ASSUMPTIONS; i++)
        if (bit == assumptions[i].bit) return assumptions[i].name;
    return "";
}

bool check_assume_knows(uint32_t isa_major, uint32_t isa_minor)
{
    return isa_major < CHECK_NEWEST_MAJOR ||
           (isa_major == CHECK_NEWEST_MAJOR && isa_minor <= CHECK_NEWEST_MINOR);
}

uint32_t check_assume_default(uint32_t isa_major, uint32_t isa_minor)
{
    uint32_t bits = 0;
    for (int i = 0; i < ASSUMPTIONS; i++)
        if (assumptions[i].by_default) bits |= assumptions[i].bit;
    if (!check_assume_knows(isa_major, isa_minor)) return bits;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (isa_major > versions[i].major ||
            (isa_major == versions[i].major && isa_minor >= versions[i].minor))
            bits |= versions[i].bit;
    return bits;
}
