/* The steps of proving one function. See proof.h. */
#include "check/prove/proof.h"

#include "check/model/assume.h"
#include "check/model/body.h"
#include "check/model/proxy.h"
#include "check/prove/report.h"

/* not-cumulative is about another thread's operations. What is received may be the thread's own,
 * when it commits, calls or is called. */
static bool own_may_return(const struct program *program)
{
    bool found = !program->is_entry;
    for (uint32_t i = 0; i < program->instructions.count; i++)
        found |= program->instructions.at[i].effect == CHECK_EFFECT_COMMIT ||
                 program->instructions.at[i].effect == CHECK_EFFECT_CALL;
    return found;
}

bool proof_prepare(struct proof *proof, const struct source *source, struct arena *arena,
                   const struct outline *outline, uint32_t index, uint32_t assume,
                   const struct transfer_tables *tables, struct check_function *out)
{
    *proof = (struct proof){.source = source, .arena = arena, .assume = assume};
    body_read(&proof->program, arena, source->text, outline, index, assume);
    if (proof->program.strange) {
        report_strange(proof, out);
        return false;
    }
    if (assume & CHECK_NOT_CUMULATIVE && own_may_return(&proof->program)) {
        proof->assume = assume &= ~(uint32_t)CHECK_NOT_CUMULATIVE;
        tables = proof->own_tables = transfer_tables(assume);
    }
    struct lower_fault fault = lower_join(&proof->program, assume);
    if (fault.why) {
        report_deletion(proof, fault.instruction, fault.why, out);
        return false;
    }
    lower_build(&proof->lower, &proof->program, assume, tables);
    meant_prepare(&proof->meant, &proof->program);
    bool fits = hazard_prepare(&proof->hazard, &proof->program, assume);
    if (!fits) report_undecided(proof, "too many registers and blocks", out);
    return fits;
}

/* What needs no facts: meant waits and proxy fences. */
static void search_deletions(struct proof *proof, struct check_function *out)
{
    uint32_t wait = PROGRAM_NONE, fence = proxy_uncovered(&proof->program);
    if (!meant_solve(&proof->meant, &proof->program, &wait))
        report_deletion(proof, wait,
                        "nothing that it waits for is in flight, and something else is, which "
                        "it may be meant for",
                        out);
    else if (fence != PROGRAM_NONE)
        report_deletion(proof, fence,
                        "no equal or wider one precedes it with only register work and no label "
                        "between",
                        out);
}

void proof_search(struct proof *proof, bool keep, struct check_function *out)
{
    struct monitor_fault facts;
    struct hazard_fault hazard;
    if (!monitor_check(&proof->lower.graph, keep ? &proof->sets : NULL, &facts)) {
        if (facts.too_big)
            report_undecided(proof, "too many kinds of mma", out);
        else
            report_facts(proof, &facts, out);
        vec_free(&facts.path);
    } else if (!hazard_solve(&proof->hazard, &proof->program, &hazard)) {
        report_hazard(proof, &hazard, out);
        vec_free(&hazard.path);
    } else {
        out->verdict = CHECK_PROVEN;
        out->message = "";
        search_deletions(proof, out);
    }
}

void proof_test(struct proof *proof, struct check_function *out)
{
    bool holds = monitor_complete(&proof->lower.graph, &proof->sets);
    for (uint32_t i = 0; holds && i < proof->sets.count; i++)
        holds = monitor_holds(&proof->lower.graph, &proof->sets.at[i]);
    holds = holds && hazard_holds(&proof->hazard, &proof->program) &&
            meant_holds(&proof->meant, &proof->program) &&
            proxy_uncovered(&proof->program) == PROGRAM_NONE;
    out->verdict = holds ? CHECK_PROVEN : CHECK_REFUSED;
    out->message = holds ? "" : "the certificate does not prove this function";
}

void proof_free(struct proof *proof)
{
    monitor_proofs_free(&proof->sets);
    hazard_free(&proof->hazard);
    meant_free(&proof->meant);
    lower_free(&proof->lower);
    program_free(&proof->program);
    mem_free(proof->own_tables);
}
