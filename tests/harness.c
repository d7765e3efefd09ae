/* Runs a folder of files as tests. See harness.h. */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void give_up(const char *what)
{
    fflush(stdout);
    perror(what);
    printf("Bail out! %s\n", what);
    exit(EXIT_FAILURE);
}

void *must(void *allocated)
{
    if (!allocated) give_up("memory");
    return allocated;
}

struct bytes file_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        if (errno != ENOENT) give_up(path);
        return (struct bytes){0};
    }
    struct bytes bytes = {must(malloc(1)), 0};
    size_t cap = 1, got;
    do {
        if (cap - bytes.len < 2) bytes.data = must(realloc(bytes.data, cap = cap * 2 + 4096));
        got = fread(bytes.data + bytes.len, 1, cap - bytes.len - 1, file);
        bytes.len += got;
    } while (got);
    if (ferror(file)) give_up(path);
    fclose(file);
    bytes.data[bytes.len] = '\0';
    return bytes;
}

void file_write(const char *path, const char *data, size_t len)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, len, file) != len || fclose(file)) give_up(path);
}

bool bytes_equal(const char *a, size_t a_len, const char *b, size_t b_len)
{
    return a_len == b_len && (!a_len || memcmp(a, b, a_len) == 0);
}

/* Returns the line at *at, without its newline, and moves *at past it. */
static struct bytes next_line(char **at, const char *end)
{
    char *start = *at, *newline = memchr(start, '\n', (size_t)(end - start));
    *at = newline ? newline + 1 : start + (end - start);
    return (struct bytes){start, (size_t)((newline ? newline : end) - start)};
}

static void print_line(char sign, size_t number, struct bytes line)
{
    int shown = line.len > 200 ? 200 : (int)line.len;
    printf("# %c%zu: %.*s\n", sign, number, shown, line.data);
}

void print_difference(struct bytes want, struct bytes got)
{
    static char none[1];
    char *w = want.data ? want.data : none, *g = got.data ? got.data : none;
    const char *want_end = w + want.len, *got_end = g + got.len;
    enum { MOST = 12 };
    int shown = 0;
    printf("# - expected, + got\n");
    for (size_t number = 1; (w < want_end || g < got_end) && shown < MOST; number++) {
        bool has_want = w < want_end, has_got = g < got_end;
        struct bytes a = {none, 0}, b = {none, 0};
        if (has_want) a = next_line(&w, want_end);
        if (has_got) b = next_line(&g, got_end);
        if (has_want == has_got && bytes_equal(a.data, a.len, b.data, b.len)) continue;
        if (has_want) print_line('-', number, a);
        if (has_got) print_line('+', number, b);
        shown++;
    }
    if (!shown) printf("# only the final newline differs\n");
    if (w < want_end || g < got_end) printf("# ...\n");
}

char *with_suffix(const char *path, const char *suffix)
{
    const char *dot = strrchr(path, '.');
    size_t stem = dot ? (size_t)(dot - path) : strlen(path);
    char *name = must(malloc(stem + strlen(suffix) + 1));
    memcpy(name, path, stem);
    strcpy(name + stem, suffix);
    return name;
}

/* ---- options ---- */

static bool apply_option(struct ptxopt_options *options, const char *flag, const char *value)
{
    if (!value) return false;
    if (!strcmp(flag, "--assume")) return ptxopt_options_assume(options, value, true);
    if (!strcmp(flag, "--no-assume")) return ptxopt_options_assume(options, value, false);
    if (!strcmp(flag, "--isa")) return ptxopt_options_set_isa(options, value);
    if (!strcmp(flag, "--rules")) return ptxopt_options_set_rules(options, value);
    return false;
}

struct ptxopt_options *options_of(struct bytes text)
{
    static const char head[] = "// options:";
    struct ptxopt_options *options = ptxopt_options_new();
    if (text.len < sizeof head || memcmp(text.data, head, sizeof head - 1) != 0) return options;
    char *at = text.data;
    struct bytes line = next_line(&at, text.data + text.len);
    char *words = must(strndup(line.data + sizeof head - 1, line.len - (sizeof head - 1)));
    char *rest, *flag = strtok_r(words, " \t\r", &rest);
    for (; flag; flag = strtok_r(NULL, " \t\r", &rest)) {
        const char *value = strtok_r(NULL, " \t\r", &rest);
        if (apply_option(options, flag, value)) continue;
        printf("# options line: %s %s is not known\n", flag, value ? value : "(nothing)");
        ptxopt_options_free(options);
        options = NULL;
        break;
    }
    free(words);
    return options;
}

/* ---- running ---- */

enum { HANGS_SECONDS = 600 };

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_case(const FTSENT *entry)
{
    return entry->fts_info == FTS_F && entry->fts_namelen > 4 &&
           !strcmp(entry->fts_name + entry->fts_namelen - 4, ".ptx");
}

bool run_apart(bool (*run)(const void *), const void *what)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) give_up("fork");
    if (!child) {
        alarm(HANGS_SECONDS);
        exit(run(what) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status;
    if (waitpid(child, &status, 0) != child) give_up("waitpid");
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        printf("# timed out after %d minutes\n", HANGS_SECONDS / 60);
    else if (WIFSIGNALED(status))
        printf("# ended by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) > 1)
        printf("# ended with status %d\n", WEXITSTATUS(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

struct path_run {
    const char *path;
    case_function *run;
};

static bool run_path(const void *what)
{
    const struct path_run *path_run = what;
    return path_run->run(path_run->path);
}

int run_all(char *const *paths, case_function *run)
{
    static FTS *walk; /* static: leak checkers find it when a child exits inside */
    walk = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (!walk) give_up("fts_open");
    size_t count = 0;
    for (FTSENT *entry; (entry = fts_read(walk));) {
        if (!is_case(entry)) continue;
        bool passed = run_apart(run_path, &(struct path_run){entry->fts_path, run});
        printf("%s %zu - %s\n", passed ? "ok" : "not ok", ++count, entry->fts_path);
    }
    fts_close(walk);
    printf("1..%zu%s\n", count, count ? "" : " # SKIP no cases here");
    return EXIT_SUCCESS;
}

void enter_source_tree(void)
{
    const char *tree = getenv("SRCDIR");
    if (tree && chdir(tree)) give_up(tree);
}
