/* Checks that the effects table is complete. tests/isa/opcodes.txt lists every instruction in it
 * with its class, and each row of the table must match one of them. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "ptx/opcode.h"

static FILE *open_list(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/isa/opcodes.txt", getenv("SRCDIR"));
    return fopen(path, "r");
}

/* Splits "a.b.c::d" at its dots; the parts point into text. */
static void split(struct mnemonic *m, const char *text)
{
    size_t n = strcspn(text, ".");
    *m = (struct mnemonic){.base = {text, n}};
    for (text += n; *text; text += n) {
        n = 1 + strcspn(text + 1, ".");
        assert_true(m->count < OPCODE_MODIFIERS_MAX);
        m->modifiers[m->count++] = (struct str){text, n};
    }
}

static void every_instruction_of_the_isa_has_its_class(void **state)
{
    (void)state;
    uint32_t rows, lines = 0, wrong = 0;
    const struct opcode *table = opcode_rows(&rows);
    bool *met = calloc(rows, sizeof *met);
    FILE *list = open_list();
    assert_non_null(list);
    char line[512], spelling[256], class[64];
    while (fgets(line, sizeof line, list)) {
        if (*line == '#') continue;
        assert_int_equal(sscanf(line, "%255s %63s", spelling, class), 2);
        struct mnemonic m;
        split(&m, spelling);
        const struct opcode *row = opcode_find(&m);
        if (row >= table && row < table + rows) met[row - table] = true;
        const char *got = effect_name(row->effect);
        if (strcmp(got, class) != 0) {
            print_error("%s: src/ptx/opcode_table.c has %s, tests/isa/opcodes.txt expects %s\n",
                        spelling, got, class);
            wrong++;
        }
        lines++;
    }
    fclose(list);
    for (uint32_t i = 0; i < rows; i++)
        if (!met[i]) {
            print_error("src/ptx/opcode_table.c: the row \"%s\" is that of no line of "
                        "tests/isa/opcodes.txt: add one, or move the row in front of a wider one\n",
                        table[i].name);
            wrong++;
        }
    free(met);
    assert_int_equal(wrong, 0);
    assert_in_range(lines, 200, 10000);
}

static void rows_of_one_base_stand_together_in_order(void **state)
{
    (void)state;
    uint32_t rows, wrong = 0;
    const struct opcode *table = opcode_rows(&rows);
    for (uint32_t i = 1; i < rows; i++) {
        char before[64], here[64];
        assert_int_equal(sscanf(table[i - 1].name, "%63s", before), 1);
        assert_int_equal(sscanf(table[i].name, "%63s", here), 1);
        if (strcmp(before, here) <= 0) continue;
        print_error(
            "src/ptx/opcode_table.c: the row \"%s\" is after \"%s\", expected rows sorted by "
            "opcode, in the order of strcmp\n",
            table[i].name, table[i - 1].name);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* First, since a row at the wrong place hides others from the test after it. */
        cmocka_unit_test(rows_of_one_base_stand_together_in_order),
        cmocka_unit_test(every_instruction_of_the_isa_has_its_class),
    };
    return RUN_TESTS(tests);
}
