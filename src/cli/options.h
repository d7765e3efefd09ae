/* The table of options. The command line, --help, the man page and the completion of shells are
 * generated from it. */
#ifndef PTXOPT_CLI_OPTIONS_H
#define PTXOPT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum option_id {
    OPTION_OUTPUT,
    OPTION_ANNOTATE,
    OPTION_SQUEEZE,
    OPTION_CERTIFICATE,
    OPTION_IN_PLACE,
    OPTION_CHECK,
    OPTION_JOBS,
    OPTION_KEEP_GOING,
    OPTION_MAX_INPUT,
    OPTION_MAX_MEMORY,
    OPTION_TIMEOUT,
    OPTION_SERVER,
    OPTION_SERVER_REQUIRED,
    OPTION_CA_FILE,
    OPTION_CLIENT_CERT,
    OPTION_CLIENT_KEY,
    OPTION_SET,
    OPTION_RULES,
    OPTION_ASSUME,
    OPTION_NO_ASSUME,
    OPTION_ISA,
    OPTION_PARSE,
    OPTION_ONLY,
    OPTION_SKIP,
    OPTION_MAX_REGISTERS,
    OPTION_NO_SPILL_GROWTH,
    OPTION_KEEP_OCCUPANCY,
    OPTION_REPORT,
    OPTION_MAX_REPORT,
    OPTION_LOCATE,
    OPTION_LINT,
    OPTION_LINT_LEVEL,
    OPTION_FIX,
    OPTION_SASS,
    OPTION_BASELINE,
    OPTION_WRITE_BASELINE,
    OPTION_REMARKS,
    OPTION_STATS,
    OPTION_PTXAS,
    OPTION_PTXAS_TIMEOUT,
    OPTION_COLOR,
    OPTION_VERBOSE,
    OPTION_QUIET,
    OPTION_BISECT,
    OPTION_DUMP,
    OPTION_LIST_RULES,
    OPTION_EXPLAIN,
    OPTION_LIST_ASSUMPTIONS,
    OPTION_HELP,
    OPTION_VERSION,
};

struct option_row;

/* True if the option takes an argument that can be left out. */
bool options_argument_is_optional(const struct option_row *row);

/* What a shell offers after the option. */
enum completion {
    COMPLETE_NOTHING,
    COMPLETE_PTX_FILE,
    COMPLETE_FILE,
    COMPLETE_DIRECTORY,
    COMPLETE_SET,
    COMPLETE_WORD,      /* a word that --explain knows */
    COMPLETE_RULE_LIST, /* separated by commas */
    COMPLETE_ASSUMPTION,
    COMPLETE_STAGE,
    COMPLETE_PARSE,
    COMPLETE_LEVEL,
    COMPLETE_COLOR,
    COMPLETE_REPORT,
    COMPLETE_LOCATE,
};

/* All strings are static. A row has a letter or a name, or both. */
struct option_row {
    enum option_id id;
    char letter;          /* 0: none */
    const char *name;     /* without the dashes; NULL: none */
    const char *argument; /* its name in the help; NULL: none; "[=WORD]": optional */
    enum completion completion;
    const char *group; /* rows of one group are adjacent */
    const char *help;  /* one sentence without capital and stop; {formats} is replaced by the report
                          formats, {sass} and {source} by the formats that support these options */
};

/* Former names of options, which are still accepted. */
enum { OPTION_ALIASES = 2 };
struct option_alias {
    const char *name;
    enum option_id id;
};
extern const struct option_alias options_aliases[OPTION_ALIASES];

/* The table of *count rows, in the order of the help. Static. */
const struct option_row *options_table(size_t *count);

/* options_lsp_takes: `ptxopt lsp` accepts the option. options_lsp_list: appends all that it
 * accepts, such as "--max-input, --timeout, -O". */
bool options_lsp_takes(enum option_id id);
void options_lsp_list(struct buf *out);

/* The words that --dump, --parse (as enum ptxopt_parse), --lint-level, --color (as enum
 * reports_color), --locate (as enum locate) and -O accept, each list NULL-terminated. */
extern const char *const options_stages[];
extern const char *const options_parses[];
extern const char *const options_levels[];
extern const char *const options_colors[];
extern const char *const options_locates[];
extern const char *const options_sets[];

/* Appends the help of the row, with the names of formats inserted. */
void options_help_text(struct buf *out, const struct option_row *row);

/* Appends "-o FILE, --output=FILE", or the one that the row has. */
void options_spelling(struct buf *out, const struct option_row *row);

/* Appends the first lines of --help. */
void options_usage(struct buf *out);

/* Appends the output of --help. */
void options_help(struct buf *out);

#endif
