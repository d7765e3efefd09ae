/* The data that every report format shows: one file of a run, independent of the result. Each
 * format is a function of this data (format.h). */
#ifndef PTXOPT_REPORT_MODEL_H
#define PTXOPT_REPORT_MODEL_H

#include "base/buf.h"
#include "base/intern.h"
#include "report/line_hash.h"
#include "report/lines.h"
#include "report/measure.h"
#include "report/sass_change.h"
#include "report/witness.h"

/* A CUDA source file. */
struct review_source {
    const char *file;   /* as in the .file directive */
    const char *place;  /* path as on code hosts: relative to the current folder of the reader */
    struct source text; /* its lines; empty if the text is not needed or not available */
    struct line_hash_list hashes; /* of its lines */
};

/* A line of a source file; column 0: not known. */
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
 * the lines around it are included. */
struct review_item {
    struct ptxopt_finding finding; /* a copy, without its steps and declines */
    const char *isa_link;
    /* The places in the CUDA source: from the call site, the line that the author wrote, to the
     * line of the instruction, through inlined calls, as far as known. */
    struct VEC(struct review_place) stack;
    const char *source_file; /* of the call site, a cleaned path; "" and line 0: not known */
    uint32_t source_line;
    const char *source_says; /* "matmul.cu:172, through tcgen05.cuh:40", or "" */
    bool at_source;          /* reports show it at the call site, not at the line of the PTX */
    const char *ptx_says;    /* if at_source: "matmul.ptx:291:2"; otherwise "" */
    const struct review_group *group; /* of copies that unrolling made; NULL: it has no copies */
    uint32_t char_column, end_char_column; /* columns of the finding, in characters */
    const char *line_hash; /* hash of its first line, as on GitHub; "": not requested */
    struct VEC(struct review_step) steps;
    struct review_hunk code; /* the lines around it */
    /* If requested: its lines, those of its steps, and the lines around them, in order. Lines in
     * between are left out. */
    struct VEC(struct review_hunk) context;
    struct witness sass;
    const char *sass_says;     /* a sentence; "": not requested */
    struct sass_change change; /* of a removal: what it changed in the machine code */
    struct measure_cost cost;  /* of this edit alone; its id is NULL if it was not measured */
    const char *cost_says;     /* a clause with that of all edits of the kernel; "": nothing */
};

/* An instruction that orders others or is ordered. text: without its guard, on one line. */
struct review_operation {
    enum ptxopt_operation_kind kind;
    uint32_t line;
    const char *text;
    bool deleted;
    uint32_t item; /* 1 + the index of the item about it in items; 0: none */
};

/* A function about which there is something to report. before and after are NULL if it was not
 * measured. */
struct review_kernel {
    const char *name;
    uint32_t count[PTXOPT_KINDS];
    uint32_t hazards[3]; /* hazards by enum review_severity */
    const struct measure_kernel *before, *after;
    struct ptxopt_estimate live;               /* the highest estimate, if requested */
    uint32_t first_operation, operation_count; /* in operations of the file */
};

struct review_item_list VEC(struct review_item);

struct review_file {
    struct arena arena;
    const char *path;  /* as given on the command line; "<stdin>" */
    const char *name;  /* path as valid UTF-8 */
    const char *place; /* path as in patches and on code hosts: relative to the current folder of
                          the reader */
    const char *place_name; /* place as valid UTF-8 */
    const char *settings;   /* see ptxopt_result_settings; "": not requested */
    uint32_t checksum;      /* of the input, as in POSIX cksum; 0: not requested */
    bool bad, changed;
    bool linted, optimized; /* as in struct ptxopt_stats */
    size_t input_bytes, output_bytes;
    uint32_t candidates, count[PTXOPT_KINDS];
    struct review_item_list items;      /* in the order of their places */
    struct review_item_list suppressed; /* accepted findings; only formats for programs show them */
    struct VEC(struct review_source *) sources;
    struct intern source_names;
    struct VEC(struct review_kernel) kernels; /* in the order of their places */
    struct VEC(struct review_hunk) hunks;     /* the whole change, for a unified diff */
    struct VEC(struct review_operation)
        operations; /* in the order of their places; empty if not requested */
    bool measured;
    struct measure_pair sass;
    const char *no_sass; /* why no machine code is shown; "": it is, or was not requested */
};

