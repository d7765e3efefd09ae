/* Loads libcurl and zlib, so that neither is needed where no server is used. */
#ifndef PTXOPT_CLI_LOADED_H
#define PTXOPT_CLI_LOADED_H

/* The type checks of curl.h are macros that work only for the functions themselves, not for
 * pointers to them. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>
#include <zlib.h>

#include "base/buf.h"

/* The functions that are used, by their names in the libraries. */
#define LOADED_CURL(X)                                                                             \
    X(curl_global_init)                                                                            \
    X(curl_easy_init)                                                                              \
    X(curl_easy_setopt)                                                                            \
    X(curl_easy_perform)                                                                           \
    X(curl_easy_getinfo)                                                                           \
    X(curl_easy_cleanup)                                                                           \
    X(curl_easy_strerror)                                                                          \
    X(curl_slist_append)                                                                           \
    X(curl_slist_free_all)
#define LOADED_ZLIB(X)                                                                             \
    X(deflateInit2_)                                                                               \
    X(deflateBound)                                                                                \
    X(deflate)                                                                                     \
    X(deflateEnd)

struct loaded {
#define FIELD(name) __typeof__(name) *name;
    LOADED_CURL(FIELD)
    LOADED_ZLIB(FIELD)
#undef FIELD
    bool zips; /* zlib was loaded */
};

/* Loads both libraries; without zlib, nothing is compressed. False without libcurl, and error says
 * why. The libraries stay loaded. */
bool loaded_open(struct loaded *loaded, struct buf *error);

#endif
