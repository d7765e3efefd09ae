/* Parses the framing of HTTP/1.x strictly. See framing.h. A line is parsed when it is complete.
 * A head is passed on only if all of it is valid, so a later parser finds nothing that it could
 * read in another way. */
#include "server/net/framing.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    VERSION_LEN = 8 /* "HTTP/1.1" */,
    LONGEST_METHOD = 32,
    LONGEST_PATH = 1024,
    FIELD_LEAST = 16,
    SIZE_DIGITS = 15 /* hexadecimal: a chunk is less than 2^60 bytes */,
    SIZE_LINE_MOST = 1024
};

#define AMBIGUOUS(detail)                                                                          \
    {                                                                                              \
        400, "ambiguous", detail                                                                   \
    }
static const struct fault no_http = {400, "bad-request",
                                     "this is not a request of HTTP/1.0 or HTTP/1.1"},
                          long_target = {414, "target", "the target is over --max-header"},
                          large_head = {431, "headers", "the headers are over --max-header"},
                          bare_end = AMBIGUOUS(
                              "a line ends with a line feed alone, or has a carriage return in it"),
                          control = AMBIGUOUS("there is a control character in a header line"),
                          no_name = AMBIGUOUS("a header line begins with no name and colon"),
                          folded = AMBIGUOUS("a header line begins with a blank"),
                          no_host = {400, "bad-request", "there is no Host"},
                          hosts = AMBIGUOUS("there is more than one Host"),
                          lengths = AMBIGUOUS("there is more than one Content-Length"),
                          no_length = AMBIGUOUS("Content-Length is not a number of bytes"),
                          length_and_coding =
                              AMBIGUOUS("there are Content-Length and Transfer-Encoding"),
                          coding = AMBIGUOUS("the only Transfer-Encoding that is known is chunked"),
                          old_coding = AMBIGUOUS("HTTP/1.0 has no Transfer-Encoding"),
                          no_chunk = AMBIGUOUS("the body is not chunked as its head says");

/* ---- the ends of it ---- */

/* The last request: a line that whoever parses it takes, without all that followed. */
static void refuse_head(struct framing *framing, const struct fault *fault, struct buf *out)
{
    bool known = framing->method_len && framing->path_len <= LONGEST_PATH;
    size_t len = known ? framing->method_len + 1 + framing->path_len : 0;
    if (known)
        buf_add(out, framing->head.data, len);
    else
        buf_puts(out, "GET *");
    buf_puts(out, " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    framing->fault = fault;
    framing->in_body = false;
    framing->state = FRAMING_ENDED;
}

/* ends: the rest of the coding. */
static void framing_refuse_body(struct framing *framing, const char *ends, struct buf *out)
{
    buf_puts(out, ends);
    framing->fault = &no_chunk;
    framing->in_body = true;
    framing->state = FRAMING_ENDED;
}

/* ---- heads ---- */

static bool is_token(const char *text, size_t len)
{
    static const char others[] = "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < len; i++) {
        char c = text[i], lower = (char)(c | 0x20);
        if (!(c >= '0' && c <= '9') && !(lower >= 'a' && lower <= 'z') &&
            (!c || !strchr(others, c)))
            return false;
    }
    return len;
}

static const struct fault *read_request_line(struct framing *framing, const char *line, size_t len)
{
    const char *blank = memchr(line, ' ', len);
    size_t method = blank ? (size_t)(blank - line) : 0;
    if (!method || method > LONGEST_METHOD || !is_token(line, method)) return &no_http;
    if (len < method + VERSION_LEN + 3 || line[len - VERSION_LEN - 1] != ' ') return &no_http;
    const char *target = blank + 1, *version = line + len - VERSION_LEN;
    size_t target_len = (size_t)(version - 1 - target);
    if (strncmp(version, "HTTP/1.", 7) != 0 || version[7] < '0' || version[7] > '9')
        return &no_http;
    for (size_t i = 0; i < target_len; i++) {
        if ((unsigned char)target[i] <= ' ' || target[i] == 0x7f) return &no_http;
        framing->field_count += target[i] == '&';
    }
    framing->is_old = version[7] == '0';
    if (target_len > framing->most_bytes) return &long_target;
    const char *query = memchr(target, '?', target_len);
    framing->method_len = method;
    framing->path_len = query ? (size_t)(query - target) : target_len;
    return framing->field_count > framing->most_bytes / FIELD_LEAST ? &long_target : NULL;
}

static bool field_is_named(const char *name, size_t len, const char *other)
{
    return strlen(other) == len && strncasecmp(name, other, len) == 0;
}

