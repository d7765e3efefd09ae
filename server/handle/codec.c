/* Compresses answers, and decompresses bodies without letting one grow without end. Output is made
 * in blocks, and the limit is checked before each. */
#include "server/handle/codec.h"

#include <stdint.h>
#include <strings.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "base/mem.h"
#include "server/base/attempt.h"
#include "server/handle/negotiate.h"

enum { BLOCK = 1 << 16, GZIP_WINDOW = 16 + MAX_WBITS, GZIP_LEVEL = 3 };
#ifdef HAVE_ZSTD
enum { ZSTD_LEVEL = 3, ZSTD_WINDOW_LOG = 23 };
#endif

enum kind { IDENTITY, GZIP, ZSTD, UNKNOWN };

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
    return accept_encoding ? negotiate_best(accept_encoding, offers, sizeof offers / sizeof *offers)
                           : NULL;
}

static enum kind coding_kind(const char *coding)
{
    if (!coding || strcasecmp(coding, "identity") == 0) return IDENTITY;
    if (strcasecmp(coding, "gzip") == 0 || strcasecmp(coding, "x-gzip") == 0) return GZIP;
#ifdef HAVE_ZSTD
    if (strcasecmp(coding, "zstd") == 0) return ZSTD;
#endif
    return UNKNOWN;
}

bool codec_is_known(const char *coding)
{
    return coding_kind(coding) != UNKNOWN;
}

/* ---- decompression ---- */

struct codec_decoder {
    enum kind kind;
    bool whole; /* a gzip member or zstd frame has just ended: several in a row are one body */
    bool full;  /* the last block was filled: there may be more without more input */
    z_stream gzip;
#ifdef HAVE_ZSTD
    ZSTD_DCtx *zstd;
#endif
};

