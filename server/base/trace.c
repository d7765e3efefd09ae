/* Reads and writes traceparent. See trace.h. */
#include "server/base/trace.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static _Thread_local const struct trace *current;

static void make_id(char *id, size_t digits)
{
    unsigned char random[TRACE_ID / 2];
    if (getrandom(random, digits / 2, 0) != (ssize_t)(digits / 2)) memset(random, 1, sizeof random);
    for (size_t i = 0; i < digits / 2; i++) snprintf(id + 2 * i, 3, "%02x", (unsigned)random[i]);
}

/* So many lowercase hexadecimal digits, not all of them zero when it is an identifier. */
static bool copy_digits(const char *from, size_t digits, char *to, bool is_id)
{
    if (strspn(from, "0123456789abcdef") < digits) return false;
    memcpy(to, from, digits);
    to[digits] = 0;
    return !is_id || strspn(to, "0") < digits;
}

/* VERSION-TRACE-PARENT-FLAGS; a later version may go on after the flags. */
static bool read_parent(const char *text, struct trace *trace)
{
    char version[3], flags[3];
    const char *ids = text + 3, *parent = ids + TRACE_ID + 1, *last = parent + SPAN_ID + 1;
    if (strnlen(text, TRACE_PARENT) < TRACE_PARENT - 1) return false;
    if (text[2] != '-' || parent[-1] != '-' || last[-1] != '-') return false;
    if (!copy_digits(text, 2, version, false) || strcmp(version, "ff") == 0 ||
        !copy_digits(ids, TRACE_ID, trace->trace_id, true) ||
        !copy_digits(parent, SPAN_ID, trace->parent_id, true) ||
        !copy_digits(last, 2, flags, false))
        return false;
    trace->is_sampled = strchr("13579bdf", flags[1]);
    return !last[2] || (last[2] == '-' && strcmp(version, "00") != 0);
}

void trace_begin(struct trace *trace, const char *traceparent)
{
    if (!traceparent || !read_parent(traceparent, trace)) {
        *trace = (struct trace){.is_sampled = true};
        make_id(trace->trace_id, TRACE_ID);
    }
    make_id(trace->span_id, SPAN_ID);
}

void trace_print(const struct trace *trace, char text[TRACE_PARENT])
{
    snprintf(text, TRACE_PARENT, "00-%s-%s-%s", trace->trace_id, trace->span_id,
             trace->is_sampled ? "01" : "00");
}

void trace_set_current(const struct trace *trace)
{
    current = trace;
}

const struct trace *trace_current(void)
{
    return current;
}
