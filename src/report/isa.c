/* Links to sections of the PTX ISA. The web page has anchors that stay the same when sections are
 * renumbered. The table has the anchors of the sections that rules and assumptions cite. */
#include "report/isa.h"

#include <string.h>

#define DOCUMENT "https://docs.nvidia.com/cuda/parallel-thread-execution/"
#define MODEL DOCUMENT "#tcgen05-memory-consistency-model-"
#define PATTERNS MODEL "canonical-sync-patterns"

static const struct {
    const char *section, *link;
} LINKS[] = {
    {"9.7.16.6.1", MODEL "async-operations"},
    {"9.7.16.6.2", MODEL "pipelined-instructions"},
    {"9.7.16.6.2.1", MODEL "pipelined-instructions-implicit"},
    {"9.7.16.6.2.1.1", MODEL "mbarrier-completion"},
    {"9.7.16.6.2.1.2", MODEL "wait-completion"},
    {"9.7.16.6.3", MODEL "inter-thread-sync"},
    {"9.7.16.6.4", PATTERNS},
    {"9.7.16.6.4.1", PATTERNS "-pipelined-same-thread"},
    {"9.7.16.6.4.2", PATTERNS "-non-pipelined-same-thread"},
    {"9.7.16.6.4.3", PATTERNS "-pipelined-diff-thread"},
    {"9.7.16.6.4.4", PATTERNS "-non-pipelined-diff-thread"},
    {"9.7.16.6.4.5", PATTERNS "-reg-dependency-same-thread"},
    {"9.7.16.6.5", MODEL "smem-access"},
    {"9.7.16.8.5", DOCUMENT "#tcgen05-instructions-tcgen05-wait"},
    {"9.7.16.12.1", DOCUMENT "#tcgen-async-sync-operations-commit"},
};

const char *isa_link(const char *section)
{
    for (unsigned i = 0; i < sizeof LINKS / sizeof *LINKS; i++)
        if (strcmp(LINKS[i].section, section) == 0) return LINKS[i].link;
    return DOCUMENT;
}
