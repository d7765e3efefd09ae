/* Checks that a loop that is written out twice is treated like the loop. For random loops, the
 * optimizer's removals, made in both copies of the body, must be proven for the unrolled form. What
 * is removed from the loop must also be removed from both copies when the optimizer gets the
 * unrolled form, except where there is a choice. */
#include "letters.h"
#include "sites.h"

enum { BEFORE, BODY, BEHIND, PARTS, PART_LETTERS = 5, KERNELS = 2000, A_TEXT = 100 };

/* One kernel; letters are in the order of the text, at most PART_LETTERS in a part. */
struct loop {
    uint32_t count[PARTS];
    uint8_t letter[PARTS][PART_LETTERS];
    bool gone[PARTS][PART_LETTERS];
    uint32_t line[2][PARTS][PART_LETTERS]; /* in the printed text, by copy of the body */
};

struct loops {
    struct loop at[A_TEXT];
};

static void draw_loops(uint64_t *state, struct loops *loops)
{
    *loops = (struct loops){0};
    for (uint32_t k = 0; k < A_TEXT; k++)
        for (uint32_t p = 0; p < PARTS; p++) {
            struct loop *loop = &loops->at[k];
            loop->count[p] = draw(state, PART_LETTERS) + (p == BODY);
            for (uint32_t i = 0; i < loop->count[p]; i++)
                loop->letter[p][i] = (uint8_t)draw(state, LETTERS);
        }
}

struct printer {
    struct buf out;
    uint32_t line;
    bool thinned; /* without the removed statements */
};

static void print_line(struct printer *printer, const char *text)
{
    buf_puts(&printer->out, text);
    buf_putc(&printer->out, '\n');
    printer->line++;
}

/* Both copies of the body use the same registers. */
static void print_part(struct printer *printer, struct loop *loop, uint32_t part, uint32_t copy)
{
    for (uint32_t i = 0; i < loop->count[part]; i++) {
        loop->line[copy][part][i] = printer->line;
        if (!printer->thinned || !loop->gone[part][i])
            buf_printf(&printer->out, letters[loop->letter[part][i]], part * PART_LETTERS + i + 1);
        print_line(printer, "");
    }
}

/* pre; L: body; @p bra L; after; or unrolled, with the exit and the body a second time in between.
 */
static void print_loop(struct printer *printer, struct loop *loop, uint32_t number, bool twice)
{
    buf_printf(&printer->out, letters_kernel, "k", number);
    for (const char *c = letters_kernel; *c; c++) printer->line += *c == '\n';
    print_part(printer, loop, BEFORE, 0);
    print_line(printer, "L:");
    print_part(printer, loop, BODY, 0);
    if (twice) {
        print_line(printer, "@!%p bra X;");
        print_part(printer, loop, BODY, 1);
    }
    print_line(printer, "@%p bra L;");
    print_line(printer, "X:");
    print_part(printer, loop, BEHIND, 0);
    print_line(printer, "ret;");
    print_line(printer, "}");
}

static struct str print_loops(struct printer *printer, struct loops *loops, bool twice,
                              bool thinned)
{
    *printer = (struct printer){.line = 4, .thinned = thinned};
    buf_puts(&printer->out, letters_header);
    for (uint32_t k = 0; k < A_TEXT; k++) print_loop(printer, &loops->at[k], k, twice);
    return (struct str){printer->out.data, printer->out.len};
}

static bool goes_from_line(const struct ptxopt_result *result, uint32_t line)
{
    size_t count;
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    size_t low = 0, high = count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (findings[mid].line < line)
            low = mid + 1;
        else
            high = mid;
    }
    return low < count && findings[low].line == line && findings[low].kind == PTXOPT_DELETED;
}

struct tally {
    uint32_t kernels, gone, gone_from_loops, unproven, more, fewer, otherwise, skipped;
};

