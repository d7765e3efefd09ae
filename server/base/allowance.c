/* Counts requests in fixed windows, each of which begins with the first request after the one
 * before. See allowance.h. */
#include "server/base/allowance.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define SECOND_US ((uint64_t)1000000)

struct window {
    struct allowance_limit limit;
    uint64_t begin_us, used;
};

struct allowance {
    struct allowance *next;
    pthread_mutex_t lock; /* of what follows up to windows */
    struct window windows[ALLOWANCE_KINDS];
    atomic_uint_fast64_t accepted, refused;
    char name[];
};

struct allowances {
    pthread_mutex_t lock;
    struct allowance *first;
};

static const char *const kinds[ALLOWANCE_KINDS] = {
    [ALLOWANCE_RATE] = "rate", [ALLOWANCE_QUOTA] = "quota"};

struct allowances *allowances_new(void)
{
    struct allowances *allowances = mem_zalloc(1, sizeof *allowances);
    pthread_mutex_init(&allowances->lock, NULL);
    return allowances;
}

void allowances_free(struct allowances *allowances)
{
    if (!allowances) return;
    while (allowances->first) {
        struct allowance *next = allowances->first->next;
        pthread_mutex_destroy(&allowances->first->lock);
        mem_free(allowances->first);
        allowances->first = next;
    }
    pthread_mutex_destroy(&allowances->lock);
    mem_free(allowances);
}

struct allowance *allowances_get(struct allowances *allowances, const char *name)
{
    pthread_mutex_lock(&allowances->lock);
    struct allowance *one = allowances->first;
    while (one && strcmp(one->name, name) != 0) one = one->next;
    if (!one) {
        size_t size = strlen(name) + 1;
        one = mem_zalloc(1, sizeof *one + size);
        pthread_mutex_init(&one->lock, NULL);
        memcpy(one->name, name, size);
        one->next = allowances->first;
        allowances->first = one;
    }
    pthread_mutex_unlock(&allowances->lock);
    return one;
}

void allowance_set(struct allowance *allowance,
                   const struct allowance_limit limits[ALLOWANCE_KINDS])
{
    pthread_mutex_lock(&allowance->lock);
    for (int i = 0; i < ALLOWANCE_KINDS; i++) {
        struct window *window = &allowance->windows[i];
        if (window->limit.window_s != limits[i].window_s) *window = (struct window){0};
        window->limit = limits[i];
    }
    pthread_mutex_unlock(&allowance->lock);
}

/* ---- windows; with the lock held ---- */

/* Seconds until the window ends, at least one; a window that is over begins again. */
static uint64_t window_left_s(struct window *window, uint64_t now_us)
{
    uint64_t length_us = window->limit.window_s * SECOND_US;
    if (!window->used || now_us - window->begin_us >= length_us) {
        window->begin_us = now_us;
        window->used = 0;
    }
    uint64_t left_us = length_us - (now_us - window->begin_us);
    return (left_us + SECOND_US - 1) / SECOND_US;
}

uint64_t allowance_take(struct allowance *allowance, uint64_t now_us)
{
    uint64_t wait_s = 0;
    pthread_mutex_lock(&allowance->lock);
    for (int i = 0; i < ALLOWANCE_KINDS; i++) {
        struct window *window = &allowance->windows[i];
        if (!window->limit.most) continue;
        uint64_t left_s = window_left_s(window, now_us);
        if (window->used >= window->limit.most && left_s > wait_s) wait_s = left_s;
    }
    for (int i = 0; i < ALLOWANCE_KINDS && !wait_s; i++) allowance->windows[i].used++;
    pthread_mutex_unlock(&allowance->lock);
    atomic_fetch_add(wait_s ? &allowance->refused : &allowance->accepted, 1);
    return wait_s;
}

void allowance_print(struct allowance *allowance, uint64_t now_us, char policy[ALLOWANCE_TEXT],
                     char state[ALLOWANCE_TEXT])
{
    size_t policy_len = 0, state_len = 0;
    *policy = *state = 0;
    pthread_mutex_lock(&allowance->lock);
    for (int i = 0; i < ALLOWANCE_KINDS; i++) {
        struct window *window = &allowance->windows[i];
        const struct allowance_limit *limit = &window->limit;
        if (!limit->most) continue;
        const char *comma = policy_len ? ", " : "";
        uint64_t left_s = window_left_s(window, now_us);
        uint64_t left = window->used < limit->most ? limit->most - window->used : 0;
        policy_len += (size_t)snprintf(policy + policy_len, ALLOWANCE_TEXT - policy_len,
                                       "%s\"%s\";q=%" PRIu64 ";w=%" PRIu64, comma, kinds[i],
                                       limit->most, limit->window_s);
        state_len +=
            (size_t)snprintf(state + state_len, ALLOWANCE_TEXT - state_len,
                             "%s\"%s\";r=%" PRIu64 ";t=%" PRIu64, comma, kinds[i], left, left_s);
    }
    pthread_mutex_unlock(&allowance->lock);
}

/* ---- counters ---- */

static void write_client_count(struct buf *out, const char *name, const char *outcome,
                               uint64_t value)
{
    buf_puts(out, "ptxopt_client_requests_total{client=\"");
    for (const char *p = name; *p; p++) {
        if (*p == '"' || *p == '\\') buf_putc(out, '\\');
        buf_putc(out, *p);
    }
    buf_printf(out, "\",outcome=\"%s\"} %" PRIu64 "\n", outcome, value);
}

/* Without the lock, since writing may be left in the middle: the list only grows at its front. */
void allowances_write(struct allowances *allowances, struct buf *out)
{
    pthread_mutex_lock(&allowances->lock);
    struct allowance *first = allowances->first;
    pthread_mutex_unlock(&allowances->lock);
    buf_puts(out,
             "# HELP ptxopt_client_requests_total Requests and lines of batches, by the name of "
             "their token; refused: over its rate or quota.\n"
             "# TYPE ptxopt_client_requests_total counter\n");
    for (struct allowance *one = first; one; one = one->next) {
        write_client_count(out, one->name, "accepted", atomic_load(&one->accepted));
        write_client_count(out, one->name, "refused", atomic_load(&one->refused));
    }
}
