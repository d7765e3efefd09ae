/* Checks that large numbers of elements are processed completely and without harm. crowds LISTS
 * HOSTILE: for each list of LISTS, 70,000 elements are accepted, and 70,000 comments at every blank
 * of a short one: the bytes are kept, and the kernel after it is optimized as it is alone. With a
 * stray character among the elements they are refused with a message. Whatever HOSTILE and junk
 * make is accepted or refused. Each runs in a separate process, since the possible faults are those
 * of memory. */
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness.h"

enum { MANY = 70000, FEW = 3, COLUMNS = 6, HANGS_SECONDS = 600 };

static const char HEAD[] = ".version 8.8\n.target sm_100a\n.address_size 64\n";
static const char KERNEL[] = "\n.entry after()\n{\n"
                             "\t.reg .b32 %v<2>, %tmem;\n\t.reg .b64 %out;\n"
                             "\ttcgen05.ld.sync.aligned.32x32b.x1.b32 {%v1}, [%tmem];\n"
                             "\ttcgen05.wait::ld.sync.aligned;\n"
                             "\ttcgen05.wait::ld.sync.aligned;\n"
                             "\tst.global.u32 [%out], %v1;\n\tret;\n}\n";

/* ---- texts ---- */

struct text {
    char *data;
    size_t len, cap;
};

static void add(struct text *text, const char *bytes, size_t n)
{
    if (text->len + n > text->cap) {
        text->cap = (text->len + n) * 2;
        text->data = must(realloc(text->data, text->cap));
    }
    memcpy(text->data + text->len, bytes, n);
    text->len += n;
}

static void add_text(struct text *text, const char *what)
{
    add(text, what, strlen(what));
}

/* A gap between tokens: a blank, or so many comments of one kind, different in each gap. */
static void add_gap(struct text *text, uint32_t comments, uint32_t *gaps)
{
    static const char *const KINDS[] = {"//\n", "# 1 \"\"\n", "/**/"};
    const char *kind = KINDS[(*gaps)++ % 3];
    add_text(text, "\n");
    for (uint32_t i = 0; i < comments; i++) add_text(text, kind);
}

/* A column of the table: # is the number;
 *  and \s are blanks that are not gaps. */
static void add_column(struct text *text, const char *column, uint32_t number, uint32_t comments,
                       uint32_t *gaps)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%u", number);
    for (; *column; column++) {
        if (*column == '#')
            add_text(text, digits);
        else if (*column == ' ')
            add_gap(text, comments, gaps);
        else if (*column == '\\')
            add_text(text, *++column == 'n' ? "\n" : " ");
        else
            add(text, column, 1);
    }
}

struct list {
    const char *name, *functions, *before, *element, *between, *after;
};

/* The list with so many elements and comments, and with stray among the elements. */
static struct text list_text(const struct list *list, uint32_t elements, uint32_t comments,
                             const char *stray)
{
    struct text text = {0};
    uint32_t gaps = 0;
    add_text(&text, HEAD);
    add_column(&text, list->before, 0, comments, &gaps);
    for (uint32_t i = 0; i < elements; i++) {
        add_gap(&text, comments, &gaps);
        if (i) add_column(&text, list->between, i, comments, &gaps);
        add_gap(&text, comments, &gaps);
        if (i == elements / 2) add_text(&text, stray);
        add_column(&text, list->element, i, comments, &gaps);
    }
    add_gap(&text, comments, &gaps);
    add_column(&text, list->after, 0, comments, &gaps);
    add_gap(&text, comments, &gaps);
    add_text(&text, KERNEL);
    return text;
}

/* ---- properties ---- */

static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("# ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    return false;
}

static struct ptxopt_result *run(struct text text)
{
    struct ptxopt_options *options = ptxopt_options_new();
    ptxopt_options_set_parse(options, PTXOPT_PARSE_TREE);
    struct ptxopt_result *result = ptxopt_run(options, "crowd.ptx", text.data, text.len);
    ptxopt_options_free(options);
    return result;
}

/* Refused, with a message. */
static bool is_refused(const struct ptxopt_result *result, const char *code)
{
    size_t count;
    const struct ptxopt_finding *messages = ptxopt_result_findings(result, &count);
    if (ptxopt_result_status(result) != PTXOPT_BAD_INPUT) return complain("it is not refused");
    if (!count || !*messages->message) return complain("it is refused without a message");
    if (code && strcmp(messages->code, code) != 0)
        return complain("it is refused with [%s]: %s", messages->code, messages->message);
    return true;
}

/* The same bytes, except those of the kernel, and so many functions beside it. */
static bool is_accepted(const struct ptxopt_result *result, struct text text, uint32_t functions)
{
    size_t len, kernel_len;
    if (ptxopt_result_status(result) != PTXOPT_OK)
        return complain("%s", ptxopt_result_message(result));
    struct text alone = {0};
    add_text(&alone, KERNEL);
    struct ptxopt_result *wanted = run(alone);
    const char *kernel = ptxopt_result_text(wanted, &kernel_len);
    const char *out = ptxopt_result_text(result, &len);
    size_t before = text.len - alone.len;
    bool same = len == before + kernel_len && memcmp(out, text.data, before) == 0 &&
                memcmp(out + before, kernel, kernel_len) == 0;
    bool changed = ptxopt_result_changed(wanted) && ptxopt_result_changed(result);
    uint32_t seen = ptxopt_result_stats(result)->functions;
    ptxopt_result_free(wanted);
    free(alone.data);
    if (seen != functions + 1) return complain("%u functions, not %u", seen, functions + 1);
    return changed && same ? true : complain("the output is not what it is to be");
}

