/* Computes hashes of lines. The hash of a line is that of a rolling window, known when the window
 * contains the 100 characters from the start of the line. See line_hash.h. */
#include "report/line_hash.h"

#include <inttypes.h>
#include <stdbool.h>

#include "base/intern.h"
#include "report/clean.h"

enum { WINDOW = 100, FACTOR = 37, END_OF_TEXT = 0xffff, SUPPLEMENTARY = 0x10000 };

struct roller {
    uint16_t window[WINDOW]; /* UTF-16, as in JavaScript */
    bool begins[WINDOW];     /* a line begins here whose hash is not known yet */
    uint32_t at;
    uint64_t value, first_factor; /* first_factor: of the unit that leaves the window */
    bool line_start, after_cr;
    struct arena arena;
    struct intern seen;
    struct VEC(uint32_t) times;
    struct line_hash_list *list;
};

static void add_line_hash(struct roller *roller)
{
    uint64_t value = roller->value;
    const char *key = arena_copy(&roller->arena, (const char *)&value, sizeof value);
    uint32_t index = intern_add(&roller->seen, 0, (struct str){key, sizeof value});
    if (index == roller->times.count) vec_push(&roller->times, 0);
    vec_push(roller->list, (struct line_hash){value, ++roller->times.at[index]});
    roller->begins[roller->at] = false;
}

static void roll_window(struct roller *roller, uint16_t unit)
{
    uint64_t leaves = roller->window[roller->at];
    roller->window[roller->at] = unit;
    roller->value = FACTOR * roller->value + unit - roller->first_factor * leaves;
    roller->at = (roller->at + 1) % WINDOW;
}

static void take_unit(struct roller *roller, uint16_t unit)
{
    bool rest_of_crlf = roller->after_cr && unit == '\n';
    roller->after_cr = unit == '\r';
    if (unit == ' ' || unit == '\t' || rest_of_crlf) return;
    if (unit == '\r') unit = '\n';
    if (roller->begins[roller->at]) add_line_hash(roller);
    roller->begins[roller->at] = roller->line_start;
    roller->line_start = unit == '\n';
    roll_window(roller, unit);
}

void line_hashes(struct line_hash_list *list, struct str text)
{
    struct roller roller = {.first_factor = 1, .line_start = true, .list = list};
    for (int i = 0; i < WINDOW; i++) roller.first_factor *= FACTOR;
    while (text.n) {
        uint32_t code;
        size_t len = clean_char(text, &code);
        bool pair = code >= SUPPLEMENTARY;
        if (pair) take_unit(&roller, (uint16_t)(0xd800 + ((code - SUPPLEMENTARY) >> 10)));
        take_unit(&roller, (uint16_t)(pair ? 0xdc00 + (code & 0x3ff) : code));
        text.p += len;
        text.n -= len;
    }
    take_unit(&roller, END_OF_TEXT);
    for (int i = 0; i < WINDOW; i++) {
        if (roller.begins[roller.at]) add_line_hash(&roller);
        roll_window(&roller, 0);
    }
    vec_free(&roller.times);
    intern_free(&roller.seen);
    arena_free(&roller.arena);
}

const char *line_hash_text(const struct line_hash_list *list, uint32_t line, struct arena *arena)
{
    if (!line || line > list->count) return "";
    const struct line_hash *hash = &list->at[line - 1];
    return arena_printf(arena, "%" PRIx64 ":%" PRIu32, hash->value, hash->times);
}
