/* Changes of a text that change no verdict. For a change R of texts (rewriting.h) and the optimizer
 * O, O(R(text)) = R(O(text)) byte for byte: the same statements are removed whatever the names, the
 * order of the blocks or the neutral instructions in between. The expected output follows from the
 * text alone. */
#include "letters.h"
#include "rewriting.h"

static struct str str_of(const struct buf *buf)
{
    return (struct str){buf->data, buf->len};
}

static struct str str_made(const struct bytes *bytes)
{
    return (struct str){bytes->data, bytes->len};
}

static int number;

static void report(bool fine, const char *name, const char *what)
{
    printf("%s %d - %s: %s\n", fine ? "ok" : "not ok", ++number, name, what);
    fflush(stdout);
}

static bool is_same(struct str want, struct str got)
{
    if (str_eq(want, got)) return true;
    print_difference((struct bytes){(char *)want.p, want.n}, (struct bytes){(char *)got.p, got.n});
    return false;
}

static bool is_same_but_blanks(struct str want, struct str got)
{
    size_t i = 0, j = 0;
    for (;;) {
        while (i < want.n && isspace((unsigned char)want.p[i])) i++;
        while (j < got.n && isspace((unsigned char)got.p[j])) j++;
        if (i == want.n || j == got.n) return i == want.n && j == got.n;
        if (want.p[i++] != got.p[j++]) return false;
    }
}

/* A text, its output, and a change of both. */
struct subject {
    const char *name;
    struct str text, made;
    uint32_t deleted;
};

typedef void change_function(struct str text, struct buf *out);

/* The next kernel of text, cut off at the line that begins the one after. */
static struct str next_kernel(struct str *text)
{
    static const char head[] = "\n.visible .entry ";
    const char *next = text->n ? memmem(text->p + 1, text->n - 1, head, sizeof head - 1) : NULL;
    struct str kernel = {text->p, next ? (size_t)(next - text->p) : text->n};
    *text = (struct str){text->p + kernel.n, text->n - kernel.n};
    return kernel;
}

/* The kernels that differ. */
static uint32_t count_others(struct str want, struct str got)
{
    uint32_t others = 0;
    while (want.n || got.n) {
        struct str a = next_kernel(&want), b = next_kernel(&got);
        others += !str_eq(a, b);
    }
    return others;
}

/* changed is R(text), want is R(O(text)): O(changed) = want but for others_max kernels, and the
 * checker proves all of want. */
static bool is_optimized_to(struct str changed, struct str want, uint32_t others_max)
{
    uint32_t deleted;
    char *message;
    struct bytes got = optimized(changed, &deleted);
    bool proven = checked(changed, want, &message) == CHECK_PROVEN;
    if (!proven) printf("# the same deletions: %s\n", message);
    uint32_t others = got.data ? count_others(want, str_made(&got)) : UINT32_MAX;
    if (got.data && others > others_max) is_same(want, str_made(&got));
    if (others && others <= others_max) printf("# another result in %u kernel\n", others);
    free(message);
    free(got.data);
    return proven && others <= others_max;
}

/* O(R(text)) = R(O(text)) except for so many kernels. */
static bool commutes(const struct subject *subject, change_function *change, uint32_t others_max)
{
    struct buf changed = {0}, want = {0};
    change(subject->text, &changed);
    change(subject->made, &want);
    bool fine = is_optimized_to(str_of(&changed), str_of(&want), others_max);
    buf_free(&changed);
    buf_free(&want);
    return fine;
}

static bool is_changed_by(struct str text, change_function *change)
{
    struct buf changed = {0};
    change(text, &changed);
    bool is_changed = !str_eq(text, str_of(&changed));
    buf_free(&changed);
    return is_changed;
}

static bool commutes_with_padding(const struct subject *subject)
{
    struct buf changed = {0}, want = {0};
    struct lines lines = lines_of(subject->text);
    text_padded(subject->text, &lines, &changed);
    text_padded(subject->made, &lines, &want);
    bool fine = lines.count && is_optimized_to(str_of(&changed), str_of(&want), 0);
    vec_free(&lines);
    buf_free(&changed);
    buf_free(&want);
    return fine;
}

static bool is_stable(const struct subject *subject)
{
    uint32_t deleted;
    struct bytes again = optimized(subject->made, &deleted);
    bool fine = again.data && !deleted && is_same(subject->made, str_made(&again));
    free(again.data);
    return fine;
}

/* The result must be the same as without the twin. Either of the two may have been removed, so
 * blanks do not count. */
static bool loses_twin(const struct subject *subject, const struct sites *sites, uint32_t which,
                       bool all, uint32_t twins)
{
    struct buf doubled = {0};
    uint32_t deleted;
    text_doubled(subject->text, sites, which, all, &doubled);
    struct bytes got = optimized(str_of(&doubled), &deleted);
    bool fine = got.data && deleted == subject->deleted + twins &&
                is_same_but_blanks(subject->made, str_made(&got));
    if (!fine)
        printf("# line %u doubled: %u deleted, not %u\n", all ? 0 : sites->at[which].line, deleted,
               subject->deleted + twins);
    free(got.data);
    buf_free(&doubled);
    return fine;
}

/* Was the statement kept because a comment keeps it, or because the author may have meant it for
 * something else? */
