/* The files that are part of the program. */
#ifndef SERVER_HANDLE_EMBEDDED_H
#define SERVER_HANDLE_EMBEDDED_H

#include <stddef.h>

extern const unsigned char embedded_openapi[], embedded_page[];
extern const size_t embedded_openapi_len, embedded_page_len;

#endif
