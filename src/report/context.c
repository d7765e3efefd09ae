/* Collects what formats that show a whole kernel need besides the findings: its operations, the
 * lines around each item, and what was read. */
#include "report/model.h"

#include <stdlib.h>

#include "base/intern.h"
#include "report/clean.h"

/* The instruction without its guard. */
static const char *operation_text(struct review_file *file, struct str input,
                                  const struct ptxopt_operation *operation)
{
    struct str span = {input.p + operation->start, operation->end - operation->start};
    const char *text = line_instruction(&file->arena, span);
    if (*text != '@') return text;
    const char *behind = strchr(text, ' ');
    return behind ? behind + 1 : text;
}

/* Advances *item to the instruction that starts at that offset and returns 1 + the index of its
 * item; 0 if it has none. */
static uint32_t item_at(const struct review_file *file, uint32_t start, uint32_t *item)
{
    const struct review_item_list *items = &file->items;
    while (*item < items->count && items->at[*item].finding.start < start) ++*item;
    for (uint32_t i = *item; i < items->count && items->at[i].finding.start == start; i++)
        if (review_is_ruled(&items->at[i]) && items->at[i].finding.kind != PTXOPT_ADVICE)
            return i + 1;
    return 0;
}

/* The kernel with that name if it has no operations yet, otherwise NULL. names: the names of the
 * kernels in their order, then others. */
static struct review_kernel *kernel_without_operations(struct review_file *file,
                                                       struct intern *names, const char *name)
{
    const char *clean = review_copy_name(file, name);
    uint32_t index = intern_add(names, 0, str_from(clean));
    struct review_kernel *kernel = index < file->kernels.count ? &file->kernels.at[index] : NULL;
    return kernel && !kernel->operation_count ? kernel : NULL;
}

static void add_operations(struct review_file *file, const struct ptxopt_result *result)
{
    size_t count;
    struct str input;
    const struct ptxopt_operation *operations = ptxopt_result_operations(result, &count);
    const struct ptxopt_finding *deleted = ptxopt_result_next(result, PTXOPT_DELETED, NULL);
    struct review_kernel *kernel = NULL;
    const char *function = NULL;
    struct intern names = {0};
    uint32_t item = 0;
    for (uint32_t k = 0; k < file->kernels.count; k++)
        intern_add(&names, 0, str_from(file->kernels.at[k].name));
    input.p = ptxopt_result_input(result, &input.n);
    for (size_t i = 0; i < count; i++) {
        const struct ptxopt_operation *from = &operations[i];
        if (from->function != function) {
            function = from->function;
            kernel = kernel_without_operations(file, &names, function);
            if (kernel) kernel->first_operation = file->operations.count;
        }
        if (!kernel) continue;
        while (deleted && deleted->start < from->start)
            deleted = ptxopt_result_next(result, PTXOPT_DELETED, deleted);
        struct review_operation operation = {.kind = from->kind, .line = from->line};
        operation.text = operation_text(file, input, from);
        operation.deleted = deleted && deleted->start == from->start;
        operation.item = item_at(file, from->start, &item);
        vec_push(&file->operations, operation);
        kernel->operation_count++;
    }
    intern_free(&names);
}

/* ---- the lines around an item ---- */

enum { CONTEXT = 2, MANY_LINES = 12, NEAR = 3 };

/* A range of lines; last is included. */
struct stretch_of_lines {
    uint32_t first, last;
};

static int by_first(const void *a, const void *b)
{
    const struct stretch_of_lines *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void context_add_lines(struct review_file *file, struct review_item *item,
                              const struct line_map *map)
{
    struct VEC(struct stretch_of_lines) all = {0};
    uint32_t line = item->finding.line, end = item->finding.end_line;
    struct line_excerpt excerpt = {.line = line, .column = item->finding.column};
    if (end - line > MANY_LINES) end = line + MANY_LINES;
    vec_push(&all, (struct stretch_of_lines){line > CONTEXT ? line - CONTEXT : 1, end + CONTEXT});
    for (uint32_t s = 0; s < item->steps.count; s++)
        vec_push(&all, (struct stretch_of_lines){item->steps.at[s].line, item->steps.at[s].line});
    qsort(all.at, all.count, sizeof *all.at, by_first);
    for (uint32_t i = 0, next; i < all.count; i = next) {
        struct stretch_of_lines lines = all.at[i];
        for (next = i + 1; next < all.count && all.at[next].first <= lines.last + NEAR; next++)
            if (all.at[next].last > lines.last) lines.last = all.at[next].last;
        struct review_hunk hunk;
        line_map_rows(map, lines.first, lines.last, &excerpt, &file->arena, &hunk);
        vec_push(&item->context, hunk);
    }
    vec_free(&all);
}

/* ---- what was read ---- */

/* The checksum of POSIX cksum: CRC-32 of the bytes and then of their number. */
static uint32_t posix_cksum(struct str text)
{
    uint32_t table[256], crc = 0;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i << 24;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] << 1 ^ (table[i] >> 31 ? 0x04c11db7u : 0);
    }
    for (size_t i = 0; i < text.n; i++)
        crc = crc << 8 ^ table[crc >> 24 ^ (unsigned char)text.p[i]];
    for (size_t n = text.n; n; n >>= 8) crc = crc << 8 ^ table[(crc >> 24 ^ n) & 255];
    return ~crc;
}

void review_file_add_context(struct review_file *file, const struct ptxopt_result *result)
{
    struct line_map map;
    struct str input;
    input.p = ptxopt_result_input(result, &input.n);
    file->checksum = posix_cksum(input);
    file->settings = clean_utf8(&file->arena, str_from(ptxopt_result_settings(result)));
    add_operations(file, result);
    line_map_build(&map, result);
    for (uint32_t i = 0; i < file->items.count; i++)
        context_add_lines(file, &file->items.at[i], &map);
    line_map_free(&map);
}
