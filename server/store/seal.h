/* The seal around a value in a shared cache, by which wrong values are detected. */
#ifndef SERVER_STORE_SEAL_H
#define SERVER_STORE_SEAL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"

enum { SEAL_MOST = 256 }; /* bytes that a seal adds */

/* A value with its key and digest or signature around it, and back: false for anything but what
 * seal_add made for this key with this secret. seal_add's false: out of memory. */
bool seal_add(struct str secret, const char *key, struct str value, struct buf *out);
bool seal_open(struct str secret, const char *key, struct str sealed, struct str *value);

#endif
