/* Runs the cases of files, and writes them as separate texts. See case_file.h. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "case_file.h"

bool case_is_chosen(const struct test_case *test)
{
    const char *glob = getenv("CASES");
    if (!glob || !*glob || !fnmatch(glob, test->name, 0)) return true;
    char *file = must(strndup(test->name, strcspn(test->name, ":")));
    bool chosen = !fnmatch(glob, file, 0);
    free(file);
    return chosen;
}

struct case_run {
    case_runner *run;
    size_t count;
    const struct test_case *test;
};

static bool run_case(const void *what)
{
    const struct case_run *case_run = what;
    return case_run->run(case_run->test);
}

static void run_file(const char *path, void *context)
{
    struct case_run *case_run = context;
    struct case_list list = case_list_read(path);
    for (size_t i = 0; i < list.count; i++) {
        case_run->test = &list.cases[i];
        if (!case_is_chosen(case_run->test)) continue;
        bool passed = run_apart(run_case, case_run);
        printf("%s %zu - %s\n", passed ? "ok" : "not ok", ++case_run->count, case_run->test->name);
        /* The case may have rewritten the file. */
        if (getenv("UPDATE") && *getenv("UPDATE")) {
            case_list_free(&list);
            list = case_list_read(path);
        }
    }
    case_list_free(&list);
}

int case_files_run(char *const *paths, case_runner *run)
{
    struct case_run case_run = {.run = run};
    case_files_visit(paths, run_file, &case_run);
    printf("1..%zu%s\n", case_run.count, case_run.count ? "" : " # SKIP no cases here");
    return EXIT_SUCCESS;
}

char *case_text_name(const struct test_case *test, const char *folder)
{
    size_t in = strlen(folder), room = in + strlen(test->name) + 8;
    char *name = must(malloc(room));
    snprintf(name, room, "%s/%s.ptx", folder, test->name);
    for (char *colon = name + in, to = '/'; (colon = strchr(colon, ':')); to = '.') *colon = to;
    return name;
}

/* Makes the folders above the file. */
static void make_folders(char *path)
{
    for (char *at = path + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        if (mkdir(path, 0777) && errno != EEXIST) perror(path), exit(EXIT_FAILURE);
        *at = '/';
    }
}

static void expand_file(const char *path, void *context)
{
    struct case_list list = case_list_read(path);
    for (size_t i = 0; i < list.count; i++) {
        const struct test_case *test = &list.cases[i];
        char *name = case_text_name(test, context);
        make_folders(name);
        file_write(name, test->text.data, test->text.len);
        free(name);
    }
    case_list_free(&list);
}

void case_files_expand(const char *folder, char *const *paths)
{
    char *copy = must(strdup(folder));
    case_files_visit(paths, expand_file, copy);
    free(copy);
}
