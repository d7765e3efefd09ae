/* The code remote-form: an address from mapa is used in a form for the own CTA only; or a signal to
 * or from another CTA has a release or acquire for the own CTA only. */
#include "lint/cluster_rank.h"
#include "lint/handover.h"
#include "lint/pair_operands.h"
#include "lint/remote_scope.h"
#include "value/instruction.h"

struct search {
    struct lint *lint;
    const struct peers *peers;
};

/* ---- the form of an address ---- */

static bool names_own(const struct lint *lint, uint32_t instr)
{
    return instruction_has(lint->subject, instr, ".shared") ||
           instruction_has(lint->subject, instr, ".shared::cta");
}

/* A wait, init or inval is always for an mbarrier of the own CTA, and so is an arrive that returns
 * the phase. */
static bool is_own_mbarrier(const struct lint *lint, uint32_t instr)
{
    static const char *const always[] = {".init", ".inval", ".test_wait", ".try_wait"};
    struct str state = instruction_operand(lint->subject, instr, 0);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (instruction_has(lint->subject, instr, always[i])) return true;
    return names_own(lint, instr) || (state.n && state.p[0] != '[' && !str_is(state, "_"));
}

/* In a bulk copy it depends on the operand: the state spaces are written as destination.source, and
 * the mbarrier comes last. */
static bool is_own_copy(const struct lint *lint, uint32_t instr, uint32_t operand)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    bool to_cta = memmem(opcode.p, opcode.n, ".shared::cta.global", 19);
    bool from_cta = memmem(opcode.p, opcode.n, ".global.shared::cta", 19) ||
                    memmem(opcode.p, opcode.n, ".shared::cluster.shared::cta", 28);
    return to_cta ? operand != 1 : from_cta && operand == 1;
}

/* The form of the instruction requires this operand to be an address in the own CTA. */
static bool is_own_form(const struct lint *lint, uint32_t instr, uint32_t operand)
{
    static const char *const plain[] = {"ld", "st", "atom", "red", "cp", "tcgen05", NULL};
    struct str base = instruction_base(lint->subject, instr);
    struct str opcode = instruction_opcode(lint->subject, instr);
    if (str_is(base, "mbarrier")) return is_own_mbarrier(lint, instr);
    if (str_is(base, "ldmatrix") || str_is(base, "stmatrix")) return true;
    if (str_starts(opcode, "cp.async.bulk") || str_starts(opcode, "cp.reduce.async.bulk"))
        return is_own_copy(lint, instr, operand);
    for (uint32_t i = 0; plain[i]; i++)
        if (str_is(base, plain[i])) return names_own(lint, instr);
    return false;
}

static void remote_form_report(const struct search *s, uint32_t at, const char *says,
                               const char *fix)
{
    lint_report(s->lint, (struct hazard){.code = &lint_remote_form,
                                         .level = LINT_WARNING,
                                         .at = at,
                                         .witness = NO_INSTR,
                                         .says = says,
                                         .fix = fix});
}

#define OTHER_CTA_FORM                                                                             \
    "use the .shared::cluster form; for an mbarrier.arrive also .release.cluster, and \"_\" in "   \
    "place of the state"

static void check_form(const struct search *s, uint32_t instr)
{
    const struct lint *lint = s->lint;
    for (uint32_t n = 0; n < lint->function->instrs[instr].operand_count; n++) {
        if (!is_own_form(lint, instr, n)) continue;
        if (peer_side_of(lint, instr, n) != PEER_OTHER) continue;
        bool waits = instruction_has(lint->subject, instr, ".try_wait") ||
                     instruction_has(lint->subject, instr, ".test_wait");
        remote_form_report(
            s, instr,
            waits ? "this waits on an mbarrier of another CTA[: a thread can only wait on one of "
                    "its own CTA]"
                  : "this form is for the own CTA, but mapa made the address for another CTA",
            waits ? "wait on the mbarrier of the own CTA, and let the other CTA arrive there"
                  : OTHER_CTA_FORM);
        return;
    }
}

/* An address without some of its bits for the rank: those that are 0 in the leader of a CTA pair.
 */
static uint32_t cleared_ranks(const struct lint *lint, struct value address)
{
    enum { RANK_SHIFT = 24, RANKS = 0xff, PLACE = 0xfff0 };
    const struct expr *e = value_expr(lint->subject, address);
    if (e->kind != EXPR_OP || e->spelling != SPELLING_AND || e->a[1].base) return 0;
    if ((e->a[1].offset & PLACE) != PLACE) return 0;
    return (uint32_t)(~e->a[1].offset >> RANK_SHIFT) & RANKS;
}

/* Reports an arrive for the own CTA that a CTA executes with the address of the leader of its
 * pair. */
static void check_leader_form(const struct search *s, const struct lanes_shape *shape,
                              const struct barrier_use *use)
{
    const struct lint *lint = s->lint;
    bool arrives = use->kind == BARRIER_ARRIVE || use->kind == BARRIER_ARRIVE_EXPECT ||
                   use->kind == BARRIER_EXPECT;
    if (!arrives || value_is_none(use->address) || !use->address.base) return;
    uint32_t cleared = cleared_ranks(lint, use->address);
    if (!cleared || !is_own_mbarrier(lint, use->instr)) return;
    for (uint32_t rank = 0; rank < shape->ctas; rank++)
        if (rank & cleared && cluster_rank_runs(lint, shape, use->instr, rank) == TRUTH_YES) {
            remote_form_report(s, use->instr,
                               "this form is for the own CTA, but the address is in the leader of "
                               "the CTA pair[: a CTA with another rank executes it]",
                               OTHER_CTA_FORM);
            return;
        }
}

