/* The steps of proving one function. See proof.h. */
#include "check/proof.h"

/* not-cumulative is about another thread's operations. What is received may be the thread's own, when
 * it commits, calls or is called. */
static bool own_may_return(const struct program *program)
{
    bool found = !program->is_entry;
    for (uint32_t i = 0; i < program->instructions.count; i++)
        found |= program->instructions.at[i].effect == EFFECT_COMMIT ||
                 program->instructions.at[i].effect == EFFECT_CALL;
    return found;
}

bool proof_prepare(struct proof *proof, const struct source *source, struct arena *arena,
                   const struct outline *outline, uint32_t index, uint32_t assume,
                   const struct step_tables *tables, struct check_function *out)
{
    *proof = (struct proof){.source = source, .arena = arena, .assume = assume};
    bool all_reads = !(assume & CHECK_REGISTER_DEPENDENCY);
    program_read(&proof->program, arena, source->text, outline, index, all_reads);
    if (proof->program.strange) {
        report_strange(proof, out);
        return false;
    }
    if (assume & CHECK_NOT_CUMULATIVE && own_may_return(&proof->program)) {
        proof->assume = assume &= ~(uint32_t)CHECK_NOT_CUMULATIVE;
        tables = proof->own_tables = monitor_tables(assume);
    }
    struct lower_fault fault = lower_join(&proof->program, assume);
    if (fault.why) {
        report_deletion(proof, fault.instruction, fault.why, out);
        return false;
    }
    lower_build(&proof->lower, &proof->program, tables);
    const char *big = NULL;
    if (!hazard_prepare(&proof->hazard, &proof->program, assume))
        big = "too many registers and blocks";
    if (!proxy_prepare(&proof->proxy, &proof->program)) big = "too many kinds of proxy fence";
    if (big) report_undecided(proof, big, out);
    return !big;
}

void proof_search(struct proof *proof, bool keep, struct check_function *out)
{
    struct monitor_fault facts;
    struct hazard_fault hazard;
    uint32_t fence = PROGRAM_NONE;
    if (!monitor_check(&proof->lower.graph, keep ? &proof->sets : NULL, &facts)) {
        if (facts.too_big) report_undecided(proof, "too many kinds of mma", out);
        else report_facts(proof, &facts, out);
        vec_free(&facts.path);
    } else if (!hazard_solve(&proof->hazard, &proof->program, &hazard)) {
        report_hazard(proof, &hazard, out);
        vec_free(&hazard.path);
    } else if (!proxy_solve(&proof->proxy, &proof->program, &fence)) {
        report_deletion(proof, fence,
                        "no equal or wider one precedes it on every path with only register "
                        "work between",
                        out);
    } else {
        out->verdict = CHECK_PROVEN;
        out->message = "";
    }
}

void proof_test(struct proof *proof, struct check_function *out)
{
    bool holds = monitor_complete(&proof->lower.graph, &proof->sets);
    for (uint32_t i = 0; holds && i < proof->sets.count; i++)
        holds = monitor_holds(&proof->lower.graph, &proof->sets.at[i]);
    holds = holds && hazard_holds(&proof->hazard, &proof->program) &&
            proxy_holds(&proof->proxy, &proof->program);
    out->verdict = holds ? CHECK_PROVEN : CHECK_REFUSED;
    out->message = holds ? "" : "the certificate does not prove this function";
}

void proof_free(struct proof *proof)
{
    monitor_proofs_free(&proof->sets);
    hazard_free(&proof->hazard);
    proxy_free(&proof->proxy);
    lower_free(&proof->lower);
    program_free(&proof->program);
    mem_free(proof->own_tables);
}
