/* What findings of all kinds are made of. */
#ifndef PTXOPT_API_FINDING_PARTS_H
#define PTXOPT_API_FINDING_PARTS_H

#include "api/finding.h"
#include "api/options.h"
#include "api/origin.h"

/* One function's decisions on their way into the list. */
struct writer {
    struct finding_list *findings;
    struct engine_run *run;
    const struct function_plan *plan;
    const char *function;
    struct origin_files *files;
    struct buf *sentence; /* the text being written */
    const struct ptxopt_options *options;
    bool *accepts; /* of the comments in the text: each has accepted something */
};

/* A remark of that kind without anything to say. */
struct ptxopt_finding finding_blank(enum ptxopt_kind kind);

/* From there to the end of its line. */
struct span finding_rest_of_line(const struct source *source, uint32_t start);

void finding_set_span(struct ptxopt_finding *finding, const struct source *source,
                      struct span span);

uint32_t finding_line(const struct writer *w, uint32_t offset);

/* All that follow are in the run's arena. */
const char *finding_text(const struct writer *w, const struct plan_place *place);
const char *finding_id(const struct writer *w, uint64_t id);
const char *finding_copy(const struct writer *w, struct str text);
const struct ptxopt_step *finding_steps(const struct writer *w, const struct plan_step *from,
                                        uint32_t count);

/* What finishes "removed because" and "kept because", and advice. */
const char *sentence_deleted(const struct writer *w, const struct decision *d);
const char *sentence_kept(const struct writer *w, const struct decision *d);
const char *sentence_advised(const struct writer *w, const struct decision *d);

/* Whether a removal rests on the end of the thread. */
bool sentence_is_exit(const struct decision *d);

/* The clause with the witness, or NULL for none, in its "%s", if it has one. */
const char *finding_fill(const struct writer *w, const char *clause,
                         const struct plan_place *witness);

/* The same with only the line of the witness, where that has at most `room` bytes; else NULL. */
const char *finding_fill_briefly(const struct writer *w, const char *clause,
                                 const struct plan_place *witness, size_t room);

#endif
