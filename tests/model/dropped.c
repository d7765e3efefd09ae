/* Checks that everything kept is needed. Removes every single wait and fence from the result of
 * each kernel: the checker must refuse the text, compared with the original and with the result,
 * and must name that statement as the cause. The sites of strictness.h are excepted. */
#include "sites.h"
#include "strictness.h"

struct kernel {
    const char *path;
    struct str before, after;
    uint32_t dropped, excepted;
};

static struct str str_of(const struct buf *buf)
{
    return (struct str){buf->data, buf->len};
}

/* True when from -> to is refused because of the statement at that line. */
static bool is_refused(const struct kernel *kernel, const char *from_what, struct str from,
                       struct str to, uint32_t line)
{
    char place[32], *message;
    enum check_verdict verdict = checked(from, to, &message);
    int n = snprintf(place, sizeof place, "line %u: ", line);
    bool fine = verdict == CHECK_REFUSED && !strncmp(message, place, (size_t)n);
    if (!fine)
        printf("# %s line %u dropped from the %s: %s\n", kernel->path, line, from_what,
               verdict == CHECK_PROVEN ? "proven" : message);
    free(message);
    return fine;
}

/* Like is_refused, but the removals of the optimizer may be named instead. */
static bool is_refused_whole(const struct kernel *kernel, struct str to, uint32_t line)
{
    char *message;
    enum check_verdict verdict = checked(kernel->before, to, &message);
    if (verdict != CHECK_REFUSED)
        printf("# %s line %u dropped with the others: %s\n", kernel->path, line,
               verdict == CHECK_PROVEN ? "proven" : message);
    free(message);
    return verdict == CHECK_REFUSED;
}

static bool drop_each(struct kernel *kernel)
{
    struct sites sites = sites_of(kernel->after);
    struct buf less = {0};
    bool fine = true;
    for (uint32_t i = 0; i < sites.count; i++) {
        uint32_t line = sites.at[i].line;
        if (strictness_of(kernel->path, line) < STRICTNESS_COUNT) {
            kernel->excepted++;
            continue;
        }
        text_less(kernel->after, sites.at[i], &less);
        fine &= is_refused(kernel, "result", kernel->after, str_of(&less), line);
        fine &= is_refused_whole(kernel, str_of(&less), line);
        kernel->dropped++;
    }
    buf_free(&less);
    vec_free(&sites);
    return fine;
}

/* The reader of sites.h and the optimizer find the same statements. */
static bool none_is_missed(const struct kernel *kernel, uint32_t deleted)
{
    struct sites before = sites_of(kernel->before), after = sites_of(kernel->after);
    struct ptxopt_result *result = run_defaults(kernel->after);
    uint32_t candidates = ptxopt_result_stats(result)->candidates;
    bool fine = before.count == after.count + deleted && candidates == after.count;
    if (!fine)
        printf("# %u statements, %u left, %u deleted, %u candidates left\n", before.count,
               after.count, deleted, candidates);
    ptxopt_result_free(result);
    vec_free(&before);
    vec_free(&after);
    return fine;
}

static bool try_kernel(struct kernel *kernel)
{
    struct bytes text = file_read(kernel->path);
    kernel->before = (struct str){text.data, text.len};
    uint32_t deleted;
    struct bytes made = optimized(kernel->before, &deleted);
    bool fine = made.data != NULL;
    if (fine) {
        kernel->after = (struct str){made.data, made.len};
        fine = none_is_missed(kernel, deleted);
        fine &= drop_each(kernel);
    }
    free(text.data);
    free(made.data);
    return fine;
}

int main(void)
{
    static const char *const folders[] = {"isa/*/*.ptx", "examples/*/*.ptx"};
    enter_source_tree();
    uint32_t number = 0, dropped = 0, excepted = 0;
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        glob_t found;
        list_kernels(folders[f], &found);
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct kernel kernel = {.path = found.gl_pathv[i]};
            bool fine = try_kernel(&kernel);
            printf("%s %u - no wait or fence can be dropped from the result of %s\n",
                   fine ? "ok" : "not ok", ++number, kernel.path);
            dropped += kernel.dropped;
            excepted += kernel.excepted;
        }
        globfree(&found);
    }
    printf("# %u statements dropped, each refused twice; %u more are listed as kept for nothing\n",
           dropped, excepted);
    printf("1..%u\n", number);
    return EXIT_SUCCESS;
}
