/* Proves one function: reads it, and searches for, or tests, the sets of all conditions. See
 * proof.h. */
#include "check/prove/proof.h"

#include "check/model/assume.h"
#include "check/model/called.h"
#include "check/model/carried.h"
#include "check/model/split.h"
#include "check/prove/report.h"
#include "check/prove/trace_register.h"

/* not-cumulative is about operations of other threads. What a thread receives may be about its own
 * operations if it commits, calls, or is called. */
static bool own_may_return(const struct program *program)
{
    bool found = !program->is_entry;
    for (uint32_t i = 0; i < program->instructions.count; i++)
        found |= program->instructions.at[i].effect == CHECK_EFFECT_COMMIT ||
                 program->instructions.at[i].effect == CHECK_EFFECT_CALL;
    return found;
}

/* The pairs of ISA 9.4 are about tcgen05.ld.sync.aligned, not about ld.red. An operation of a
 * callee pairs with nothing. */
static bool has_reducing_load(const struct program *program)
{
    bool found = false;
    for (uint32_t i = 0; i < program->instructions.count; i++)
        found |= program->instructions.at[i].effect == CHECK_EFFECT_LD &&
                 program->instructions.at[i].flags & CHECK_EFFECT_TWO_RESULTS;
    return found;
}

uint32_t proof_read(struct proof *proof, struct proof_text *text, struct arena *arena,
                    const struct outline_function *function, uint32_t assume, bool with_values)
{
    *proof = (struct proof){.source = &text->source,
                            .arena = arena,
                            .bodies = &text->bodies,
                            .function = *function,
                            .room = text->bodies.room,
                            .assume = assume};
    uint32_t end = body_read(&proof->program, &text->bodies, function, assume, with_values);
    if (!with_values || !proof->program.strange) return end;
    /* With values more is read, so less may be understood. */
    program_free(&proof->program);
    text->bodies.room = proof->room;
    return body_read(&proof->program, &text->bodies, function, assume, false);
}

/* Reads the function again, in another way, into *again. False if that is not the same
 * instructions. The caller frees *again. */
static bool read_again(struct proof *proof, uint32_t assume, bool with_values,
                       struct program *again)
{
    uint32_t room = proof->bodies->room;
    proof->bodies->room = proof->room;
    body_read(again, proof->bodies, &proof->function, assume, with_values);
    proof->bodies->room = room;
    return !again->strange && again->instructions.count == proof->program.instructions.count;
}

/* Sets proof->carried. If more reads may change it, they are looked for on the paths, and then in
 * the whole function, which is read again. */
static void find_carried(struct proof *proof)
{
    const struct program *program = &proof->program;
    struct program with_reads;
    proof->carried = PROGRAM_NONE;
    if (proof->assume & CHECK_PTXAS_FOLLOWS_ISA) return;
    proof->carried = carried_culprit(program, false);
    if (proof->carried == PROGRAM_NONE || program->all_reads) return;
    proof->carried = carried_culprit(program, true);
    if (proof->carried == PROGRAM_NONE) return;
    if (read_again(proof, program->assume & ~(uint32_t)CHECK_REGISTER_DEPENDENCY, false,
                   &with_reads)) {
        for (uint32_t i = 0; i < program->instructions.count; i++)
            with_reads.instructions.at[i].deleted = program->instructions.at[i].deleted;
        proof->carried = carried_culprit(&with_reads, false);
    }
    program_free(&with_reads);
}

/* Builds the analyses of the current program. Returns false with a verdict in out if they would be
 * too large. */
static bool make_questions(struct proof *proof, struct check_function *out)
{
    lower_build(&proof->lower, &proof->program, proof->assume, proof->tables);
    meant_prepare(&proof->meant, &proof->program);
    proxy_prepare(&proof->proxy, &proof->program);
    held_prepare(&proof->held, &proof->program, proof->assume);
    proof->held.follows_values = proof->follows_values;
    if (!hazard_prepare(&proof->hazard, &proof->program, proof->assume)) {
        report_undecided(proof, "too many registers and blocks", out);
        return false;
    }
    proof->meant_flow = meant_flow(&proof->meant);
    solution_prepare(&proof->meant_sets, &proof->meant_flow);
    proof->proxy_flow = proxy_flow(&proof->proxy);
    solution_prepare(&proof->proxy_sets, &proof->proxy_flow);
    proof->held_flow = held_flow(&proof->held);
    solution_prepare(&proof->held_sets, &proof->held_flow);
    proof->hazard_flow = hazard_flow(&proof->hazard);
    solution_prepare(&proof->hazard_sets, &proof->hazard_flow);
    return true;
}