enum crowd { CROWD_OF_ELEMENTS, CROWD_OF_COMMENTS, CROWD_BROKEN, CROWDS };

static bool list_holds(const void *what, uint32_t crowd)
{
    const struct list *list = what;
    bool few = crowd == CROWD_OF_COMMENTS, deep = strcmp(list->functions, "deep") == 0;
    uint32_t elements = few ? FEW : MANY;
    uint32_t functions = *list->functions == 'n' ? elements : *list->functions != '0';
    struct text text = list_text(list, elements, few ? MANY : 0, crowd == CROWD_BROKEN ? "`" : "");
    struct ptxopt_result *result = run(text);
    bool good = crowd == CROWD_BROKEN ? is_refused(result, deep ? NULL : "syntax")
                : deep && !few        ? is_refused(result, "too-deep")
                                      : is_accepted(result, text, functions);
    ptxopt_result_free(result);
    free(text.data);
    return good;
}

/* The checker has its own reader, and no grammar by which it could refuse a text. */
static bool is_itself(struct text text)
{
    struct ptxopt_options *options = ptxopt_options_new();
    struct ptxopt_verification *checked =
        ptxopt_verify(options, text.data, text.len, text.data, text.len);
    bool good = ptxopt_verification_verdict(checked) == PTXOPT_PROVEN;
    if (!good) complain("the checker: %s", ptxopt_verification_message(checked));
    ptxopt_verification_free(checked);
    ptxopt_options_free(options);
    return good;
}

static bool text_holds(const void *what, uint32_t unused)
{
    const struct text *text = what;
    (void)unused;
    struct ptxopt_result *result = run(*text);
    bool good = ptxopt_result_status(result) == PTXOPT_OK || is_refused(result, NULL);
    ptxopt_result_free(result);
    return good && is_itself(*text);
}

/* ---- cases ---- */

static void print_case(bool (*holds)(const void *, uint32_t), const void *what, uint32_t crowd,
                       const char *name, const char *claim)
{
    static int number;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) exit(EXIT_FAILURE);
    if (child == 0) {
        alarm(HANGS_SECONDS);
        exit(holds(what, crowd) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        complain("it timed out after %d minutes", HANGS_SECONDS / 60);
    else if (WIFSIGNALED(status))
        complain("it ended with signal %d", WTERMSIG(status));
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
    printf("%sok %d - %s: %s\n", good ? "" : "not ", ++number, name, claim);
}

/* The columns of the next line of a table that is not a comment; false at its end. */
static bool next_row(char **at, const char *columns[COLUMNS])
{
    while (**at == '#' || **at == '\n') *at = strchr(*at, '\n') + 1;
    if (!**at) return false;
    char *end = strchr(*at, '\n');
    *end = '\0';
    for (int i = 0; i < COLUMNS; i++) {
        char *tab = *at + strcspn(*at, "\t");
        columns[i] = *at;
        *at = *tab ? tab + 1 : tab;
        *tab = '\0';
    }
    *at = end + 1;
    return true;
}

static void print_list(const char *columns[COLUMNS])
{
    struct list list = {columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]};
    static const char *const CLAIMS[CROWDS] = {
        "70,000 elements are accepted, or refused as too deep",
        "70,000 comments at every blank are accepted",
        "70,000 elements and a stray character are refused",
    };
    for (uint32_t crowd = 0; crowd < CROWDS; crowd++)
        print_case(list_holds, &list, crowd, list.name, CLAIMS[crowd]);
}

static void print_hostile(const char *columns[COLUMNS])
{
    struct text text = {0};
    uint32_t gaps = 0, units = (uint32_t)atoi(columns[1]);
    add_column(&text, columns[2], 0, 0, &gaps);
    for (uint32_t i = 0; i < units; i++) add_column(&text, columns[3], i, 0, &gaps);
    add_column(&text, columns[4], 0, 0, &gaps);
    print_case(text_holds, &text, 0, columns[0], "no harm is done");
    free(text.data);
}

static const char *const WORDS[] = {
    "@",    "p", ";",       "{",      "}",     "(",        ")",    "[",     "]",    ",",
    ".b32", "1", "1.5",     "\"s\"",  "_",     "-",        "!",    "=",     ":",    "<",
    "|",    "?", ".global", ".entry", ".func", ".section", ".loc", ".file", "call", "// c\n",
};

static void print_junk(void)
{
    struct text text = {0};
    uint32_t seed = 88172645;
    for (uint32_t i = 0; i < 2 * MANY; i++) {
        seed = seed * 1664525 + 1013904223;
        add_text(&text, WORDS[(seed >> 8) % (sizeof WORDS / sizeof *WORDS)]);
        add_text(&text, " ");
    }
    print_case(text_holds, &text, 0, "140,000 tokens of junk", "no harm is done");
    free(text.data);
}

int main(int argc, char **argv)
{
    if (argc != 3) return fprintf(stderr, "usage: crowds LISTS HOSTILE\n"), 2;
    enter_source_tree();
    const char *columns[COLUMNS];
    struct bytes lists = file_read(argv[1]), hostile = file_read(argv[2]);
    must(lists.data);
    must(hostile.data);
    for (char *at = lists.data; next_row(&at, columns);) print_list(columns);
    for (char *at = hostile.data; next_row(&at, columns);) print_hostile(columns);
    print_junk();
    free(lists.data);
    free(hostile.data);
    return EXIT_SUCCESS;
}
