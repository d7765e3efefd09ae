/* Prints known_shapes.c: the shapes of the statements of the PTX text on standard input. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/file.h"
#include "syntax/known_shapes.h"
#include "syntax/shape_reader.h"

#define SLOTS 4096u

/* Reads all statements. Returns NULL, or the reason why that failed. */
static const char *read_all(struct shape_reader *reader, struct buf *text)
{
    struct statement statement;
    bool good = file_read_path("-", SIZE_MAX, text);
    shape_reader_start(reader, (struct str){text->data, text->len}, 0, false);
    if (!good) return strerror(errno);
    do shape_reader_next(reader, &statement);
    while (statement.kind != STATEMENT_END && statement.kind != STATEMENT_ODD);
    return statement.kind == STATEMENT_END ? NULL : "a statement has no shape";
}

/* Prints a number as an item of an initializer, with 24 items on a line. */
static void print_number(uint32_t *count, uint32_t number)
{
    printf("%s%" PRIu32 ",", *count % 24 ? " " : "\n    ", number);
    ++*count;
}

static void print_kinds(const struct shape *const *shapes, uint32_t count)
{
    uint32_t printed = 0;
    printf("const uint8_t known_kinds[] = {");
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < shapes[i]->count; k++) print_number(&printed, shapes[i]->kinds[k]);
    printf("\n};\n\n");
}

static void print_parts(const struct shape *const *shapes, uint32_t count)
{
    printf("const struct part known_parts[] = {");
    uint32_t printed = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < shapes[i]->part_count; k++) {
            const struct part *part = &shapes[i]->parts[k];
            printf("%s{%" PRIu32 ", %" PRIu32 ", %u, %d},", printed++ % 6 ? " " : "\n    ",
                   part->first, part->last, part->role, part->flag);
        }
    printf("\n};\n\n");
}

static void print_shapes(const struct shape *const *shapes, uint32_t count)
{
    uint32_t kinds = 0, parts = 0;
    printf("const struct known_shape known_shapes[] = {\n");
    for (uint32_t i = 0; i < count; i++) {
        printf("    {0x%016" PRIx64 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32
               ", %u, %u},\n",
               shapes[i]->hash, kinds, shapes[i]->count, parts, shapes[i]->part_count,
               shapes[i]->place, shapes[i]->kind);
        kinds += shapes[i]->count;
        parts += shapes[i]->part_count;
    }
    printf("};\n\n");
}

static void print_slots(const struct shape *const *shapes, uint32_t count)
{
    uint16_t slots[SLOTS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = known_slot(shapes[i]->hash, SLOTS);
        while (slots[at]) at = (at + 1) % SLOTS;
        slots[at] = (uint16_t)(i + 1);
    }
    uint32_t printed = 0;
    printf("const uint32_t known_slot_count = %u;\nconst uint16_t known_slots[] = {", SLOTS);
    for (uint32_t i = 0; i < SLOTS; i++) print_number(&printed, slots[i]);
    printf("\n};\n");
}

static void print_all(const struct shape *const *shapes, uint32_t count)
{
    printf("/* Printed by known_shapes_print.c from known_shapes.ptx (make known-shapes). */\n"
           "/* clang-format off */\n"
           "#include \"syntax/known_shapes.h\"\n\n");
    print_shapes(shapes, count);
    print_kinds(shapes, count);
    print_parts(shapes, count);
    print_slots(shapes, count);
}

int main(void)
{
    struct buf text = {0};
    struct shape_reader reader;
    uint32_t count;
    const char *why = read_all(&reader, &text);
    const struct shape *const *shapes = shapes_all(reader.shapes, &count);
    if (!why && count > SLOTS / 4) why = "more shapes than SLOTS is for";
    if (why)
        fprintf(stderr, "known_shapes_print: <stdin>: %s\n", why);
    else
        print_all(shapes, count);
    shape_reader_stop(&reader);
    buf_free(&text);
    return why != NULL;
}
