/* Media types and codings: what a header accepts. */
#ifndef SERVER_HANDLE_NEGOTIATE_H
#define SERVER_HANDLE_NEGOTIATE_H

#include <stdbool.h>
#include <stddef.h>

/* The weight (0 to 1000) that an Accept or Accept-Encoding header gives to one offer, by the most
 * exact range that covers it; 1000 when there is no header (NULL). */
int negotiate_weight(const char *accept, const char *offer);

/* The offer of greatest weight, the first of equals; NULL when all have none. */
const char *negotiate_best(const char *accept, const char *const *offers, size_t count);

/* Whether a Content-Type names this media type. Parameters are ignored. */
bool negotiate_is_type(const char *content_type, const char *type);

#endif
