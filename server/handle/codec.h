/* Content codings: gzip, and zstd where it was built in. */
#ifndef SERVER_HANDLE_CODEC_H
#define SERVER_HANDLE_CODEC_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"

enum codec_outcome {
    CODEC_DONE,
    CODEC_UNKNOWN,
    CODEC_CORRUPT,
    CODEC_TOO_LARGE,
    CODEC_NO_MEMORY,
    CODEC_WINDOW /* zstd, with a window larger than CODEC_WINDOW_MIB */
};
enum { CODEC_WINDOW_MIB = 8 };

/* Whether it is a coding that can be read. "identity" is one. */
bool codec_is_known(const char *coding);

/* The coding that an Accept-Encoding header likes best, NULL for none. */
const char *codec_choose(const char *accept_encoding);

/* "gzip, zstd": for Accept-Encoding in a 415. */
const char *codec_all(void);

/* Decompresses in, stopping soon after out grows beyond most bytes. out is empty unless DONE. */
enum codec_outcome codec_decode(const char *coding, struct str in, size_t most, struct buf *out);

/* Compresses; false when it could not, out is then empty. */
bool codec_encode(const char *coding, struct str in, struct buf *out);

/* ---- piece by piece; a coding is NULL, "identity" or one that is known ---- */

struct codec_decoder;
struct codec_decoder *codec_decoder_new(const char *coding);
void codec_decoder_free(struct codec_decoder *decoder);

/* Appends at most 64 KiB of what in decompresses to, and moves in past what was read. UNKNOWN of a
 * coding that is known: there was no memory for the decoder. */
enum codec_outcome codec_decoder_step(struct codec_decoder *decoder, struct str *in,
                                      struct buf *out);
/* Whether another step would give anything. */
bool codec_decoder_has_more(const struct codec_decoder *decoder, struct str in);
/* Whether the body could end here. */
bool codec_decoder_is_whole(const struct codec_decoder *decoder);

/* FLUSH: what was added can be read at the other end. END: nothing more comes. */
enum codec_step { CODEC_MORE, CODEC_FLUSH, CODEC_END };

struct codec_encoder;
struct codec_encoder *codec_encoder_new(const char *coding);
void codec_encoder_free(struct codec_encoder *encoder);

/* Appends to out. False when the library cannot. */
bool codec_encoder_add(struct codec_encoder *encoder, struct str in, enum codec_step step,
                       struct buf *out);

#endif
