/* Compares the two opcode tables, the optimizer's and the checker's, for every instruction of
 * tests/isa/opcodes.txt. Where they differ, the difference is listed below with its reason: one
 * side is the stricter one, and that side decides what is removed. A difference that is not listed,
 * and a listed one that does not occur, is a failure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"
#include "base/vec.h"
#include "checker_table.h"
#include "ptx/opcode.h"

enum side { OPTIMIZER, CHECKER };

static const char *const side_names[] = {"src/ptx/opcode_table.c", "src/check/model/effect.c"};

enum reason {
    TOUCHES,    /* for the checker, all but plain register work accesses memory (fence.proxy) */
    REGISTERS,  /* an opcode with many shapes: any register that it names may be a result */
    UNLISTED,   /* in no class of the model */
    MEETS,      /* may be a barrier of the warp; with sync-is-no-barrier that is not a release */
    RESULTLESS, /* one table lists the written registers, the other more, to be safe */
    REASONS
};

static const char *const reasons[REASONS] = {
    "only register work that is certain counts as such",
    "only one table counts its results",
    "what the model does not list may order anything",
    "only one table goes by sync-is-no-barrier",
    "only one table knows how many results it has",
};

/* The values in the two tables: the class or, with class NULL, the number of leading results. */
struct difference {
    const char *spelling, *optimizer, *checker;
    enum side stricter;
    enum reason reason;
};

static const struct difference classes[] = {
    {"ld.param.u64", "register", "memory", CHECKER, TOUCHES},
    {"ld.param::entry.u64", "register", "memory", CHECKER, TOUCHES},
    {"ld.param::func.b32", "register", "memory", CHECKER, TOUCHES},
    {"ld.const.f32", "register", "memory", CHECKER, TOUCHES},
    {"st.param.b32", "register", "memory", CHECKER, TOUCHES},
    {"st.param::func.b32", "register", "memory", CHECKER, TOUCHES},
    {"stacksave.u64", "both-memory", "memory", OPTIMIZER, UNLISTED},
    {"stackrestore.u64", "both-memory", "memory", OPTIMIZER, UNLISTED},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "both-memory", "meet-memory", OPTIMIZER,
     MEETS},
};

static const struct difference results[] = {
    {"call.uni", "0", "255", CHECKER, REGISTERS},
    {"multimem.ld_reduce.relaxed.gpu.global.add.f32", "1", "255", CHECKER, REGISTERS},
    {"multimem.st.relaxed.sys.global.f32", "1", "255", CHECKER, REGISTERS},
    {"multimem.red.relaxed.gpu.global.add.f32", "0", "255", CHECKER, REGISTERS},
    {"mbarrier.init.shared.b64", "0", "1", CHECKER, RESULTLESS},
    {"mbarrier.inval.shared.b64", "0", "1", CHECKER, RESULTLESS},
    {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64", "0", "1", CHECKER, RESULTLESS},
    {"mbarrier.complete_tx.relaxed.cta.shared::cta.b64", "0", "1", CHECKER, RESULTLESS},
    {"mbarrier.somefutureop.b64", "255", "1", OPTIMIZER, REGISTERS},
    {"multimem.cp.async.bulk.global.shared::cta.bulk_group", "1", "255", CHECKER, REGISTERS},
    {"multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", "1", "255", CHECKER,
     REGISTERS},
    {"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128", "1",
     "255", CHECKER, REGISTERS},
    {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128", "1", "255", CHECKER, REGISTERS},
    {"clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128", "1", "255", CHECKER,
     REGISTERS},
    {"wmma.load.a.sync.aligned.row.m16n16k16.f16", "1", "255", CHECKER, REGISTERS},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "1", "255", CHECKER, REGISTERS},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "1", "255", CHECKER, REGISTERS},
    {"wgmma.fence.sync.aligned", "1", "255", CHECKER, REGISTERS},
    {"wgmma.commit_group.sync.aligned", "1", "255", CHECKER, REGISTERS},
    {"wgmma.wait_group.sync.aligned", "1", "255", CHECKER, REGISTERS},
};

enum { CLASSES = sizeof classes / sizeof *classes, RESULTS = sizeof results / sizeof *results };

/* The meaning of a class: touches memory, publishes, observes, and is not ordered by the fence of a
 * commit. */
enum { TOUCH = 1, PUBLISH = 2, OBSERVE = 4, UNFENCED = 8 };

static const struct {
    const char *name;
    int does;
} ladder[] = {
    {"register", 0},
    {"memory", TOUCH},
    {"meet-memory", TOUCH}, /* under sync-is-no-barrier */
    {"release-barrier", TOUCH | PUBLISH},
    {"release-memory", TOUCH | PUBLISH | UNFENCED},
    {"acquire-barrier", TOUCH | OBSERVE},
    {"acquire-memory", TOUCH | OBSERVE | UNFENCED},
    {"both-barrier", TOUCH | PUBLISH | OBSERVE},
    {"both-memory", TOUCH | PUBLISH | OBSERVE | UNFENCED},
};