struct codec_decoder *codec_decoder_new(const char *coding)
{
    struct codec_decoder *decoder = mem_zalloc(1, sizeof *decoder);
    decoder->kind = coding_kind(coding);
    decoder->whole = decoder->kind == IDENTITY;
    if (decoder->kind == GZIP && inflateInit2(&decoder->gzip, GZIP_WINDOW) != Z_OK)
        decoder->kind = UNKNOWN;
#ifdef HAVE_ZSTD
    if (decoder->kind == ZSTD) {
        decoder->zstd = ZSTD_createDCtx();
        /* The window is memory that the client chooses; 8 MiB is what RFC 8878 requires of all. */
        if (decoder->zstd)
            ZSTD_DCtx_setParameter(decoder->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
        else
            decoder->kind = UNKNOWN;
    }
#endif
    return decoder;
}

void codec_decoder_free(struct codec_decoder *decoder)
{
    if (!decoder) return;
    if (decoder->kind == GZIP) inflateEnd(&decoder->gzip);
#ifdef HAVE_ZSTD
    ZSTD_freeDCtx(decoder->zstd);
#endif
    mem_free(decoder);
}

static enum codec_outcome decode_gzip(struct codec_decoder *decoder, struct str *in,
                                      struct buf *out)
{
    z_stream *stream = &decoder->gzip;
    unsigned char block[BLOCK];
    size_t given = in->n < BLOCK ? in->n : BLOCK;
    if (decoder->whole && inflateReset(stream) != Z_OK) return CODEC_CORRUPT;
    stream->next_in = (unsigned char *)(uintptr_t)in->p;
    stream->avail_in = (uInt)given;
    stream->next_out = block;
    stream->avail_out = sizeof block;
    int status = inflate(stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) return CODEC_NO_MEMORY;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return CODEC_CORRUPT;
    decoder->whole = status == Z_STREAM_END;
    decoder->full = !stream->avail_out && !decoder->whole;
    in->p += given - stream->avail_in;
    in->n -= given - stream->avail_in;
    return attempt_add(out, block, sizeof block - stream->avail_out) ? CODEC_DONE : CODEC_NO_MEMORY;
}

#ifdef HAVE_ZSTD
static enum codec_outcome decode_zstd(struct codec_decoder *decoder, struct str *in,
                                      struct buf *out)
{
    char block[BLOCK];
    ZSTD_inBuffer source = {in->p, in->n, 0};
    ZSTD_outBuffer target = {block, sizeof block, 0};
    size_t left = ZSTD_decompressStream(decoder->zstd, &target, &source);
    switch (ZSTD_getErrorCode(left)) {
    case ZSTD_error_no_error: break;
    case ZSTD_error_memory_allocation: return CODEC_NO_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge: return CODEC_WINDOW;
    default: return CODEC_CORRUPT;
    }
    decoder->whole = left == 0;
    decoder->full = target.pos == target.size && !decoder->whole;
    in->p += source.pos;
    in->n -= source.pos;
    return attempt_add(out, block, target.pos) ? CODEC_DONE : CODEC_NO_MEMORY;
}
#endif

static enum codec_outcome decode_identity(struct str *in, struct buf *out)
{
    size_t n = in->n < BLOCK ? in->n : BLOCK;
    bool fine = attempt_add(out, in->p, n);
    in->p += n;
    in->n -= n;
    return fine ? CODEC_DONE : CODEC_NO_MEMORY;
}

enum codec_outcome codec_decoder_step(struct codec_decoder *decoder, struct str *in,
                                      struct buf *out)
{
    switch (decoder->kind) {
    case IDENTITY: return decode_identity(in, out);
    case GZIP: return decode_gzip(decoder, in, out);
#ifdef HAVE_ZSTD
    case ZSTD: return decode_zstd(decoder, in, out);
#else
    case ZSTD:
#endif
    case UNKNOWN: break;
    }
    return CODEC_UNKNOWN;
}

bool codec_decoder_has_more(const struct codec_decoder *decoder, struct str in)
{
    return in.n || decoder->full;
}

bool codec_decoder_is_whole(const struct codec_decoder *decoder)
{
    return decoder->whole;
}

enum codec_outcome codec_decode(const char *coding, struct str in, size_t most, struct buf *out)
{
    struct codec_decoder *decoder = codec_decoder_new(coding);
    enum codec_outcome outcome = CODEC_DONE;
    do {
        outcome = codec_decoder_step(decoder, &in, out);
        if (outcome == CODEC_DONE && out->len > most) outcome = CODEC_TOO_LARGE;
    } while (outcome == CODEC_DONE && codec_decoder_has_more(decoder, in));
    if (outcome == CODEC_DONE && !decoder->whole) outcome = CODEC_CORRUPT;
    if (outcome != CODEC_DONE) buf_free(out);
    codec_decoder_free(decoder);
    return outcome;
}

/* ---- compression ---- */

struct codec_encoder {
    enum kind kind;
    z_stream gzip;
#ifdef HAVE_ZSTD
    ZSTD_CCtx *zstd;
#endif
};

struct codec_encoder *codec_encoder_new(const char *coding)
{
    struct codec_encoder *encoder = mem_zalloc(1, sizeof *encoder);
    encoder->kind = coding_kind(coding);
    if (encoder->kind == GZIP && deflateInit2(&encoder->gzip, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW,
                                              8, Z_DEFAULT_STRATEGY) != Z_OK)
        encoder->kind = UNKNOWN;
#ifdef HAVE_ZSTD
    if (encoder->kind == ZSTD) {
        encoder->zstd = ZSTD_createCCtx();
        if (encoder->zstd)
            ZSTD_CCtx_setParameter(encoder->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
        else
            encoder->kind = UNKNOWN;
    }
#endif
    return encoder;
}

void codec_encoder_free(struct codec_encoder *encoder)
{
    if (!encoder) return;
    if (encoder->kind == GZIP) deflateEnd(&encoder->gzip);
#ifdef HAVE_ZSTD
    ZSTD_freeCCtx(encoder->zstd);
#endif
    mem_free(encoder);
}

static bool encode_gzip(z_stream *stream, struct str in, enum codec_step step, struct buf *out)
{
    static const int flush[] = {
        [CODEC_MORE] = Z_NO_FLUSH, [CODEC_FLUSH] = Z_SYNC_FLUSH, [CODEC_END] = Z_FINISH};
    unsigned char block[BLOCK];
    if (in.n > UINT32_MAX) return false;
    stream->next_in = (unsigned char *)(uintptr_t)in.p;
    stream->avail_in = (uInt)in.n;
    do {
        stream->next_out = block;
        stream->avail_out = sizeof block;
        int status = deflate(stream, flush[step]);
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return false;
        if (!attempt_add(out, block, sizeof block - stream->avail_out)) return false;
    } while (!stream->avail_out);
    return true;
}

#ifdef HAVE_ZSTD
static bool encode_zstd(ZSTD_CCtx *context, struct str in, enum codec_step step, struct buf *out)
{
    static const ZSTD_EndDirective mode[] = {
        [CODEC_MORE] = ZSTD_e_continue, [CODEC_FLUSH] = ZSTD_e_flush, [CODEC_END] = ZSTD_e_end};
    char block[BLOCK];
    ZSTD_inBuffer source = {in.p, in.n, 0};
    for (;;) {
        ZSTD_outBuffer target = {block, sizeof block, 0};
        size_t left = ZSTD_compressStream2(context, &target, &source, mode[step]);
        if (ZSTD_isError(left)) return false;
        if (!attempt_add(out, block, target.pos)) return false;
        if (step == CODEC_MORE ? source.pos == source.size : left == 0) return true;
    }
}
#endif

bool codec_encoder_add(struct codec_encoder *encoder, struct str in, enum codec_step step,
                       struct buf *out)
{
    switch (encoder->kind) {
    case IDENTITY: return attempt_add(out, in.p, in.n);
    case GZIP: return encode_gzip(&encoder->gzip, in, step, out);
#ifdef HAVE_ZSTD
    case ZSTD: return encode_zstd(encoder->zstd, in, step, out);
#else
    case ZSTD:
#endif
    case UNKNOWN: break;
    }
    return false;
}

bool codec_encode(const char *coding, struct str in, struct buf *out)
{
    struct codec_encoder *encoder = codec_encoder_new(coding);
    bool fine = codec_encoder_add(encoder, in, CODEC_END, out);
    if (!fine) buf_free(out);
    codec_encoder_free(encoder);
    return fine;
}
