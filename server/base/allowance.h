/* How many requests each named client (a token's name) may send in a time, and has sent. Any thread
 * may call these functions. */
#ifndef SERVER_BASE_ALLOWANCE_H
#define SERVER_BASE_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* most requests in each window of window_s seconds; most 0: no limit. */
struct allowance_limit {
    uint64_t most, window_s;
};

enum allowance_kind { ALLOWANCE_RATE, ALLOWANCE_QUOTA, ALLOWANCE_KINDS };

struct allowances;
struct allowance;

struct allowances *allowances_new(void);
void allowances_free(struct allowances *allowances);

/* The client of that name, made when it is new. It lives as long as allowances. */
struct allowance *allowances_get(struct allowances *allowances, const char *name);

/* The use in the current windows still counts, unless a window's length changes. */
void allowance_set(struct allowance *allowance,
                   const struct allowance_limit limits[ALLOWANCE_KINDS]);

/* Counts one more request at now_us, by clock_now_us. Returns 0 if it is allowed; otherwise the
 * seconds after which the client may retry, and no window counts the request. */
uint64_t allowance_take(struct allowance *allowance, uint64_t now_us);

/* The values of the header fields RateLimit-Policy and RateLimit
 * (draft-ietf-httpapi-ratelimit-headers-10); both are empty when there is no limit. */
enum { ALLOWANCE_TEXT = 160 };
void allowance_print(struct allowance *allowance, uint64_t now_us, char policy[ALLOWANCE_TEXT],
                     char state[ALLOWANCE_TEXT]);

/* Prometheus's counters of all clients. */
void allowances_write(struct allowances *allowances, struct buf *out);

#endif
