/* The parts that findings of all kinds have. */
#ifndef PTXOPT_API_FINDING_PARTS_H
#define PTXOPT_API_FINDING_PARTS_H

#include "api/finding.h"
#include "api/options.h"
#include "api/origin.h"

/* State while the decisions about one function are added to the list. */
struct writer {
    struct finding_list *findings;
    struct engine_run *run;
    const struct function_plan *plan;
    const char *function;
    struct origin_files *files;
    struct buf *sentence; /* buffer for the sentence that is being written */
    const struct ptxopt_options *options;
    bool *accepts; /* by comment in the text: it has accepted a finding */
};

/* A remark of that kind whose strings are all "". */
struct ptxopt_finding finding_blank(enum ptxopt_kind kind);

/* The span from start to the end of its line. */
struct span finding_rest_of_line(const struct source *source, uint32_t start);

void finding_set_span(struct ptxopt_finding *finding, const struct source *source,
                      struct span span);

uint32_t finding_line(const struct writer *w, uint32_t offset);

/* The results of the following functions are in the arena of the run. */
const char *finding_text(const struct writer *w, const struct plan_place *place);
const char *finding_id(const struct writer *w, uint64_t id);
const char *finding_copy(const struct writer *w, struct str text);
const struct ptxopt_step *finding_steps(const struct writer *w, const struct plan_step *from,
                                        uint32_t count);

/* The text that completes "removed because" or "kept because", and the text of advice. */
const char *sentence_deleted(const struct writer *w, const struct decision *d);
const char *sentence_kept(const struct writer *w, const struct decision *d);
const char *sentence_advised(const struct writer *w, const struct decision *d);

/* True if the removal depends on the end of the thread. */
bool sentence_is_exit(const struct decision *d);

/* The clause with "%s", if it has that, replaced by the name of the witness (NULL: the entry), and
 * without the brackets around its parts. */
const char *finding_fill(const struct writer *w, const char *clause,
                         const struct plan_place *witness);

/* The same without the parts in brackets and with only the line of the witness, if the result has
 * at most `room` bytes; otherwise NULL. */
const char *finding_fill_briefly(const struct writer *w, const char *clause,
                                 const struct plan_place *witness, size_t room);

#endif