static bool is_kept_for_its_author(const struct ptxopt_result *result, const struct site *site)
{
    const struct ptxopt_finding *kept = NULL;
    while ((kept = ptxopt_result_next(result, PTXOPT_KEPT, kept)))
        for (uint32_t i = 0; i < kept->decline_count; i++)
            if (kept->line == site->line &&
                (!strcmp(kept->declines[i].reason, "not-what-it-waits-for") ||
                 !strcmp(kept->declines[i].reason, "kept-by-comment")))
                return true;
    return false;
}

/* The sites whose copy must be removed: not those that are kept in any case. */
static struct sites sites_with_twins(struct str text)
{
    struct sites all = sites_of(text), sites = {0};
    struct ptxopt_result *result = run_defaults(text);
    for (uint32_t i = 0; i < all.count; i++)
        if (!all.at[i].guarded && !is_kept_for_its_author(result, &all.at[i]))
            vec_push(&sites, all.at[i]);
    ptxopt_result_free(result);
    vec_free(&all);
    return sites;
}

static bool loses_twins(const struct subject *subject, bool singly)
{
    struct sites sites = sites_with_twins(subject->text);
    bool fine = true;
    for (uint32_t i = 0; singly && i < sites.count; i++)
        fine &= loses_twin(subject, &sites, i, false, 1);
    fine &= loses_twin(subject, &sites, 0, true, sites.count);
    vec_free(&sites);
    return fine;
}

/* The number of texts in which the order of the blocks changes: in some no other order is possible.
 */
static uint32_t reordered;

static void try_text(struct subject *subject, bool singly, uint32_t others_max)
{
    struct bytes made = optimized(subject->text, &subject->deleted);
    report(made.data, subject->name, "no function is left alone");
    if (!made.data) return;
    subject->made = str_made(&made);
    report(is_stable(subject), subject->name, "a second run changes nothing");
    report(is_changed_by(subject->text, text_renamed) && commutes(subject, text_renamed, 0),
           subject->name, "names of registers and labels do not matter");
    reordered += is_changed_by(subject->text, text_reordered);
    report(commutes(subject, text_reordered, others_max), subject->name,
           "the order of blocks does not matter");
    report(commutes_with_padding(subject), subject->name, "neutral work between does not matter");
    free(made.data);
    by_isa = true; /* ptxas may need both */
    made = optimized(subject->text, &subject->deleted);
    subject->made = str_made(&made);
    report(loses_twins(subject, singly), subject->name, "of a synchronisation twice one goes");
    by_isa = false;
    free(made.data);
}

/* Kernels of three to six blocks, each with an end that control does not pass. If several results
 * are possible, the order of the text decides, so one kernel of a text may differ. */
static void print_graphs(uint64_t *state, struct buf *out)
{
    enum { KERNELS = 150, BLOCK_LETTERS = 6, REGISTERS = 12 };
    buf_puts(out, letters_header);
    for (uint32_t k = 0; k < KERNELS; k++) {
        uint32_t blocks = 3 + draw(state, 4);
        buf_printf(out, letters_kernel, "k", k);
        for (uint32_t b = 0; b < blocks; b++) {
            buf_printf(out, "B%u:\n", b);
            for (uint32_t n = draw(state, BLOCK_LETTERS); n; n--) {
                buf_printf(out, letters[draw(state, LETTERS)], draw(state, REGISTERS));
                buf_putc(out, '\n');
            }
            if (draw(state, 2)) buf_printf(out, "@%%p bra B%u;\n", draw(state, blocks));
            if (b + 1 < blocks)
                buf_printf(out, "bra B%u;\n", b + 1);
            else
                buf_puts(out, "ret;\n");
        }
        buf_puts(out, "}\n");
    }
}

static void try_graphs(void)
{
    uint64_t state = 88172645463325252ull;
    enum { TEXTS = 8 };
    for (uint32_t i = 0; i < TEXTS; i++) {
        struct buf text = {0};
        char name[32];
        snprintf(name, sizeof name, "random kernels %u", i);
        print_graphs(&state, &text);
        struct subject subject = {.name = name, .text = str_of(&text)};
        try_text(&subject, false, 1);
        buf_free(&text);
    }
}

/* The wait has nothing to wait for, so it is removed, and then the second proxy fence is redundant.
 */
static bool proxies_go(void)
{
    struct buf text = {0};
    uint32_t deleted;
    buf_puts(&text, letters_header);
    buf_printf(&text, letters_kernel, "k", 0);
    buf_puts(&text,
             "fence.proxy.async;\ntcgen05.wait::st.sync.aligned;\nfence.proxy.async;\nret;\n}\n");
    struct bytes made = optimized(str_of(&text), &deleted);
    free(made.data);
    buf_free(&text);
    return made.data && deleted == 2;
}

int main(void)
{
    static const char *const folders[] = {"isa/*/*.ptx", "pipeline/*/*.ptx", "examples/*/*.ptx"};
    enter_source_tree();
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        glob_t found;
        list_kernels(folders[f], &found);
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct bytes text = file_read(found.gl_pathv[i]);
            struct subject subject = {.name = found.gl_pathv[i], .text = str_made(&text)};
            try_text(&subject, true, 0);
            free(text.data);
        }
        globfree(&found);
    }
    try_graphs();
    report(reordered >= 10, "the order of blocks", "it is changed in ten texts at the least");
    report(proxies_go(), "proxy fences", "one goes though a deleted wait stands between");
    printf("1..%d\n", number);
    return EXIT_SUCCESS;
}
