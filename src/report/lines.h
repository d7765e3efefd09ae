/* Finds the lines of a file that its edits changed. They are known from the places of the edits, so
 * no texts are compared. */
#ifndef PTXOPT_REPORT_LINES_H
#define PTXOPT_REPORT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "api/ptxopt.h"
#include "text/source.h"

/* A line as in a unified diff. */
struct review_row {
    char op;                /* ' ' in both texts, '-' before only, '+' after only */
    uint32_t before, after; /* line numbers from 1; 0: the line is not in that text */
    struct str text;        /* the bytes of the line without the line feed, or an excerpt */
    bool unended;           /* the last line of the text, and it has no line feed */
    bool is_cut;            /* it is an excerpt, with an ellipsis for omitted text */
    int32_t shift;          /* add it to an offset in the line to get the offset in text */
};

/* How reports shorten the lines around a finding: long lines are cut to the part around the
 * finding, other long lines to their beginning. */
struct line_excerpt {
    uint32_t line, column; /* in the text before */
    size_t used;           /* bytes of all lines so far; 0 at first */
};

/* Consecutive lines. first is the number of the first line or, if count is 0, of the line before
 * the place, as in unified diffs. */
struct review_hunk {
    uint32_t before_first, before_count, after_first, after_count;
    struct VEC(struct review_row) rows;
};

/* Lines before_first to before_first + before_count became after_first to after_first + after_count
 * (from 0, ends exclusive). after: their bytes in the text after. after_index: index of the first
 * of them in after_starts. */
struct line_change {
    uint32_t before_first, before_count, after_first, after_count;
    struct span after;
    uint32_t after_index;
};

/* Two texts and their differences, in order; adjacent changes are merged. Borrows both texts. */
struct line_map {
    struct arena arena;
    struct source before;
    struct str after;
    uint32_t before_count; /* number of lines; there is none after the last line feed */
    struct VEC(struct line_change) changes;
    struct VEC(uint32_t) after_starts; /* starts of the lines of all changes */
    const char **instructions; /* by number of the line before: scratch of the caller, who kept its
                                  instruction there; NULL until needed */
};

/* Fills *map with the input and the output of the result, and their differences. */
void line_map_build(struct line_map *map, const struct ptxopt_result *result);
void line_map_free(struct line_map *map);

/* The line with that number (from 1) of the text before, without its line feed; "" if there is
 * none. */
struct str line_map_text(const struct line_map *map, uint32_t number);

/* The number in the text after of the line with that number in the text before; 0: there is none,
 * or it is not known. */
uint32_t line_map_after(const struct line_map *map, uint32_t number);

/* Fills *hunk with lines first to last of the text before (from 1, both included, limited to those
 * that exist) and the lines that replace them. The text of a row is a copy in arena: complete, or
 * with excerpt (NULL: none) at most about 1,200 bytes. The caller frees the rows with vec_free. */
void line_map_rows(const struct line_map *map, uint32_t first, uint32_t last,
                   struct line_excerpt *excerpt, struct arena *arena, struct review_hunk *hunk);

/* A copy of the text of one instruction, as clean_instruction, of at most about 240 bytes. In
 * arena. */
const char *line_instruction(struct arena *arena, struct str text);

#endif