/* Of a body by its Content-Length. */
static bool read_length(const char *value, size_t len, uint64_t *length)
{
    *length = 0;
    for (size_t i = 0; i < len; i++) {
        if (value[i] < '0' || value[i] > '9' || *length > (UINT64_MAX >> 1) / 10 - 1) return false;
        *length = *length * 10 + (uint64_t)(value[i] - '0');
    }
    return len;
}

/* What the line says about the end of the request, or about its host. */
static const struct fault *note_field(struct framing *framing, const char *name, size_t name_len,
                                      const char *value, size_t len)
{
    if (field_is_named(name, name_len, "Host")) return framing->hosts++ ? &hosts : NULL;
    if (field_is_named(name, name_len, "Content-Length")) {
        if (framing->lengths++) return &lengths;
        return read_length(value, len, &framing->left) ? NULL : &no_length;
    }
    if (field_is_named(name, name_len, "Transfer-Encoding")) {
        bool chunked = field_is_named(value, len, "chunked");
        return framing->codings++ || !chunked ? &coding : NULL;
    }
    return NULL;
}

static const struct fault *read_header_field(struct framing *framing, const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len);
    size_t name_len = colon ? (size_t)(colon - line) : 0;
    if (*line == ' ' || *line == '\t') return &folded;
    if (!is_token(line, name_len)) return &no_name;
    const char *value = colon + 1, *end = line + len;
    for (const char *p = value; p < end; p++)
        if (((unsigned char)*p < ' ' && *p != '\t') || *p == 0x7f) return &control;
    while (value < end && (*value == ' ' || *value == '\t')) value++;
    while (end > value && (end[-1] == ' ' || end[-1] == '\t')) end--;
    framing->field_bytes += name_len + (size_t)(end - value) + 4;
    if (framing->field_bytes > framing->most_bytes ||
        ++framing->field_count > framing->most_bytes / FIELD_LEAST)
        return &large_head;
    const struct fault *fault = note_field(framing, line, name_len, value, (size_t)(end - value));
    if (fault || field_is_named(line, name_len, "Cookie")) return fault;
    buf_add(&framing->head, line, name_len);
    buf_puts(&framing->head, ": ");
    buf_add(&framing->head, value, (size_t)(end - value));
    buf_puts(&framing->head, "\r\n");
    return NULL;
}

static const struct fault *judge_head(const struct framing *framing)
{
    if (framing->lengths && framing->codings) return &length_and_coding;
    if (framing->codings && framing->is_old) return &old_coding;
    return !framing->hosts && !framing->is_old ? &no_host : NULL;
}

static void framing_end_request(struct framing *framing)
{
    framing->state = FRAMING_WHOLE;
    framing_free(framing);
}

static void end_head(struct framing *framing, struct buf *out)
{
    const struct fault *fault = judge_head(framing);
    if (fault) {
        refuse_head(framing, fault, out);
        return;
    }
    buf_add(out, framing->head.data, framing->head.len);
    buf_puts(out, "\r\n");
    buf_free(&framing->head);
    if (framing->codings)
        framing->state = FRAMING_SIZE;
    else if (framing->left)
        framing->state = FRAMING_BODY;
    else
        framing_end_request(framing);
}

static void read_head_line(struct framing *framing, const char *line, size_t len, struct buf *out)
{
    const struct fault *fault = NULL;
    /* Empty lines before a request are left out (RFC 9112, section 2.2). */
    if (!len && framing->method_len) end_head(framing, out);
    if (!len) return;
    if (framing->method_len) {
        fault = read_header_field(framing, line, len);
    } else {
        fault = read_request_line(framing, line, len);
        buf_add(&framing->head, line, len);
        buf_puts(&framing->head, "\r\n");
    }
    if (fault) refuse_head(framing, fault, out);
}

/* ---- chunks ---- */

