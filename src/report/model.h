/* What every report format shows: one file of a run, as data that outlives the run. Each format is
 * a function of it (format.h). */
#ifndef PTXOPT_REPORT_MODEL_H
#define PTXOPT_REPORT_MODEL_H

#include "base/buf.h"
#include "report/lines.h"
#include "report/measure.h"

enum review_kind {
    REVIEW_EDIT,       /* a deletion */
    REVIEW_KEPT,       /* a candidate that stays */
    REVIEW_ADVICE,     /* something for the author */
    REVIEW_SKIPPED,    /* a function left alone */
    REVIEW_DIAGNOSTIC, /* about the input */
    REVIEW_KINDS
};

/* A line that a deletion rests on, and the part it has: the ordering chain, in its order. */
struct review_step {
    uint32_t line;
    const char *text, *part;
};

/* One thing to say about one place. Strings are valid UTF-8 and never NULL; "" is none. Lines and
 * columns are 1-based, ends exclusive; columns in bytes, and in characters for SARIF. */
struct review_item {
    enum review_kind kind;
    enum ptxopt_level level; /* of a diagnostic */
    const char *id;          /* of edits and kept candidates */
    const char *name;        /* the rule, or the code of a diagnostic or of why it was skipped */
    const char *reason;      /* why a candidate is kept: the stable word */
    const char *function, *text, *why;
    const char *assumptions; /* names, comma separated */
    const char *isa_section, *isa_link;
    const char *source_file; /* the CUDA source */
    uint32_t source_line;    /* 0: not known */
    uint32_t line, column, end_line, end_column, char_column, end_char_column;
    uint32_t start, end;     /* byte offsets */
    const char *replacement; /* what stands in place of an edit: its line breaks */
    uint32_t witness_line;   /* 0: none */
    struct VEC(struct review_step) steps;
    uint32_t more_operations; /* ordered too, but not among the steps */
    struct review_hunk code;  /* the lines around it */
};

/* One function with something to say about it. before and after are NULL when not measured. */
struct review_kernel {
    const char *name;
    uint32_t count[REVIEW_KINDS];
    const struct measure_kernel *before, *after;
};

struct review_file {
    struct arena arena;
    const char *path; /* as given; "<stdin>" */
    const char *name; /* the same as valid UTF-8 */
    bool bad, changed;
    size_t input_bytes, output_bytes;
    uint32_t candidates, count[REVIEW_KINDS];
    struct VEC(struct review_item) items;     /* in order of place */
    struct VEC(struct review_kernel) kernels; /* in order of place */
    struct VEC(struct review_hunk) hunks;     /* the whole change, for a unified diff */
    bool measured;
    struct measure_pair sass;
};

struct review {
    const struct review_file *const *files; /* in the order of the command line */
    uint32_t count;
    bool color; /* the text goes to a terminal that shows colours */
};

/* Fills *file, zero before, with copies: text and result may be freed. text is the input. Takes
 * over sass (NULL: nothing was measured); it is empty afterwards. */
void review_file_build(struct review_file *file, const char *path, struct str text,
                       const struct ptxopt_result *result, struct measure_pair *sass);

/* The same for a file that cannot be read. */
void review_file_fail(struct review_file *file, const char *path, const char *message);

void review_file_free(struct review_file *file);

/* Sums over all files. */
struct review_totals {
    uint32_t candidates, changed, count[REVIEW_KINDS];
};
struct review_totals review_totals(const struct review *review);

/* "warning", "note" …: one word for what an item is; static. */
const char *review_kind_word(enum review_kind kind);

/* Appends the sentence that all formats share: what it is and why. */
void review_sentence(struct buf *out, const struct review_item *item);

/* Appends what the sentence rests on: rule, section, assumptions, CUDA line, id; on one line. */
void review_grounds(struct buf *out, const struct review_item *item);

/* Appends "registers 48 -> 83, NOPs 44 -> 14" for a kernel that was measured. */
void review_figures(struct buf *out, const struct review_kernel *kernel);

/* "1 deletion", "2 deletions". */
void review_plural(struct buf *out, size_t count, const char *noun);

#endif
