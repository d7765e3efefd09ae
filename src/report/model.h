/* What every report format shows: one file of a run, as data that outlives the run. Each format is
 * a function of it (format.h). */
#ifndef PTXOPT_REPORT_MODEL_H
#define PTXOPT_REPORT_MODEL_H

#include "base/buf.h"
#include "base/intern.h"
#include "report/line_hash.h"
#include "report/lines.h"
#include "report/measure.h"
#include "report/sass_change.h"
#include "report/witness.h"

/* A file of the CUDA source. */
struct review_source {
    const char *file;   /* as in .file */
    const char *place;  /* as on code hosts: below the folder of the reader */
    struct source text; /* its lines; without text where that was not needed, or is not available */
    struct line_hash_list hashes; /* of its lines */
};

/* A line of it; column 0: not known. */
struct review_place {
    const struct review_source *source; /* NULL: the place is not known */
    uint32_t line, column;
};

/* A step of a finding with the text of its line; part may be "". */
struct review_step {
    uint32_t line;
    const char *text, *part;
    struct review_place origin; /* the call site */
};

struct review_group; /* groups.h */

/* A finding as reports show it: its strings are valid UTF-8, the instruction is on one line, and
 * the lines around it are there. */
struct review_item {
    struct ptxopt_finding finding; /* without its steps and declines: a copy */
    const char *isa_link;
    /* The call site, the line that its author wrote, and what it leads to: outermost first, as far
     * as they are known. The innermost is the line of the instruction. */
    struct VEC(struct review_place) stack;
    const char *source_file; /* of the call site, a tidy path; "" and 0: not known */
    uint32_t source_line;
    const char *source_says; /* "matmul.cu:172, through tcgen05.cuh:40", or "" */
    bool at_source;          /* reports are at the call site, else at the line of the PTX */
    const char *ptx_says;    /* "matmul.ptx:291:2" where they do, else "" */
    const struct review_group *group;      /* of copies that unrolling made; NULL: it is alone */
    uint32_t char_column, end_char_column; /* the finding's columns in characters */
    const char *line_hash; /* of its first line, as on GitHub; "" when it was not requested */
    struct VEC(struct review_step) steps;
    struct review_hunk code; /* the lines around it */
    /* When requested: it, what it rests on, and their neighbours, in order; lines are left out
     * between. */
    struct VEC(struct review_hunk) context;
    struct witness sass;
    const char *sass_says;     /* a sentence, "" when it was not requested */
    struct sass_change change; /* of a removal: what it changed in the machine code */
    struct measure_cost cost;  /* by itself; an id of NULL: that was not measured */
    const char *cost_says;     /* with that of all edits of the kernel, a clause; "": nothing */
};

/* An instruction that orders or is ordered; text: without its guard, on one line. */
struct review_operation {
    enum ptxopt_operation_kind kind;
    uint32_t line;
    const char *text;
    bool deleted;
    uint32_t item; /* the number of the file's item about it, from 1; 0: none */
};

/* One function with something to say about it. before and after are NULL when not measured. */
struct review_kernel {
    const char *name;
    uint32_t count[PTXOPT_KINDS];
    uint32_t hazards[3]; /* of those that lint found, by enum review_severity */
    const struct measure_kernel *before, *after;
    struct ptxopt_estimate live;               /* the most, when requested */
    uint32_t first_operation, operation_count; /* among the file's */
};

struct review_item_list VEC(struct review_item);

struct review_file {
    struct arena arena;
    const char *path;       /* as given; "<stdin>" */
    const char *name;       /* the same as valid UTF-8 */
    const char *place;      /* as in patches and on code hosts: below the folder of the reader */
    const char *place_name; /* the same as valid UTF-8 */
    const char *settings;   /* see ptxopt_result_settings; "" when they were not requested */
    uint32_t checksum;      /* … neither: of the input, as in POSIX cksum */
    bool bad, changed;
    bool linted, optimized; /* as of struct ptxopt_stats */
    size_t input_bytes, output_bytes;
    uint32_t candidates, count[PTXOPT_KINDS];
    struct review_item_list items;      /* in order of place */
    struct review_item_list suppressed; /* what is accepted, shown only by formats for programs */
    struct VEC(struct review_source *) sources;
    struct intern source_names;
    struct VEC(struct review_kernel) kernels; /* in order of place */
    struct VEC(struct review_hunk) hunks;     /* the whole change, for a unified diff */
    struct VEC(struct review_operation)
        operations; /* in order of place, when they were requested */
    bool measured;
    struct measure_pair sass;
    const char *no_sass; /* why no machine code is shown; "" when it is, or was not requested */
};

