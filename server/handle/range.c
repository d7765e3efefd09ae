/* Reduces an answer to the range of bytes that the client requests. See range.h. */
#include "server/handle/range.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/handle/problem.h"

enum range_kind { RANGE_WHOLE, RANGE_PART, RANGE_NONE };

static bool take_digits(const char **text, uint64_t *number)
{
    char *end;
    if (**text < '0' || **text > '9') return false;
    *number = strtoull(*text, &end, 10); /* a value too large for it is beyond any end, too */
    *text = end;
    return true;
}

/* "FIRST-LAST", "FIRST-" or "-COUNT", of size bytes. */
static enum range_kind range_read(const char *text, uint64_t size, uint64_t *first, uint64_t *last)
{
    uint64_t count;
    bool has_first = take_digits(&text, first);
    if (*text++ != '-') return RANGE_WHOLE;
    if (!has_first) {
        if (!take_digits(&text, &count) || *text) return RANGE_WHOLE;
        *first = count < size ? size - count : 0;
        *last = size - 1;
        return count && size ? RANGE_PART : RANGE_NONE;
    }
    if (!*text)
        *last = size - 1;
    else if (!take_digits(&text, last) || *text || *last < *first)
        return RANGE_WHOLE;
    if (*first >= size) return RANGE_NONE;
    if (*last >= size) *last = size - 1;
    return RANGE_PART;
}

/* Only a strong tag that is the answer's (RFC 9110, section 13.1.5); we have no dates. */
static bool is_same_answer(const struct request *request, const struct reply *reply)
{
    const char *named = fields_find(&request->headers, "If-Range");
    const char *tag = fields_find(&reply->headers, "ETag");
    return !named || (tag && strcmp(named, tag) == 0);
}

static void keep_part(struct reply *reply, uint64_t first, uint64_t last)
{
    size_t len = (size_t)(last - first + 1);
    if (reply->body.len) {
        memmove(reply->body.data, reply->body.data + first, len);
        reply->body.len = len;
    } else {
        reply->fixed = (struct str){reply->fixed.p + first, len};
    }
    reply->status = 206;
}

void range_apply(const struct request *request, struct reply *reply)
{
    static const char unit[] = "bytes=";
    const char *range = fields_find(&request->headers, "Range");
    uint64_t size = reply_bytes(reply).n, first = 0, last = 0;
    if (strcmp(request->method, "GET") != 0 || reply->status != 200) return;
    reply_header(reply, "Accept-Ranges", "bytes");
    if (!range || strncasecmp(range, unit, sizeof unit - 1) != 0 || !is_same_answer(request, reply))
        return;
    switch (range_read(range + sizeof unit - 1, size, &first, &last)) {
    case RANGE_WHOLE: break;
    case RANGE_PART:
        reply_header(reply, "Content-Range", "bytes %llu-%llu/%llu", (unsigned long long)first,
                     (unsigned long long)last, (unsigned long long)size);
        keep_part(reply, first, last);
        break;
    case RANGE_NONE:
        problem_set(reply, request, 416, "range", "the answer has %llu bytes",
                    (unsigned long long)size);
        reply_header(reply, "Content-Range", "bytes */%llu", (unsigned long long)size);
    }
}
