/* How does a body become smaller, and how is one that grows without end stopped? The output is
 * made in steps, and the limit is asked before each. */
#include "server/codec.h"

#include <stdint.h>
#include <strings.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/mem.h"
#include "server/negotiate.h"

enum { STEP = 1 << 16, GZIP = 16 + MAX_WBITS, GZIP_LEVEL = 3 };
#ifdef HAVE_ZSTD
enum { ZSTD_LEVEL = 3, ZSTD_WINDOW_LOG = 23 };
#endif

const char *codec_all(void)
{
#ifdef HAVE_ZSTD
    return "gzip, zstd";
#else
    return "gzip";
#endif
}

const char *codec_choose(const char *accept_encoding)
{
    static const char *const offers[] = {
#ifdef HAVE_ZSTD
        "zstd",
#endif
        "gzip"};
    return accept_encoding
               ? negotiate_best(accept_encoding, offers, sizeof offers / sizeof *offers)
               : NULL;
}

/* Adds a step; false when that would be more than most. */
static bool add_step(struct buf *out, const void *step, size_t len, size_t most)
{
    if (len > most - out->len) return false;
    buf_add(out, step, len);
    return true;
}

/* ---- gzip: several members in a row are one body (RFC 1952) ---- */

static enum codec_outcome gunzip(struct str in, size_t most, struct buf *out)
{
    z_stream stream = {0};
    unsigned char step[STEP];
    int status = Z_OK;
    enum codec_outcome outcome = CODEC_DONE;
    if (in.n > UINT32_MAX || inflateInit2(&stream, GZIP) != Z_OK) return CODEC_CORRUPT;
    stream.next_in = (unsigned char *)(uintptr_t)in.p;
    stream.avail_in = (uInt)in.n;
    while (outcome == CODEC_DONE) {
        stream.next_out = step;
        stream.avail_out = sizeof step;
        status = inflate(&stream, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END) outcome = CODEC_CORRUPT;
        else if (!add_step(out, step, sizeof step - stream.avail_out, most))
            outcome = CODEC_TOO_LARGE;
        if (status != Z_STREAM_END) continue;
        if (!stream.avail_in) break;
        inflateReset(&stream);
    }
    inflateEnd(&stream);
    return outcome;
}

static bool gzip(struct str in, struct buf *out)
{
    z_stream stream = {0};
    unsigned char step[STEP];
    int status = Z_OK;
    if (in.n > UINT32_MAX ||
        deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    stream.next_in = (unsigned char *)(uintptr_t)in.p;
    stream.avail_in = (uInt)in.n;
    while (status == Z_OK) {
        stream.next_out = step;
        stream.avail_out = sizeof step;
        status = deflate(&stream, Z_FINISH);
        buf_add(out, step, sizeof step - stream.avail_out);
    }
    deflateEnd(&stream);
    return status == Z_STREAM_END;
}

/* ---- zstd ---- */

#ifdef HAVE_ZSTD
static enum codec_outcome unzstd(struct str in, size_t most, struct buf *out)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    char step[STEP];
    size_t left = 1;
    enum codec_outcome outcome = context ? CODEC_DONE : CODEC_CORRUPT;
    ZSTD_inBuffer source = {in.p, in.n, 0};
    /* The window is memory that the client chooses; 8 MiB is what RFC 8878 asks of everybody. */
    if (context) ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
    while (outcome == CODEC_DONE && (source.pos < source.size || left)) {
        ZSTD_outBuffer target = {step, sizeof step, 0};
        size_t before = source.pos;
        left = ZSTD_decompressStream(context, &target, &source);
        if (ZSTD_isError(left)) outcome = CODEC_CORRUPT;
        else if (!target.pos && source.pos == before && left) outcome = CODEC_CORRUPT;
        else if (!add_step(out, step, target.pos, most)) outcome = CODEC_TOO_LARGE;
    }
    ZSTD_freeDCtx(context);
    return outcome;
}

static bool zstd(struct str in, struct buf *out)
{
    size_t cap = ZSTD_compressBound(in.n);
    char *bytes = mem_alloc(cap);
    size_t len = ZSTD_compress(bytes, cap, in.p, in.n, ZSTD_LEVEL);
    if (!ZSTD_isError(len)) buf_add(out, bytes, len);
    mem_free(bytes);
    return !ZSTD_isError(len);
}
#endif

enum codec_outcome codec_decode(const char *coding, struct str in, size_t most, struct buf *out)
{
    enum codec_outcome outcome = CODEC_UNKNOWN;
    if (strcasecmp(coding, "gzip") == 0 || strcasecmp(coding, "x-gzip") == 0)
        outcome = gunzip(in, most, out);
#ifdef HAVE_ZSTD
    if (strcasecmp(coding, "zstd") == 0) outcome = unzstd(in, most, out);
#endif
    if (outcome != CODEC_DONE) buf_free(out);
    return outcome;
}

bool codec_encode(const char *coding, struct str in, struct buf *out)
{
    bool fine = false;
    if (strcasecmp(coding, "gzip") == 0) fine = gzip(in, out);
#ifdef HAVE_ZSTD
    if (strcasecmp(coding, "zstd") == 0) fine = zstd(in, out);
#endif
    if (!fine) buf_free(out);
    return fine;
}
