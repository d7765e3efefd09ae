/* Runs the stages on a text: bytes, syntax tree, view, control flow, plan, rewritten bytes, proof
 * of the result. */
#ifndef PTXOPT_ENGINE_ENGINE_H
#define PTXOPT_ENGINE_ENGINE_H

#include "check/check.h"
#include "engine/stretch.h"
#include "text/diag.h"
#include "text/edit.h"

struct edit_ids VEC(uint64_t);
struct given_up_list VEC(struct given_up);

struct engine_options {
    uint32_t rules;                       /* bits 1 << index of a rule */
    uint32_t assumptions, no_assumptions; /* enabled, disabled; others: their defaults */
    uint32_t isa_major, isa_minor;        /* 0.0: from the .version of the text */
    struct edit_ids only, skip;    /* ids of edits to make (empty: all), and of edits not to make */
    struct given_up_list given_up; /* edits not to make because of their cost */
    enum edit_style style;
    /* Always parse the complete text, even if it cannot have a candidate, and refuse a text that is
     * not PTX. */
    bool whole_parse;
    /* With whole_parse: also refuse a text that ptxas rejects with a syntax error. */
    bool strict;
    bool certificate; /* also write a certificate of the output */
    bool no_remarks;  /* report neither removals nor kept candidates */
    bool steps;       /* report for each removal what it ordered, and what orders that now */
    bool estimates;   /* report the number of live registers around each removal */
    bool lint;        /* also run lint */
    bool fix;         /* with lint: also find lines that may fix a hazard; see struct missing */
    /* Units for one function, see lint/lint.h; 0: chosen by its bytes. */
    uint64_t lint_budget;
    size_t max_input; /* bytes */
    /* Threads that may work on the text, at most TEAM_MOST_THREADS; below 2: only the thread of the
     * caller. */
    uint32_t threads;
    void (*progress)(void *context, size_t bytes); /* see ptxopt_options_set_progress */
    void *progress_context;
};

struct engine_run {
    struct arena arena;
    struct source source;
    struct view view;          /* the functions are freed */
    struct stretch *stretches; /* the parts of the text that were read; their plans are in plans */
    uint32_t stretch_count;
    struct keeps keeps;     /* comments for ptxopt, and which of them had an effect */
    struct plan_list plans; /* one for each function that was analysed */
    struct diag_list diags;
    struct buf output;      /* only set if changed */
    struct str certificate; /* in arena; empty unless requested */
    bool bad_input, changed;
    uint32_t assumptions; /* bits of enum assumption in force */
    uint64_t parse_ns, analysis_ns, check_ns;
};

/* Runs all stages over text, which is borrowed until engine_free. The output is the input, or a
 * rewrite that the checker has proven. With bad_input, diags has the reasons. A text without the
 * words that a candidate needs is not analysed, unless lint or whole_parse is set; its view is then
 * empty. Free run with engine_free in any case. */
void engine_run(struct engine_run *run, const struct engine_options *options, const char *name,
                struct str text);
void engine_free(struct engine_run *run);

/* Returns the options of the checker for the same assumptions and ISA version, without a
 * certificate. The checker derives the assumptions of an ISA version itself. */
struct check_options engine_check_options(const struct engine_options *asked);

/* Prints one stage (cst, view, cfg, facts, roles or plan) of a run with whole_parse to out. Returns
 * false if stage is another name. */
bool engine_dump(const struct engine_options *options, const char *stage, const char *name,
                 struct str text, struct buf *out);

#endif
