/* The trace that a request belongs to: W3C Trace Context (https://www.w3.org/TR/trace-context/). */
#ifndef SERVER_BASE_TRACE_H
#define SERVER_BASE_TRACE_H

#include <stdbool.h>

enum { TRACE_ID = 32, SPAN_ID = 16, TRACE_PARENT = 56 };

/* Identifiers in lowercase hexadecimal. */
struct trace {
    char trace_id[TRACE_ID + 1], parent_id[SPAN_ID + 1]; /* parent_id "": the trace begins here */
    char span_id[SPAN_ID + 1];
    bool is_sampled;
};

/* A new span for a request: below the one that its traceparent header names, or the first of
 * a new, sampled trace when there is none (NULL) or it is malformed. */
void trace_begin(struct trace *trace, const char *traceparent);

/* The traceparent header of requests that are sent on behalf of the span. */
void trace_print(const struct trace *trace, char text[TRACE_PARENT]);

/* Set and return the trace of this thread's present work; NULL: none. It is borrowed. */
void trace_set_current(const struct trace *trace);
const struct trace *trace_current(void);

#endif