/* Reports data that are written to one CTA while the mbarrier that counts them is in another
 * CTA. */
static void check_pair(const struct search *s, uint32_t instr)
{
    const struct lint *lint = s->lint;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    uint32_t last = instruction_last_address(lint->subject, instr);
    if (!use || (use->kind != BARRIER_COPY && use->kind != BARRIER_ASYNC_ARRIVE)) return;
    if (instruction_has(lint->subject, instr, ".multicast::cluster") ||
        instruction_has(lint->subject, instr, ".cta_group::2") ||
        instruction_has(lint->subject, instr, ".noinc") || !last)
        return;
    enum peer_side data = peer_side_of(lint, instr, 0);
    enum peer_side barrier = peer_side_of(lint, instr, last);
    if (data == PEER_UNKNOWN || barrier == PEER_UNKNOWN || data == barrier) return;
    remote_form_report(s, instr,
                       data == PEER_OTHER
                           ? "the data go to another CTA, but the mbarrier that counts them is "
                             "in the own CTA"
                           : "the data go to the own CTA, but the mbarrier that counts them is "
                             "in another CTA",
                       "map both by mapa to the CTA that waits for the data");
}

static void remote_form_find(struct lint *lint)
{
    struct search s = {.lint = lint, .peers = peers_find(lint)};
    const struct barriers *barriers = lint->subject->barriers;
    struct lanes_shape shape = lint->handovers->shape;
    pair_operands_find(lint, s.peers, &lint_remote_form);
    if (shape.ctas > 1 && shape.ctas <= CLUSTER_CTAS_MAX)
        for (uint32_t i = 0; i < barriers->count; i++)
            check_leader_form(&s, &shape, &barriers->uses[i]);
    if (!lint->subject->maps) return;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (!conditions_reach(lint->subject, lint->cfg->block_of[i])) continue;
        check_form(&s, i);
        check_pair(&s, i);
    }
    remote_scope_find(lint, s.peers, &lint_remote_form);
}

const struct lint_code lint_remote_form = {
    .id = "remote-form",
    .section = "9.7.13.15",
    .summary =
        "access, arrive or wait that involves another CTA, in a form or scope for the own CTA only",
    .sentence = "threads can perform only arrive operations but not *_wait on an mbarrier located "
                "in shared::cluster space.",
    .risk = "the access reaches the wrong CTA or faults, or the other CTA reads old "
            "data",
    .explanation =
        "Broken:  mapa.shared::cluster %r, [mbar], 0; mbarrier.arrive.shared::cta _, [%r]\n"
        "Right:   mapa…; mbarrier.arrive.release.cluster.shared::cluster _, [%r]\n"
        "Broken:  st.shared::cluster [peer]; mbarrier.arrive.shared::cluster _, [%r]\n"
        "Right:   st.shared::cluster [peer]; mbarrier.arrive.release.cluster.shared::cluster\n"
        "Broken:  mbarrier.try_wait [mbar]; ld.shared of what another CTA stored\n"
        "Right:   mbarrier.try_wait.acquire.cluster [mbar]; ld.shared\n"
        "\n"
        "mapa computes an address in another CTA; and 0xfeffffff, one in the leader of a CTA pair. "
        "Lint reports it in a form for the own CTA: .shared and .shared::cta; a wait, "
        "an init or an inval of an mbarrier; an mbarrier.arrive that returns the phase. It also "
        "reports an asynchronous store or copy that writes to one CTA and signals in another.\n"
        "Without a scope, or with .cta, an arrive or a wait orders memory within the own CTA "
        "only, and with .relaxed none. Lint reports three uses: an arrive at the "
        "mbarrier of another CTA, if the thread has stored to that CTA before, or to its own "
        "shared memory and the other CTA loads it or issues an mma of the CTA pair that reads it; "
        "barrier.cluster.arrive.relaxed, if another CTA loads what the thread has stored; a wait "
        "for the arrive of another CTA, if a later load reads what that CTA stored before it.\n"
        "In a cluster of known size, lint also reports an arrival that reaches the "
        "mbarrier of one CTA only, such as a tcgen05.commit without .multicast::cluster, if "
        "another CTA waits for its own mbarrier and nothing arrives there.\n"
        "An mma with .cta_group::2 reads the shared memory of both CTAs. If each CTA copies its "
        "operands with its own mbarrier, lint reports the mma unless its issuer may learn "
        "that the copy in the other CTA is complete.\n"
        "\n"
        "Not reported: an arrive that only releases what was read; one with "
        ".release.cta, if only an mma of the CTA pair reads what was stored; a wait for "
        "asynchronous copies; a fence.acq_rel.cluster in between; addresses for what may be "
        "the own rank, or from memory or parameters.",
    .find = remote_form_find,
};