static int does(const char *class)
{
    for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++)
        if (!strcmp(ladder[i].name, class)) return ladder[i].does;
    return -1;
}

/* Whether class a does everything that class b does, and more. Operations are comparable with no
 * class; "unsupported", for which there is no verdict, is stricter than every other class. */
static bool is_stricter_class(const char *a, const char *b)
{
    if (!strcmp(a, "unsupported")) return strcmp(b, "unsupported") != 0;
    int x = does(a), y = does(b);
    return x >= 0 && y >= 0 && x != y && (x | y) == x;
}

static bool is_stricter_count(const char *a, const char *b)
{
    return atoi(a) > atoi(b);
}

/* A spelling of the list: "ld.global.u32" and its two parts. */
struct spelling {
    char *text;
    struct str head, modifiers;
    struct mnemonic mnemonic;
};

struct spellings VEC(struct spelling);

static struct spelling split(char *text)
{
    size_t n = strcspn(text, ".");
    struct spelling s = {.text = text, .head = {text, n}, .modifiers = str_from(text + n)};
    s.mnemonic.base = s.head;
    for (char *at = text + n; *at; at += n) {
        n = 1 + strcspn(at + 1, ".");
        if (s.mnemonic.count == OPCODE_MODIFIERS_MAX) abort();
        s.mnemonic.modifiers[s.mnemonic.count++] = (struct str){at, n};
    }
    return s;
}

/* Cuts the lines of the list in place; test_opcode checks the classes in them. */
static struct spellings read_list(char *list)
{
    struct spellings all = {0};
    char *rest;
    for (char *line = strtok_r(list, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (*line == '#') continue;
        line[strcspn(line, " ")] = '\0';
        vec_push(&all, split(line));
    }
    return all;
}

/* Whether this difference of a spelling, in `what`, is one of the rows; marks that row as found. */
static bool is_listed(const char *what, const struct difference *rows, uint32_t count, bool *met,
                      const char *spelling, const char *optimizer, const char *checker)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct difference *row = &rows[i];
        if (strcmp(row->spelling, spelling) || strcmp(row->optimizer, optimizer) ||
            strcmp(row->checker, checker))
            continue;
        met[i] = true;
        return true;
    }
    printf("# %s: %s: %s has %s, %s has %s\n", spelling, what, side_names[OPTIMIZER], optimizer,
           side_names[CHECKER], checker);
    return false;
}

static bool all_met(const struct difference *rows, uint32_t count, const bool *met)
{
    bool fine = true;
    for (uint32_t i = 0; i < count; i++) {
        if (met[i]) continue;
        printf(
            "# %s: tests/model/tables.c lists it as %s and %s, because %s; they are no longer so: "
            "drop the row or correct it\n",
            rows[i].spelling, rows[i].optimizer, rows[i].checker, reasons[rows[i].reason]);
        fine = false;
    }
    return fine;
}

static int number;

static void report(bool fine, const char *name)
{
    printf("%s %d - %s\n", fine ? "ok" : "not ok", ++number, name);
}

static void compare_classes(const struct spellings *all)
{
    bool met[CLASSES] = {0}, fine = true, known = true;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct spelling *s = &all->at[i];
        const char *optimizer = effect_name(opcode_find(&s->mnemonic)->effect);
        const char *checker = checker_class(s->head, s->modifiers);
        known &= optimizer && strcmp(checker, "?");
        if (strcmp(optimizer, checker))
            fine &= is_listed("class", classes, CLASSES, met, s->text, optimizer, checker);
    }
    printf("# %u spellings\n", all->count);
    report(known && all->count > 200, "every instruction of the ISA has a class in both tables");
    report(fine, "where the classes differ it is listed");
    report(all_met(classes, CLASSES, met), "every listed difference of classes occurs");
}

static void compare_results(const struct spellings *all)
{
    bool met[RESULTS] = {0}, fine = true;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct spelling *s = &all->at[i];
        char optimizer[12], checker[12];
        snprintf(optimizer, sizeof optimizer, "%u", opcode_find(&s->mnemonic)->writes);
        snprintf(checker, sizeof checker, "%u", checker_results(s->head, s->modifiers));
        if (strcmp(optimizer, checker))
            fine &= is_listed("results", results, RESULTS, met, s->text, optimizer, checker);
    }
    report(fine, "where the numbers of results differ it is listed");
    report(all_met(results, RESULTS, met), "every listed difference of results occurs");
}