static bool read_size(const char *line, size_t len, uint64_t *size)
{
    size_t digits = 0;
    *size = 0;
    for (; digits < len && digits <= SIZE_DIGITS; digits++) {
        char c = line[digits], lower = (char)(c | 0x20);
        int value = c >= '0' && c <= '9'           ? c - '0'
                    : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
                                                   : -1;
        if (value < 0) break;
        *size = *size << 4 | (uint64_t)value;
    }
    if (!digits || digits > SIZE_DIGITS) return false;
    for (size_t i = digits; i < len; i++)
        if (((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f) return false;
    return digits == len || line[digits] == ';';
}

static void read_size_line(struct framing *framing, const char *line, size_t len, struct buf *out)
{
    if (!read_size(line, len, &framing->left)) {
        framing_refuse_body(framing, "0\r\n\r\n", out);
    } else if (framing->left) {
        buf_printf(out, "%llx\r\n", (unsigned long long)framing->left);
        framing->state = FRAMING_CHUNK;
    } else {
        framing->state = FRAMING_TRAILER;
    }
}

/* Trailers are held to what header lines are, and dropped. */
static void read_trailer(struct framing *framing, const char *line, size_t len, struct buf *out)
{
    if (len) {
        if (read_header_field(framing, line, len)) framing_refuse_body(framing, "0\r\n\r\n", out);
        return;
    }
    buf_puts(out, "0\r\n\r\n");
    framing_end_request(framing);
}

/* ---- lines ---- */

/* A line that is not right, or longer than one may be. */
static void refuse_line(struct framing *framing, const struct fault *fault, struct buf *out)
{
    if (framing->state == FRAMING_HEAD)
        refuse_head(framing, fault, out);
    else
        framing_refuse_body(
            framing, framing->state == FRAMING_CHUNK_END ? "\r\n0\r\n\r\n" : "0\r\n\r\n", out);
}

static void framing_read_line(struct framing *framing, const char *line, size_t len,
                              struct buf *out)
{
    switch (framing->state) {
    case FRAMING_HEAD: read_head_line(framing, line, len, out); break;
    case FRAMING_SIZE: read_size_line(framing, line, len, out); break;
    case FRAMING_CHUNK_END:
        if (len) {
            refuse_line(framing, NULL, out);
            break;
        }
        buf_puts(out, "\r\n");
        framing->state = FRAMING_SIZE;
        break;
    case FRAMING_TRAILER: read_trailer(framing, line, len, out); break;
    case FRAMING_BODY:
    case FRAMING_CHUNK:
    case FRAMING_WHOLE:
    case FRAMING_ENDED: break;
    }
}

static size_t longest_line(const struct framing *framing)
{
    size_t most = framing->most_bytes + LONGEST_METHOD + VERSION_LEN;
    return framing->state == FRAMING_SIZE        ? SIZE_LINE_MOST
           : framing->state == FRAMING_CHUNK_END ? 2
                                                 : most;
}

/* Takes the beginning of bytes, up to the end of the line; how many were taken. */
static size_t framing_take_line(struct framing *framing, const char *bytes, size_t len,
                                struct buf *out)
{
    const char *feed = memchr(bytes, '\n', len);
    size_t taken = feed ? (size_t)(feed - bytes) + 1 : len;
    struct buf *line = &framing->line;
    buf_add(line, bytes, taken);
    if (line->len > longest_line(framing) + 2) {
        refuse_line(framing, framing->method_len ? &large_head : &long_target, out);
    } else if (feed) {
        size_t n = line->len - 1;
        if (!n || line->data[n - 1] != '\r' || memchr(line->data, '\r', n - 1))
            refuse_line(framing, &bare_end, out);
        else
            framing_read_line(framing, line->data, n - 1, out);
    }
    if (feed) line->len = 0;
    if (framing->state == FRAMING_ENDED) framing_free(framing);
    return taken;
}

/* ---- bytes ---- */

size_t framing_add(struct framing *framing, const char *bytes, size_t len, struct buf *out)
{
    size_t done = 0;
    while (done < len && framing->state != FRAMING_WHOLE && framing->state != FRAMING_ENDED) {
        size_t taken = framing_passes(framing);
        if (taken > len - done) taken = len - done;
        if (taken) {
            buf_add(out, bytes + done, taken);
            framing_pass(framing, taken);
        } else {
            taken = framing_take_line(framing, bytes + done, len - done, out);
        }
        done += taken;
    }
    return framing->state == FRAMING_ENDED ? len : done;
}

size_t framing_passes(const struct framing *framing)
{
    bool passes = framing->state == FRAMING_BODY || framing->state == FRAMING_CHUNK;
    uint64_t most = SIZE_MAX / 2;
    return !passes ? 0 : framing->left < most ? (size_t)framing->left : (size_t)most;
}

void framing_pass(struct framing *framing, size_t len)
{
    framing->left -= len;
    if (framing->left) return;
    if (framing->state == FRAMING_CHUNK)
        framing->state = FRAMING_CHUNK_END;
    else
        framing_end_request(framing);
}

void framing_next(struct framing *framing)
{
    *framing = (struct framing){.most_bytes = framing->most_bytes};
}

void framing_free(struct framing *framing)
{
    buf_free(&framing->line);
    buf_free(&framing->head);
}
