/* The command line, understood. */
#ifndef PTXOPT_CLI_COMMAND_H
#define PTXOPT_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/vec.h"
#include "cli/limits.h"
#include "cli/reports.h"
#include "report/baseline.h"
#include "api/ptxopt.h"

enum {
    EXIT_CHANGES = 1,      /* --check found something; --bisect: no edit is to blame */
    EXIT_USAGE = 2,        /* bad input or usage, or a limit was met */
    EXIT_UNAVAILABLE = 69, /* --server-required: the server was not used */
    EXIT_INTERNAL = 70,    /* out of memory, or internal error; also by mem.c and output.c */
};

enum action {
    ACTION_RUN,
    ACTION_LIST_RULES,
    ACTION_EXPLAIN,
    ACTION_LIST_ASSUMPTIONS,
    ACTION_HELP,
    ACTION_VERSION,
};

/* --assume, --no-assume. */
struct assumption_choice {
    const char *name;
    bool on;
};

/* Of --only or --skip. */
struct chosen_id {
    char *id;
    bool only;
};

/* Strings are argv's or static. */
struct command {
    enum action action;       /* the first one requested; files are then ignored */
    const char *explained;    /* for ACTION_EXPLAIN: a word, or "all" */
    const char *explained_id; /* the finding to show, and nothing else; NULL for none */
    struct ptxopt_options *options;
    const char *output;                             /* NULL or "-" for standard output */
    const char *stage;                              /* --dump; NULL for none */
    const char *certificate;                        /* a file; NULL for none */
    const char *server;                             /* a URL; NULL for none */
    const char *ca_file, *client_cert, *client_key; /* PEM files for it; NULL for none */
    const char *rules, *isa; /* what options has of them; NULL for the defaults */
    struct VEC(struct assumption_choice) assumptions;
    enum ptxopt_parse parse;
    enum ptxopt_style style;
    bool server_required;    /* what it does not do is not done here */
    bool lint, lints_only;   /* look for what is missing; and do only that */
    bool fix;                /* insert it */
    bool sass;               /* compile with ptxas for findings and removals */
    enum ptxopt_level level; /* of --lint-level */
    bool has_level;          /* it was given */
    const char *ptxas;       /* the program; NULL: the one on PATH */
    size_t ptxas_timeout_ms; /* for its runs on one input; 0: none */
    struct limits limits;    /* what kernels may cost */
    const char *baseline_path, *new_baseline_path; /* of --baseline, --write-baseline */
    struct baseline baseline;
    bool chooses;     /* some option says what is to be removed, or how */
    bool lsp;         /* talk to an editor; there are no inputs then */
    bool only_counts; /* --stats does not run ptxas */
    bool remarks, remarks_full, stats, keep_going, in_place, check, bisect, verbose, quiet;
    enum reports_color color;
    enum locate locate;
    struct report_list reports;
    struct VEC(struct chosen_id) ids; /* that --only and --skip name, and --explain; ours */
    size_t jobs, max_input;
    size_t max_report; /* bytes of each report */
    size_t timeout_ms; /* of each input; 0: none */
    char **inputs;     /* at least one; "-" is standard input */
    size_t input_count;
    bool implied_input;  /* none was named: it is standard input */
    char *const *tester; /* --bisect: the command, NULL after its last word */
};

/* Whether the PTX is written anywhere. */
bool command_writes_text(const struct command *command);

/* Whether it is written to standard output. */
bool command_prints_text(const struct command *command);

/* Whether a message about the files is due once all are done. */
bool command_reviews(const struct command *command);

/* Reads argv (which getopt reorders). On false, error holds one line without its "ptxopt: " and
 * line end. command_free in both cases. */
bool command_parse(struct command *command, int argc, char **argv, struct buf *error);
void command_free(struct command *command);

#endif
