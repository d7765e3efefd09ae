/* Packs a request or an answer into bytes for other threads and processes, as lengths and bytes. */
#include "server/base/message.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/base/attempt.h"

const char *fields_find(const struct fields *fields, const char *name)
{
    for (uint32_t i = 0; i < fields->count; i++)
        if (strcasecmp(fields->at[i].name, name) == 0) return fields->at[i].value;
    return NULL;
}

static const char *message_copy_text(struct arena *arena, const char *text)
{
    return arena_copy(arena, text, strlen(text));
}

void request_add(struct request *request, struct fields *fields, const char *name,
                 const char *value)
{
    vec_push(fields, (struct field){message_copy_text(&request->arena, name),
                                    message_copy_text(&request->arena, value)});
}

void request_free(struct request *request)
{
    vec_free(&request->query);
    vec_free(&request->headers);
    buf_free(&request->body);
    arena_free(&request->arena);
}

void reply_header(struct reply *reply, const char *name, const char *format, ...)
{
    va_list args;
    char value[512];
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    /* A line break would begin another header. */
    for (char *p = value; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f) *p = ' ';
    vec_push(&reply->headers, (struct field){message_copy_text(&reply->arena, name),
                                             message_copy_text(&reply->arena, value)});
}

struct str reply_bytes(const struct reply *reply)
{
    return reply->body.len ? (struct str){reply->body.data, reply->body.len} : reply->fixed;
}

void reply_free(struct reply *reply)
{
    vec_free(&reply->headers);
    buf_free(&reply->body);
    arena_free(&reply->arena);
    if (reply->owner) reply->release(reply->owner);
    reply->owner = NULL;
}

/* ---- packing ---- */

static void put_number(struct buf *out, uint64_t number)
{
    char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (char)(number >> (8 * i));
    buf_add(out, bytes, sizeof bytes);
}

static void message_put_bytes(struct buf *out, const char *bytes, size_t len)
{
    put_number(out, len);
    buf_add(out, bytes, len);
}

static void put_text(struct buf *out, const char *text)
{
    message_put_bytes(out, text ? text : "", text ? strlen(text) : 0);
}

static void put_fields(struct buf *out, const struct fields *fields)
{
    put_number(out, fields->count);
    for (uint32_t i = 0; i < fields->count; i++) {
        put_text(out, fields->at[i].name);
        put_text(out, fields->at[i].value);
    }
}

/* The bytes still to read; bad once anything did not fit. */
struct reader {
    struct str rest;
    bool bad;
};

static uint64_t take_number(struct reader *reader)
{
    uint64_t number = 0;
    if (reader->rest.n < 8) {
        reader->bad = true;
        return 0;
    }
    for (int i = 0; i < 8; i++) number |= (uint64_t)(unsigned char)reader->rest.p[i] << (8 * i);
    reader->rest.p += 8;
    reader->rest.n -= 8;
    return number;
}

static struct str message_take_bytes(struct reader *reader)
{
    uint64_t len = take_number(reader);
    if (reader->bad || len > reader->rest.n) {
        reader->bad = true;
        return (struct str){"", 0};
    }
    struct str piece = {reader->rest.p, (size_t)len};
    reader->rest.p += len;
    reader->rest.n -= (size_t)len;
    return piece;
}

static const char *take_text(struct reader *reader, struct arena *arena)
{
    struct str piece = message_take_bytes(reader);
    return arena_copy(arena, piece.p, piece.n);
}

static void take_fields(struct reader *reader, struct arena *arena, struct fields *fields)
{
    uint64_t count = take_number(reader);
    for (uint64_t i = 0; i < count && !reader->bad; i++) {
        const char *name = take_text(reader, arena);
        const char *value = take_text(reader, arena);
        if (!reader->bad) vec_push(fields, (struct field){name, value});
    }
}

/* The data of one of the four below, as separate work: a text may be large. */
struct packing {
    const struct request *request;
    const struct reply *reply;
    struct str bytes;
    struct buf out;
    struct request new_request;
    struct reply new_reply;
    bool borrows, fine;
};

static void pack_request(void *context)
{
    struct packing *packing = context;
    const struct request *request = packing->request;
    struct buf *out = &packing->out;
    put_text(out, request->method);
    put_text(out, request->path);
    put_text(out, request->client);
    put_text(out, request->wants);
    put_text(out, request->id);
    put_fields(out, &request->query);
    put_fields(out, &request->headers);
    message_put_bytes(out, request->body.data, request->body.len);
}

static void unpack_request(void *context)
{
    struct packing *packing = context;
    struct reader reader = {packing->bytes, false};
    struct request *request = &packing->new_request;
    request->method = take_text(&reader, &request->arena);
    request->path = take_text(&reader, &request->arena);
    request->client = take_text(&reader, &request->arena);
    request->wants = take_text(&reader, &request->arena);
    struct str id = message_take_bytes(&reader);
    if (id.n > REQUEST_ID_MAX) return;
    memcpy(request->id, id.p, id.n);
    take_fields(&reader, &request->arena, &request->query);
    take_fields(&reader, &request->arena, &request->headers);
    struct str body = message_take_bytes(&reader);
    packing->fine = !reader.bad && !reader.rest.n;
    if (packing->fine) buf_add(&request->body, body.p, body.n);
}

static void pack_reply(void *context)
{
    struct packing *packing = context;
    const struct reply *reply = packing->reply;
    struct buf *out = &packing->out;
    struct str body = reply_bytes(reply);
    put_number(out, (uint64_t)reply->status);
    put_number(out, reply->keep);
    put_fields(out, &reply->headers);
    message_put_bytes(out, body.p, body.n);
}

static void unpack_reply(void *context)
{
    struct packing *packing = context;
    struct reader reader = {packing->bytes, false};
    struct reply *reply = &packing->new_reply;
    uint64_t status = take_number(&reader);
    reply->keep = take_number(&reader) == 1;
    take_fields(&reader, &reply->arena, &reply->headers);
    struct str body = message_take_bytes(&reader);
    packing->fine = !reader.bad && !reader.rest.n && status >= 200 && status <= 599;
    if (!packing->fine) return;
    reply->status = (int)status;
    if (packing->borrows)
        reply->fixed = body;
    else
        buf_add(&reply->body, body.p, body.n);
}

static bool message_pack(struct packing *packing, void (*run)(void *context), struct buf *out)
{
    bool fine = attempt(run, packing);
    if (fine) *out = packing->out;
    return fine;
}

bool message_pack_request(const struct request *request, struct buf *out)
{
    return message_pack(&(struct packing){.request = request}, pack_request, out);
}

bool message_pack_reply(const struct reply *reply, struct buf *out)
{
    return message_pack(&(struct packing){.reply = reply}, pack_reply, out);
}

bool message_unpack_request(struct str bytes, struct request *request)
{
    struct packing packing = {.bytes = bytes};
    if (!attempt(unpack_request, &packing)) return false;
    if (packing.fine)
        *request = packing.new_request;
    else
        request_free(&packing.new_request);
    return packing.fine;
}

static bool unpack_any_reply(struct str bytes, bool borrows, struct reply *reply)
{
    struct packing packing = {.bytes = bytes, .borrows = borrows};
    if (!attempt(unpack_reply, &packing)) return false;
    if (packing.fine)
        *reply = packing.new_reply;
    else
        reply_free(&packing.new_reply);
    return packing.fine;
}

bool message_unpack_reply(struct str bytes, struct reply *reply)
{
    return unpack_any_reply(bytes, false, reply);
}

bool message_borrow_reply(struct str bytes, struct reply *reply)
{
    return unpack_any_reply(bytes, true, reply);
}
