/* Decides whether a difference is explained. See explained.h. */
#include "explained.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"
#include "base/vec.h"

struct row {
    const char *file, *function, *what;
};

static struct {
    struct row *at;
    uint32_t count, cap;
} rows;

void explained_read(const char *path)
{
    struct bytes table = file_read(path); /* the rows point into it */
    for (char *rest, *line = table.data ? strtok_r(table.data, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        char *cell;
        struct row row = {.file = strtok_r(line, "\t", &cell)};
        row.function = row.file ? strtok_r(NULL, "\t", &cell) : NULL;
        row.what = row.function ? strtok_r(NULL, "\t", &cell) : NULL;
        const char *why = row.what ? strtok_r(NULL, "\t", &cell) : NULL;
        if (why) vec_push(&rows, row);
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), length = strlen(end);
    return n >= length && !strcmp(text + n - length, end);
}

bool is_explained(const char *path, const char *function, const char *what)
{
    for (uint32_t i = 0; i < rows.count; i++) {
        const struct row *row = &rows.at[i];
        if (ends_with(path, row->file) && !strcmp(row->function, function) &&
            !fnmatch(row->what, what, 0))
            return true;
    }
    return false;
}