static void forget_questions(struct proof *proof)
{
    monitor_proofs_free(&proof->facts);
    hazard_free(&proof->hazard);
    solution_free(&proof->hazard_sets);
    solution_free(&proof->meant_sets);
    solution_free(&proof->proxy_sets);
    solution_free(&proof->held_sets);
    lower_free(&proof->lower);
    proof->lower = (struct lower){.events = {0}};
    proof->meant = (struct meant){.used = false};
    proof->held = (struct held){.used = false};
    proof->hazard = (struct hazard){.words = 0};
    proof->hazard_sets = proof->meant_sets = (struct solution){.at = NULL};
    proof->proxy_sets = proof->held_sets = (struct solution){.at = NULL};
    proof->hazard_flow = proof->meant_flow = (struct flow){.words = 0};
    proof->proxy_flow = proof->held_flow = (struct flow){.words = 0};
}

bool proof_prepare(struct proof *proof, const struct statement_sites *sites,
                   const struct transfer_tables *tables, struct check_function *out)
{
    uint32_t assume = proof->assume;
    if (proof->program.strange) {
        report_strange(proof, out);
        return false;
    }
    body_delete(&proof->program, sites);
    find_carried(proof);
    uint32_t lost = 0;
    if (assume & CHECK_NOT_CUMULATIVE && own_may_return(&proof->program))
        lost |= CHECK_NOT_CUMULATIVE;
    if (assume & CHECK_ISA_9_4_PAIRS &&
        (proof->program.calls_access || has_reducing_load(&proof->program)))
        lost |= CHECK_ISA_9_4_PAIRS;
    if (lost) {
        proof->assume = assume &= ~lost;
        tables = proof->own_tables = transfer_tables(assume);
    }
    proof->tables = tables;
    struct lower_fault fault = lower_join(&proof->program, assume);
    if (fault.why) {
        report_deletion(proof, fault.instruction, fault.why, out);
        return false;
    }
    return make_questions(proof, out);
}

bool proof_split(struct proof *proof)
{
    struct check_function none;
    if (proof->is_split || !split_blocks(&proof->program)) return false;
    proof->is_split = true;
    forget_questions(proof);
    return make_questions(proof, &none);
}

static bool has_load(const struct program *program)
{
    bool found = false;
    for (uint32_t i = 0; i < program->instructions.count; i++)
        found |= program->instructions.at[i].effect == CHECK_EFFECT_LD;
    return found;
}

/* Reads the function again to set the stores of the loads. */
static void read_stored(struct proof *proof)
{
    struct program *program = &proof->program, with_reads;
    bool fine = read_again(proof, program->assume, true, &with_reads);
    for (uint32_t i = 0; fine && i < program->instructions.count; i++)
        program->instructions.at[i].stored = with_reads.instructions.at[i].stored;
    program_free(&with_reads);
}

/* Sets the stores of the loads. Returns false if there are none. */
static bool find_stored(struct proof *proof)
{
    const struct program *program = &proof->program;
    if (!program->follows_values) read_stored(proof);
    bool any = false;
    for (uint32_t i = 0; i < program->instructions.count; i++)
        any |= program->instructions.at[i].stored != PROGRAM_NONE;
    return any;
}

bool proof_follow(struct proof *proof)
{
    if (proof->follows_values || !has_load(&proof->program) || !find_stored(proof)) return false;
    proof->follows_values = proof->held.follows_values = true;
    solution_free(&proof->held_sets);
    solution_prepare(&proof->held_sets, &proof->held_flow);
    return true;
}

/* A store only ends loads, so with values no less is proven. keep: as for proof_search; a
 * certificate says that values were followed only if they must be. */
static bool search_held(struct proof *proof, bool keep)
{
    if (!keep && proof->program.follows_values) proof_follow(proof);
    return solution_find(&proof->held_sets, &proof->held_flow) ||
           (proof_follow(proof) && solution_find(&proof->held_sets, &proof->held_flow));
}

/* Any function may write a register that is declared outside of functions, so its value is not
 * known. */
bool proof_tell_columns(struct proof *proof)
{
    const struct program *program = &proof->program;
    if (called_shares_registers(program->called, program->text, program->body)) return false;
    return lower_tell_columns(&proof->lower, program);
}

/* Whether the facts hold, with loads and stores divided by columns if necessary. */
static bool search_monitored(struct proof *proof, bool keep, struct monitor_fault *fault)
{
    struct monitor_proofs *kept = keep ? &proof->facts : NULL;
    if (monitor_check(&proof->lower.graph, kept, fault)) return true;
    bool is_access = !fault->too_big && (fault->fact == FACT_LD || fault->fact == FACT_ST);
    if (!is_access || !proof_tell_columns(proof)) return false;
    vec_free(&fault->path);
    return monitor_resume(&proof->lower.graph, kept, fault);
}