/* In no difference may both sides lack something. */
static bool sides_hold(const struct difference *rows, uint32_t count,
                       bool (*is_stricter)(const char *, const char *))
{
    bool fine = true;
    for (uint32_t i = 0; i < count; i++) {
        bool checker = rows[i].stricter == CHECKER;
        if (is_stricter(checker ? rows[i].checker : rows[i].optimizer,
                        checker ? rows[i].optimizer : rows[i].checker))
            continue;
        printf("# %s: %s is not the stricter side\n", rows[i].spelling,
               side_names[rows[i].stricter]);
        fine = false;
    }
    return fine;
}

static bool is_in_list(const struct spellings *all, struct str head)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (str_eq(all->at[i].head, head)) return true;
    printf("# %.*s is not in tests/isa/opcodes.txt\n", (int)head.n, head.p);
    return false;
}

static struct str row_head(const struct opcode *row)
{
    return (struct str){row->name, strcspn(row->name, " ")};
}

static void check_totality(const struct spellings *all)
{
    uint32_t count;
    const struct opcode *rows = opcode_rows(&count);
    bool optimizer = true, checker = true, same = true;
    for (uint32_t i = 0; i < count; i++) optimizer &= is_in_list(all, row_head(&rows[i]));
    for (uint32_t i = 0; checker_opcode(i); i++)
        checker &= is_in_list(all, str_from(checker_opcode(i)));
    for (uint32_t i = 0; i < all->count; i++) {
        bool here = false, there = false;
        for (uint32_t r = 0; r < count; r++) here |= str_eq(row_head(&rows[r]), all->at[i].head);
        for (uint32_t r = 0; checker_opcode(r); r++)
            there |= str_is(all->at[i].head, checker_opcode(r));
        if (here != there)
            printf("# %s: %s has no row of its opcode\n", all->at[i].text,
                   side_names[here ? CHECKER : OPTIMIZER]);
        same &= here == there;
    }
    report(optimizer, "every opcode of the optimizer's table is in the list");
    report(checker, "every opcode of the checker's table is in the list");
    report(same, "both tables know the same opcodes");
}

/* The checker searches its table by bisection, so an opcode at the wrong place is not found. */
static void check_order(void)
{
    bool fine = true;
    const char *here;
    for (uint32_t i = 1; (here = checker_opcode(i)); i++) {
        if (strcmp(checker_opcode(i - 1), here) < 0) continue;
        printf(
            "# src/check/model/effect.c: the row \"%s\" is after \"%s\", expected rows sorted by "
            "opcode, in the order of strcmp\n",
            here, checker_opcode(i - 1));
        fine = false;
    }
    report(fine, "the rows of the checker's table are sorted");
}

/* ".arrive." is one of the beginnings of modifiers that the checker's table distinguishes. */
static bool is_met(const struct spellings *all, const char *head, const char *prefix)
{
    size_t n = strlen(prefix) - 1; /* without the dot at its end */
    for (uint32_t i = 0; i < all->count; i++) {
        struct str m = all->at[i].modifiers;
        if (str_is(all->at[i].head, head) && m.n >= n && !memcmp(m.p, prefix, n) &&
            (m.n == n || m.p[n] == '.'))
            return true;
    }
    return false;
}

static void check_forms(const struct spellings *all)
{
    /* `bar` is the short name of `barrier.cta`; spelled `bar.cta` it has the same forms. */
    static const char *const by_analogy[][2] = {{"bar", ".cta.arrive."},
                                                {"bar", ".cta.sync."},
                                                {"bar", ".cta.red."},
                                                {"barrier", ".cta.red."}};
    bool fine = true;
    const char *head, *prefix;
    for (uint32_t i = 0; (head = checker_form(i, &prefix)); i++) {
        bool listed = false;
        for (size_t a = 0; a < sizeof by_analogy / sizeof *by_analogy; a++)
            listed |= !strcmp(by_analogy[a][0], head) && !strcmp(by_analogy[a][1], prefix);
        if (is_met(all, head, prefix) != listed) continue;
        printf("# %s%s: %s\n", head, prefix, listed ? "is in the list" : "is not in the list");
        fine = false;
    }
    report(fine, "every form of an opcode that the checker tells apart is in the list");
}

int main(void)
{
    enter_source_tree();
    struct bytes list = file_read("tests/isa/opcodes.txt");
    struct spellings all = read_list(list.data);
    printf("1..12\n");
    check_order(); /* first, since a row at the wrong place is not found, and so differs */
    compare_classes(&all);
    compare_results(&all);
    report(sides_hold(classes, CLASSES, is_stricter_class),
           "of two classes that differ one is the stricter");
    report(sides_hold(results, RESULTS, is_stricter_count),
           "of two numbers of results that differ the listed side has more");
    check_totality(&all);
    check_forms(&all);
    vec_free(&all);
    free(list.data);
    return 0;
}
