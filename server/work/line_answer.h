/* The answer to one line of a batch, itself a line: {"index":…,"status":…,"result"|"problem":…}. */
#ifndef SERVER_WORK_LINE_ANSWER_H
#define SERVER_WORK_LINE_ANSWER_H

#include "server/handle/routes.h"

/* What all lines of a batch have in common. */
struct line_asker {
    struct service *service;
    const struct route *route;
    const char *client;
    struct allowance *allowance; /* see struct request */
    char id[REQUEST_ID_MAX + 1];
    struct trace trace;
};

/* Answers line, which it takes over, as a separate request. abandoned: see struct request. */
void line_answer(const struct line_asker *asker, uint64_t index, struct buf line,
                 const atomic_bool *abandoned, struct buf *out);

/* An error in place of that. */
void line_answer_problem(const struct line_asker *asker, uint64_t index, int status,
                         const char *code, const char *detail, struct buf *out);

#endif