/* Checks the conditions that need no facts: meant waits, proxy fences, and what ptxas holds
 * back. */
static void search_deletions(struct proof *proof, bool keep, struct check_function *out)
{
    if (!solution_find(&proof->meant_sets, &proof->meant_flow))
        report_deletion(proof, meant_culprit(&proof->meant),
                        "nothing that it waits for is in flight, but an operation of another "
                        "kind is, which may be meant",
                        out);
    else if (!solution_find(&proof->proxy_sets, &proof->proxy_flow))
        report_deletion(proof, proxy_culprit(&proof->proxy),
                        "on some path no equal or wider proxy fence is kept, before it or "
                        "after it",
                        out);
    else if (!search_held(proof, keep))
        report_held(proof, out);
    else if (proof->carried != PROGRAM_NONE)
        report_deletion(proof, proof->carried,
                        "a path leads back to its load, and ptxas may no longer wait for it there",
                        out);
}

/* Leaves out of the searches what cannot be refused because no removed event follows, or because
 * nothing is in flight yet. Such sets are not a complete proof. */
static void search_to_removals(struct proof *proof)
{
    const uint32_t *leads = proof->lower.leads;
    const uint32_t waits = 1u << EVENT_WAIT_LD | 1u << EVENT_WAIT_ST;
    const uint32_t accesses = 1u << EVENT_LD | 1u << EVENT_ST;
    proof->hazard_flow.kinds = proof->held_flow.kinds = proof->lower.graph.kinds;
    proof->hazard_flow.reached = proof->held_flow.reached = proof->lower.graph.reached;
    proof->hazard_flow.beginning = accesses;
    proof->held_flow.beginning = accesses | 1u << EVENT_PIPE | 1u << EVENT_CALL;
    proof->hazard_flow.leads = proof->meant_flow.leads = proof->held_flow.leads = leads;
    proof->hazard_flow.removed = proof->meant_flow.removed = waits;
    proof->held_flow.removed = waits | 1u << EVENT_BEFORE | 1u << EVENT_AFTER;
    proof->proxy_flow.leads = proof->proxy.too_many ? NULL : leads;
    proof->proxy_flow.removed = 1u << EVENT_BOTH_MEMORY;
}

static void search_all(struct proof *proof, bool keep, struct check_function *out)
{
    struct monitor_fault facts;
    struct hazard_fault hazard;
    if (!keep) search_to_removals(proof);
    if (!search_monitored(proof, keep, &facts)) {
        if (facts.too_big)
            report_undecided(proof, "too many kinds of mma", out);
        else
            report_facts(proof, &facts, out);
        vec_free(&facts.path);
    } else if (!solution_find(&proof->hazard_sets, &proof->hazard_flow)) {
        report_register_trace(&proof->hazard, proof->hazard_sets.reached, &hazard);
        report_hazard(proof, &hazard, out);
        vec_free(&hazard.path);
    } else {
        out->verdict = CHECK_PROVEN;
        out->message = "";
        search_deletions(proof, keep, out);
    }
}

/* Searches on fewer paths only if the search on all paths fails, because most proofs do not need
 * it. */
void proof_search(struct proof *proof, bool keep, struct check_function *out)
{
    search_all(proof, keep, out);
    if (out->verdict != CHECK_REFUSED || !proof_split(proof)) return;
    struct check_function again = *out;
    search_all(proof, keep, &again);
    if (again.verdict == CHECK_PROVEN) *out = again;
}

void proof_test(struct proof *proof, struct check_function *out)
{
    bool holds = monitor_complete(&proof->lower.graph, &proof->facts);
    for (uint32_t i = 0; holds && i < proof->facts.count; i++)
        holds = monitor_holds(&proof->lower.graph, &proof->facts.at[i]);
    holds = holds && solution_holds(&proof->hazard_sets, &proof->hazard_flow) &&
            solution_holds(&proof->meant_sets, &proof->meant_flow) &&
            solution_holds(&proof->proxy_sets, &proof->proxy_flow) &&
            solution_holds(&proof->held_sets, &proof->held_flow) && proof->carried == PROGRAM_NONE;
    out->verdict = holds ? CHECK_PROVEN : CHECK_REFUSED;
    out->message = holds ? "" : "the certificate does not prove this function";
}

void proof_free(struct proof *proof)
{
    forget_questions(proof);
    program_free(&proof->program);
    mem_free(proof->own_tables);
}
