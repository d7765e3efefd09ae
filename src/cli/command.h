/* The parsed command line. */
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
    EXIT_CHANGES = 1,      /* --check found something; --bisect: no edit is the cause */
    EXIT_USAGE = 2,        /* bad input or usage, or a limit was exceeded */
    EXIT_UNAVAILABLE = 69, /* --server-required: the server was not used */
    EXIT_INTERNAL = 70,    /* out of memory, or internal error; also used by mem.c and output.c */
};

enum action {
    ACTION_RUN,
    ACTION_LIST_RULES,
    ACTION_EXPLAIN,
    ACTION_LIST_ASSUMPTIONS,
    ACTION_HELP,
    ACTION_VERSION,
};

/* The argument of --assume (on) or --no-assume. */
struct assumption_choice {
    const char *name;
    bool on;
};

/* An id of --only or --skip. */
struct chosen_id {
    char *id;
    bool only;
};

/* Strings are those of argv, or static. */
struct command {
    enum action action;       /* the first action requested; files are then ignored */
    const char *explained;    /* for ACTION_EXPLAIN: a word, or "all" */
    const char *explained_id; /* only this finding is shown; NULL: all */
    struct ptxopt_options *options;
    const char *output;                             /* a path; NULL or "-": standard output */
    const char *stage;                              /* --dump; NULL: none */
    const char *certificate;                        /* a path; NULL: none */
    const char *server;                             /* a URL; NULL: none */
    const char *ca_file, *client_cert, *client_key; /* PEM files for the server; NULL: none */
    const char *rules, *isa;                        /* as in options; NULL: the default */
    struct VEC(struct assumption_choice) assumptions;
    enum ptxopt_parse parse;
    enum ptxopt_style style;
    bool server_required;    /* do not run locally what the server does not do */
    bool lint, lints_only;   /* run lint; run only lint */
    bool fix;                /* insert the fixes of lint */
    bool sass;               /* compile with ptxas for hazards and removals */
    enum ptxopt_level level; /* of --lint-level */
    bool has_level;          /* --lint-level was given */
    const char *ptxas;       /* the program; NULL: ptxas on PATH */
    size_t ptxas_timeout_ms; /* for all its runs on one input; 0: no limit */
    struct limits limits;    /* on the cost of kernels */
    const char *baseline_path, *new_baseline_path; /* of --baseline, --write-baseline */
    struct baseline baseline;
    bool chooses;     /* some option says what is to be removed, or how */
    bool lsp;         /* run the language server; there are no inputs then */
    bool only_counts; /* --stats does not run ptxas */
    bool remarks, remarks_full, stats, keep_going, in_place, check, bisect, verbose, quiet;
    enum reports_color color;
    enum locate locate;
    struct report_list reports;
    struct VEC(struct chosen_id) ids; /* of --only, --skip and --explain; owned */
    size_t jobs, max_input;
    size_t max_report; /* bytes of each report */
    size_t timeout_ms; /* for each input; 0: no limit */
    char **inputs;     /* at least one; "-" is standard input */
    size_t input_count;
    bool implied_input;  /* no input was named: it is standard input */
    char *const *tester; /* the command of --bisect, NULL-terminated */
};

/* True if the PTX is written anywhere. */
bool command_writes_text(const struct command *command);

/* True if the PTX is written to standard output. */
bool command_prints_text(const struct command *command);

/* True if something must be reported about the files after all are done. */
bool command_reviews(const struct command *command);

/* Parses argv, which getopt reorders. On false, error has one line without the prefix "ptxopt: "
 * and without a line end. The caller calls command_free in both cases. */
bool command_parse(struct command *command, int argc, char **argv, struct buf *error);
void command_free(struct command *command);

#endif
