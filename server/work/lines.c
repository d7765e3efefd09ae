/* Splits the body of a batch into lines. It is decompressed in small blocks, since a few bytes
 * may expand to hundreds of megabytes. */
#include "server/work/lines.h"

#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "server/base/attempt.h"
#include "server/handle/codec.h"

struct lines {
    struct service *service;
    struct codec_decoder *decoder;

    pthread_mutex_t lock; /* of the next four, which the adding and the taking thread share */
    struct buf added;
    uint64_t sent_bytes;
    bool finished, is_over; /* over: more was sent than --max-batch-bytes */
    size_t undecoded;

    struct buf coded; /* the bytes being decoded, from at */
    size_t at;
    struct buf plain; /* a block, from plain_at */
    size_t plain_at;
    uint64_t plain_bytes;
    struct buf tail; /* a line in the making; its bytes are reserved */
    enum { TAIL_KEPT, TAIL_LONG, TAIL_BUSY } tail_is; /* not KEPT: only its end is looked for */
};

struct lines *lines_new(struct service *service, const char *coding)
{
    struct lines *lines = mem_zalloc(1, sizeof *lines);
    lines->service = service;
    lines->decoder = codec_decoder_new(coding);
    pthread_mutex_init(&lines->lock, NULL);
    return lines;
}

static void drop_tail(struct lines *lines)
{
    service_release(lines->service, lines->tail.len);
    buf_free(&lines->tail);
}

void lines_free(struct lines *lines)
{
    service_release(lines->service, lines->undecoded);
    drop_tail(lines);
    codec_decoder_free(lines->decoder);
    buf_free(&lines->added);
    buf_free(&lines->coded);
    buf_free(&lines->plain);
    pthread_mutex_destroy(&lines->lock);
    mem_free(lines);
}

/* ---- adding ---- */

bool lines_add(struct lines *lines, const char *bytes, size_t len)
{
    pthread_mutex_lock(&lines->lock);
    uint64_t room = lines->service->settings->limits.max_batch_bytes - lines->sent_bytes;
    if (len > room) {
        len = (size_t)room;
        lines->is_over = true;
    }
    bool fine = service_reserve(lines->service, len);
    if (fine && !attempt_add(&lines->added, bytes, len)) {
        service_release(lines->service, len);
        fine = false;
    }
    if (fine) {
        lines->sent_bytes += len;
        lines->undecoded += len;
    }
    pthread_mutex_unlock(&lines->lock);
    return fine;
}

void lines_finish(struct lines *lines)
{
    pthread_mutex_lock(&lines->lock);
    lines->finished = true;
    pthread_mutex_unlock(&lines->lock);
}

size_t lines_undecoded(struct lines *lines)
{
    pthread_mutex_lock(&lines->lock);
    size_t undecoded = lines->undecoded;
    pthread_mutex_unlock(&lines->lock);
    return undecoded;
}

/* Releases the decoded bytes, and replaces them by those that were added since. */
static void exchange_coded(struct lines *lines, bool *finished, bool *is_over)
{
    pthread_mutex_lock(&lines->lock);
    service_release(lines->service, lines->coded.len);
    lines->undecoded -= lines->coded.len;
    buf_free(&lines->coded);
    lines->coded = lines->added;
    lines->added = (struct buf){0};
    lines->at = 0;
    *finished = lines->finished;
    *is_over = lines->is_over;
    pthread_mutex_unlock(&lines->lock);
}

/* ---- lines ---- */

static bool line_is_blank(const struct buf *line)
{
    for (size_t i = 0; i < line->len; i++)
        if (!memchr(" \t\r", line->data[i], 3)) return false;
    return true;
}

static enum lines_event end_line(struct lines *lines, struct buf *out)
{
    enum lines_event event = lines->tail_is == TAIL_LONG   ? LINES_LONG
                             : lines->tail_is == TAIL_BUSY ? LINES_BUSY
                             : line_is_blank(&lines->tail) ? LINES_BLANK
                                                           : LINES_LINE;
    lines->tail_is = TAIL_KEPT;
    if (event != LINES_LINE) {
        drop_tail(lines);
        return event;
    }
    *out = lines->tail;
    lines->tail = (struct buf){0};
    return event;
}

static void add_to_tail(struct lines *lines, const char *bytes, size_t len)
{
    if (lines->tail_is != TAIL_KEPT) return;
    if (lines->tail.len + len > lines->service->settings->limits.max_body)
        lines->tail_is = TAIL_LONG;
    else if (!service_reserve(lines->service, len))
        lines->tail_is = TAIL_BUSY;
    if (lines->tail_is == TAIL_KEPT && !attempt_add(&lines->tail, bytes, len)) {
        service_release(lines->service, len);
        lines->tail_is = TAIL_BUSY;
    }
    if (lines->tail_is != TAIL_KEPT) drop_tail(lines);
}

/* Up to the next line's end in plain; SOME when there is none. */
static enum lines_event split_line(struct lines *lines, struct buf *out)
{
    const char *from = lines->plain.data + lines->plain_at;
    size_t left = lines->plain.len - lines->plain_at;
    const char *end = memchr(from, '\n', left);
    size_t len = end ? (size_t)(end - from) : left;
    add_to_tail(lines, from, len);
    lines->plain_at += len + (end != NULL);
    return end ? end_line(lines, out) : LINES_SOME;
}

static enum lines_event decode_block(struct lines *lines)
{
    struct str in = {lines->coded.data + lines->at, lines->coded.len - lines->at};
    lines->plain.len = lines->plain_at = 0;
    enum codec_outcome outcome = codec_decoder_step(lines->decoder, &in, &lines->plain);
    lines->at = lines->coded.len - in.n;
    lines->plain_bytes += lines->plain.len;
    if (outcome == CODEC_NO_MEMORY || outcome == CODEC_UNKNOWN) return LINES_NO_MEMORY;
    if (outcome == CODEC_WINDOW) return LINES_WINDOW;
    if (outcome != CODEC_DONE) return LINES_CORRUPT;
    return lines->plain_bytes > lines->service->settings->limits.max_batch_bytes ? LINES_MANY
                                                                                 : LINES_SOME;
}

static bool has_coded(const struct lines *lines)
{
    struct str rest = {lines->coded.data, lines->coded.len - lines->at};
    return codec_decoder_has_more(lines->decoder, rest);
}

enum lines_event lines_next(struct lines *lines, struct buf *out)
{
    bool finished, is_over;
    if (lines->plain_at < lines->plain.len) return split_line(lines, out);
    if (has_coded(lines)) return decode_block(lines);
    exchange_coded(lines, &finished, &is_over);
    if (lines->coded.len) return LINES_SOME;
    if (is_over) return LINES_MANY;
    if (!finished) return LINES_NONE;
    if (!codec_decoder_is_whole(lines->decoder)) return LINES_CORRUPT;
    if (lines->tail.len || lines->tail_is != TAIL_KEPT) return end_line(lines, out);
    return LINES_END;
}
