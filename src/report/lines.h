/* The lines of a file that its edits changed. Known from the edits' places, so that no two texts
 * have to be compared. */
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
    uint32_t before, after; /* its numbers, from 1; 0 where it is not */
    struct str text;        /* the file's bytes without the line feed, or an excerpt of them */
    bool unended;           /* the text's last line, without a line feed */
    bool is_cut;            /* an excerpt, with an ellipsis for what is left out */
    int32_t shift;          /* what was at an offset of the line is there and so much */
};

/* What a report shows of the lines around a finding: of a long line what is around that place, of
 * other long lines the beginning. */
struct line_excerpt {
    uint32_t line, column; /* of the text before */
    size_t used;           /* bytes of all lines so far; 0 at first */
};

/* Lines that follow each other. first is the number of the first line, or of the one before the
 * place when count is 0, as unified diffs count. */
struct review_hunk {
    uint32_t before_first, before_count, after_first, after_count;
    struct VEC(struct review_row) rows;
};

/* Lines before_first up to before_count many became after_first … after_count (from 0), which are
 * the bytes after of the text after; after_index: of the first in after_starts. */
struct line_change {
    uint32_t before_first, before_count, after_first, after_count;
    struct span after;
    uint32_t after_index;
};

/* Two texts and what differs, in order; neighbouring changes are one. Borrows both texts. */
struct line_map {
    struct arena arena;
    struct source before;
    struct str after;
    uint32_t before_count; /* lines; none follows the last line feed */
    struct VEC(struct line_change) changes;
    struct VEC(uint32_t) after_starts; /* of the lines of all changes */
};

/* The text that was read and the one that came out of it. */
void line_map_build(struct line_map *map, const struct ptxopt_result *result);
void line_map_free(struct line_map *map);

/* The line with this number (from 1) of the text before, without its line feed. */
struct str line_map_text(const struct line_map *map, uint32_t number);

/* The number in the text after of the line that had this number before; 0: there is none,
 * or it cannot be determined. */
uint32_t line_map_after(const struct line_map *map, uint32_t number);

/* Fills *hunk with the lines first to last of the text before (from 1, both included, cut to what
 * there is) and what they became. A row's text is a copy in arena: whole, or with excerpt (NULL:
 * none) at most some 1,200 bytes of it. Rows for free with vec_free. */
void line_map_rows(const struct line_map *map, uint32_t first, uint32_t last,
                   struct line_excerpt *excerpt, struct arena *arena, struct review_hunk *hunk);

/* A copy of a text as one instruction, as clean_instruction, of at most some 240 bytes. */
const char *line_instruction(struct arena *arena, struct str text);

#endif