/* Marks what is removed from the loops as they are. */
static bool mark_gone(struct loops *loops, struct tally *tally)
{
    struct printer printer;
    struct ptxopt_result *result = run_defaults(print_loops(&printer, loops, false, false));
    size_t skipped = ptxopt_result_count(result, PTXOPT_SKIPPED);
    tally->skipped += (uint32_t)skipped;
    for (uint32_t k = 0; k < A_TEXT; k++)
        for (uint32_t p = 0; p < PARTS; p++)
            for (uint32_t i = 0; i < loops->at[k].count[p]; i++) {
                struct loop *loop = &loops->at[k];
                loop->gone[p][i] = goes_from_line(result, loop->line[0][p][i]);
                tally->gone += loop->gone[p][i];
                tally->gone_from_loops += loop->gone[p][i] && p == BODY;
            }
    ptxopt_result_free(result);
    buf_free(&printer.out);
    return !skipped;
}

/* The unrolled form without the same statements is proven. */
static void prove_long(struct loops *loops, struct tally *tally)
{
    struct printer before, after;
    struct str text = print_loops(&before, loops, true, false);
    struct str less = print_loops(&after, loops, true, true);
    struct arena arena = {0};
    struct check_result result;
    check_run(&(struct check_options){.assume = CHECK_PTXAS_FOLLOWS_ISA}, text, less, &arena,
              &result);
    for (uint32_t f = 0; f < result.function_count; f++) {
        if (result.functions[f].verdict == CHECK_PROVEN) continue;
        printf("# %s\n%.*s", result.functions[f].message,
               (int)(result.functions[f].before.end - result.functions[f].before.start),
               text.p + result.functions[f].before.start);
        tally->unproven++;
    }
    tally->unproven += !result.function_count;
    arena_free(&arena);
    buf_free(&before.out);
    buf_free(&after.out);
}

/* Whether the optimizer removes at least the same from the unrolled form. */
static void compare_long(struct loops *loops, struct tally *tally)
{
    struct printer printer;
    struct ptxopt_result *result = run_defaults(print_loops(&printer, loops, true, false));
    for (uint32_t k = 0; k < A_TEXT; k++) {
        const struct loop *loop = &loops->at[k];
        uint32_t lost = 0, here = 0, there = 0;
        for (uint32_t p = 0; p < PARTS; p++)
            for (uint32_t i = 0; i < loop->count[p]; i++)
                for (uint32_t copy = 0; copy < (p == BODY ? 2 : 1); copy++) {
                    bool goes = goes_from_line(result, loop->line[copy][p][i]);
                    lost += loop->gone[p][i] && !goes;
                    here += loop->gone[p][i];
                    there += goes;
                }
        tally->kernels++;
        tally->more += there > here;
        tally->fewer += there < here;
        tally->otherwise += lost > 0;
    }
    ptxopt_result_free(result);
    buf_free(&printer.out);
}

int main(void)
{
    uint64_t state = 88172645463325252ull;
    struct tally tally = {0};
    for (uint32_t n = 0; n < KERNELS; n += A_TEXT) {
        struct loops loops;
        draw_loops(&state, &loops);
        if (!mark_gone(&loops, &tally)) continue;
        prove_long(&loops, &tally);
        compare_long(&loops, &tally);
    }
    printf("# %u loops, %u statements go, %u of them from bodies; of %u loops more goes in the "
           "long form, of %u less, of %u something else\n",
           tally.kernels, tally.gone, tally.gone_from_loops, tally.more, tally.fewer,
           tally.otherwise);
    printf("1..3\n%s 1 - no loop is left alone\n", tally.skipped ? "not ok" : "ok");
    printf("%s 2 - what goes from a loop may go from the loop written out twice\n",
           tally.unproven || !tally.gone_from_loops ? "not ok" : "ok");
    printf("%s 3 - of 99 in 100 loops the same or more goes from both copies\n",
           tally.otherwise * 100 > tally.kernels || !tally.kernels ? "not ok" : "ok");
    return EXIT_SUCCESS;
}
