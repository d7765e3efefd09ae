/* Content codings: gzip, and zstd where it was built in. */
#ifndef SERVER_CODEC_H
#define SERVER_CODEC_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"

enum codec_outcome { CODEC_DONE, CODEC_UNKNOWN, CODEC_CORRUPT, CODEC_TOO_LARGE };

/* Decompresses in, stopping before out grows beyond most bytes. out is empty unless DONE. */
enum codec_outcome codec_decode(const char *coding, struct str in, size_t most, struct buf *out);

/* The coding that an Accept-Encoding header likes best, NULL for none. */
const char *codec_choose(const char *accept_encoding);

/* Compresses; false when it could not, out is then empty. */
bool codec_encode(const char *coding, struct str in, struct buf *out);

/* "gzip, zstd": for Accept-Encoding in a 415. */
const char *codec_all(void);

#endif