struct review {
    const struct review_file *const *files; /* in the order of the command line */
    uint32_t count;
    bool color;   /* the text is written to a terminal that shows colours */
    bool remarks; /* the reader requested what is kept, too, where that costs others their room */
};

/* Fills *file, zero before, with copies: the result and its text may be freed. place is the path
 * from the folder that the reader of a report is in, absolute when the file is outside of it;
 * "./" in front of either is dropped. Takes over sass (NULL: nothing was measured); it is empty
 * afterwards. */
void review_file_build(struct review_file *file, const char *path, const char *place,
                       const struct ptxopt_result *result, struct measure_pair *sass);

/* A copy of a function's name as in items and kernels: an implausible length is cut. */
const char *review_copy_name(struct review_file *file, const char *name);

/* Adds what the machine code says of the findings of that result, of which file was built. */
void review_file_add_witnesses(struct review_file *file, const struct ptxopt_result *result,
                               const struct witnesses *witnesses);

/* Adds what the removals changed in the machine code. */
void review_file_add_changes(struct review_file *file, const struct ptxopt_result *result,
                             const struct sass_changes *changes);

/* Adds what edits, made or not, cost by themselves. */
void review_file_add_costs(struct review_file *file, const struct measure_cost *costs,
                           uint32_t count);

/* Adds what recognizes the lines of the findings, of the same result. */
void review_file_hash_lines(struct review_file *file, const struct ptxopt_result *result);

/* Adds the operations of the functions that are among the kernels, the context of the items, and
 * what was read, by what settings; of the same result. */
void review_file_add_context(struct review_file *file, const struct ptxopt_result *result);

/* The same for a file that cannot be read. */
void review_file_fail(struct review_file *file, const char *path, const char *place,
                      const char *message);

void review_file_free(struct review_file *file);

/* Sums over all files. */
struct review_totals {
    uint32_t candidates, changed, count[PTXOPT_KINDS];
    bool linted, optimized; /* any of them */
};
struct review_totals review_totals(const struct review *review);

/* Appends them in words: "0 errors, 1 warning, 0 notes; 1 of 4 candidates redundant, in 1 of 1
 * file", of what was requested. */
void review_headline(struct buf *out, const struct review *review);

/* How much an item weighs, in formats with three levels: what ptxopt removes is a warning.
 */
enum review_severity { REVIEW_ERROR, REVIEW_WARNING, REVIEW_NOTE, REVIEW_SEVERITIES };
enum review_severity review_severity(const struct review_item *item);

/* The kind that reports give it: a removal that a baseline lists is PTXOPT_SUPPRESSED, too. */
enum ptxopt_kind review_kind(const struct ptxopt_finding *finding);

/* "error", "warning", "remark" or "note"; static. */
const char *review_level_word(enum ptxopt_level level);

/* What people see in front of it: "redundant", a level, or the kind; static. */
const char *review_label(const struct review_item *item);

/* Whether its code is the name of a rule. */
bool review_is_ruled(const struct review_item *item);

/* "warning", "note" …: one word for what an item is; static. */
const char *review_kind_word(enum ptxopt_kind kind);

/* Appends the sentence that all formats share: what it is and why. */
void review_sentence(struct buf *out, const struct review_item *item);

/* Appends what the sentence rests on: rule, section, assumptions, CUDA lines, id, and the line of
 * the PTX where reports are not there; on one line. */
void review_grounds(struct buf *out, const struct review_item *item);

/* The parts of an item: a label and a sentence, "" for what it does not have. */
enum { REVIEW_FACTS = 5 };
struct review_fact {
    const char *label, *text;
};
void review_facts(const struct review_item *item, struct review_fact facts[REVIEW_FACTS]);

/* Appends "registers 48 -> 83, NOPs 44 -> 14" for a kernel that was measured. */
void review_figures(struct buf *out, const struct review_kernel *kernel);

/* Whether the kernel was measured, and takes more registers, spills more or fits fewer warps on an
 * SM with the edits. */
bool review_is_worse(const struct review_kernel *kernel);

/* Appends of such a kernel "worse with the edits: registers 48 -> 83, warps on an SM 40 -> 16". */
void review_worse(struct buf *out, const struct review_kernel *kernel);

/* "1 deletion", "2 deletions". */
void review_plural(struct buf *out, size_t count, const char *noun);

#endif
