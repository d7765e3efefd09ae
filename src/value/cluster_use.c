/* Looks for opcodes and directives that concern other CTAs of a cluster. See cluster_use.h. */
#include "value/cluster_use.h"

#include <string.h>

#include "value/spelled.h"

static bool mentions(struct str text, const char *part)
{
    return text.n && memmem(text.p, text.n, part, strlen(part));
}

/* fence.mbarrier_init.release.cluster, a commit to the own CTA and a copy from global memory say
 * cluster also where there is none. */
static bool is_for_cluster(const struct spelled *spelled)
{
    struct str opcode = spelled->opcode, base = spelled->base;
    if (str_is(base, "mapa") || str_is(base, "getctarank") || str_is(base, "clusterlaunchcontrol"))
        return true;
    if (mentions(opcode, ".multicast::cluster") || mentions(opcode, ".cta_group::2")) return true;
    if (str_is(base, "fence") || str_is(base, "tcgen05")) return false;
    if (str_is(base, "cp") && mentions(opcode, ".shared::cluster.global")) return false;
    return mentions(opcode, "cluster");
}

bool cluster_is_used(const struct subject *subject)
{
    struct str head = source_slice(subject->view->source, subject->function->span);
    const char *body = head.n ? memchr(head.p, '{', head.n) : NULL;
    if (!body) return true;
    head.n = (size_t)(body - head.p);
    if (mentions(head, "cluster")) return true;
    subject_spend(subject, subject->function->spelling_count);
    for (uint32_t s = 0; s < subject->function->spelling_count; s++)
        if (subject->spelled[s] && is_for_cluster(subject->spelled[s])) return true;
    return false;
}
