/* The stages: bytes, syntax tree, view, control flow, plan, bytes, each result checked. */
#ifndef PTXOPT_ENGINE_ENGINE_H
#define PTXOPT_ENGINE_ENGINE_H

#include "check/check.h"
#include "engine/stretch.h"
#include "text/diag.h"
#include "text/edit.h"

struct edit_ids VEC(uint64_t);
struct given_up_list VEC(struct given_up);

struct engine_options {
    uint32_t rules;                       /* bits 1 << index */
    uint32_t assumptions, no_assumptions; /* enabled / disabled by name; the rest by default */
    uint32_t isa_major, isa_minor;        /* 0.0: the file's own .version */
    struct edit_ids only, skip;           /* single edits to make / not to make; only empty: all */
    struct given_up_list given_up;        /* nor to make these, for what they would cost */
    enum edit_style style;
    bool whole_parse;     /* by the tree of the whole text, also where it cannot hold a candidate:
                           * refuse all that is not PTX */
    bool strict;          /* of such a parse: refuse what ptxas calls a syntax error, too */
    bool certificate;     /* also write down the proof of the output */
    bool no_remarks;      /* report no removal, and nothing that is kept */
    bool steps;           /* report for each removal what is ordered and by what instead */
    bool estimates;       /* report how many registers are live around each removal */
    bool lint;            /* also look for what is missing */
    bool fix;             /* and for lines that may correct it; see struct missing */
    uint64_t lint_budget; /* for a function, see lint/lint.h; 0: by its bytes */
    size_t max_input;     /* bytes */
    uint32_t threads; /* that may work on one text, at most TEAM_MOST_THREADS; below 2: the caller's
                         alone */
    void (*progress)(void *context, size_t bytes); /* see ptxopt_options_set_progress */
    void *progress_context;
};

struct engine_run {
    struct arena arena;
    struct source source;
    struct view view;          /* without its functions */
    struct stretch *stretches; /* that were read, without their plans */
    uint32_t stretch_count;
    struct keeps keeps;     /* what comments say, and which were used */
    struct plan_list plans; /* one for each function that is worth a view */
    struct diag_list diags;
    struct buf output;      /* meaningful when changed */
    struct str certificate; /* in arena; empty unless requested */
    bool bad_input, changed;
    uint32_t assumptions; /* in force */
    uint64_t parse_ns, analysis_ns, check_ns;
};

/* Runs them all over text (borrowed until engine_free). The output is the input's bytes or a
 * proven rewrite; on bad_input the diagnostics say why. A text that mentions nothing that a rule
 * could use is not analysed, unless lint or the whole parse is requested: its view is empty. */
void engine_run(struct engine_run *run, const struct engine_options *options, const char *name,
                struct str text);
void engine_free(struct engine_run *run);

/* The same for the checker, without the certificate: what a version of the ISA grants it finds by
 * itself. */
struct check_options engine_check_options(const struct engine_options *asked);

/* Prints one stage of the run: cst, view, cfg, facts or plan, by a whole parse. False for
 * another name. */
bool engine_dump(const struct engine_options *options, const char *stage, const char *name,
                 struct str text, struct buf *out);

#endif