struct review {
    const struct review_file *const *files; /* in the order of the command line */
    uint32_t count;
    bool color;   /* the text goes to a terminal that shows colours */
    bool remarks; /* also show what is kept in formats that have little room */
};

/* Fills *file, which must be zero, with copies: the result and its text may be freed afterwards.
 * place is the path relative to the current folder of the reader, absolute if the file is outside
 * of it; a leading "./" of path and place is dropped. Takes over *sass and leaves it empty (NULL:
 * nothing was measured). The caller frees *file with review_file_free. */
void review_file_build(struct review_file *file, const char *path, const char *place,
                       const struct ptxopt_result *result, struct measure_pair *sass);

/* A copy of a function's name as in items and kernels: an implausibly long name is cut. In the
 * arena of file. */
const char *review_copy_name(struct review_file *file, const char *name);

/* Adds what the machine code shows about the findings. result: the one from which file was
 * built. */
void review_file_add_witnesses(struct review_file *file, const struct ptxopt_result *result,
                               const struct witnesses *witnesses);

/* Adds what the removals changed in the machine code. result: as above. */
void review_file_add_changes(struct review_file *file, const struct ptxopt_result *result,
                             const struct sass_changes *changes);

/* Adds the costs of single edits, whether the edits were made or not. */
void review_file_add_costs(struct review_file *file, const struct measure_cost *costs,
                           uint32_t count);

/* Adds hashes by which the lines of the findings are recognized. result: as above. */
void review_file_hash_lines(struct review_file *file, const struct ptxopt_result *result);

/* Adds the operations of the kernels, the lines around the items, and the checksum and settings of
 * the run. result: as above. */
void review_file_add_context(struct review_file *file, const struct ptxopt_result *result);

/* Fills *file, which must be zero, for a file that cannot be read. */
void review_file_fail(struct review_file *file, const char *path, const char *place,
                      const char *message);

void review_file_free(struct review_file *file);

/* Totals over all files. */
struct review_totals {
    uint32_t candidates, changed, count[PTXOPT_KINDS];
    bool linted, optimized; /* some file was */
};
struct review_totals review_totals(const struct review *review);

/* Appends the totals of what was requested in words: "0 errors, 1 warning, 0 notes; 1 of 4
 * candidates redundant, in 1 of 1 file". */
void review_headline(struct buf *out, const struct review *review);

/* The level of an item in formats with three levels. What ptxopt removes is a warning. */
enum review_severity { REVIEW_ERROR, REVIEW_WARNING, REVIEW_NOTE, REVIEW_SEVERITIES };
enum review_severity review_severity(const struct review_item *item);

/* The kind of a finding in reports: PTXOPT_SUPPRESSED also for a removal that a baseline lists. */
enum ptxopt_kind review_kind(const struct ptxopt_finding *finding);

/* "error", "warning", "remark" or "note". Static. */
const char *review_level_word(enum ptxopt_level level);

/* The word that people see in front of the item: "redundant", a level, or the kind. Static. */
const char *review_label(const struct review_item *item);

/* True if the code of the item is the name of a rule. */
bool review_is_ruled(const struct review_item *item);

/* One word for what an item is, such as "warning" or "note". Static. */
const char *review_kind_word(enum ptxopt_kind kind);

/* Appends the sentence that all formats share: what the item is, and why. */
void review_sentence(struct buf *out, const struct review_item *item);

/* Appends on one line: rule, section, assumptions, CUDA lines, id, and the PTX line if reports show
 * the item elsewhere. */
void review_grounds(struct buf *out, const struct review_item *item);

/* Further facts about an item: a label and a sentence, which is "" if the item has none. */
enum { REVIEW_FACTS = 5 };
struct review_fact {
    const char *label, *text;
};
void review_facts(const struct review_item *item, struct review_fact facts[REVIEW_FACTS]);

/* Appends the figures of a kernel that was measured, such as "registers 48 -> 83, NOPs 44 ->
 * 14". */
void review_figures(struct buf *out, const struct review_kernel *kernel);

/* True if the kernel was measured and with the edits needs more registers, spills more, or fits
 * fewer warps on an SM. */
bool review_is_worse(const struct review_kernel *kernel);

/* Appends for such a kernel "worse with the edits: registers 48 -> 83, warps on an SM 40 -> 16". */
void review_worse(struct buf *out, const struct review_kernel *kernel);

/* Appends count and noun: "1 deletion", "2 deletions". */
void review_plural(struct buf *out, size_t count, const char *noun);

#endif
