/* Checks that the kept inputs still pass. replay TARGET FILE... prints a TAP line for each file,
 * each run in a separate process; the caller prints the plan. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness.h"
#include "fuzz.h"

enum { HANGS_SECONDS = 600 };

static fuzz_target *target_of(const char *name)
{
    if (!strcmp(name, "parse")) return fuzz_parse;
    if (!strcmp(name, "engine")) return fuzz_engine;
    return !strcmp(name, "verify") ? fuzz_verify : NULL;
}

static bool passes(fuzz_target *target, const char *path)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return false;
    if (!child) {
        alarm(HANGS_SECONDS);
        dup2(STDOUT_FILENO, STDERR_FILENO);
        struct bytes bytes = file_read(path);
        if (!bytes.data) _exit(EXIT_FAILURE);
        /* Exactly as large as the input, so that the sanitizers notice a read beyond it. */
        uint8_t *exact = must(malloc(bytes.len ? bytes.len : 1));
        memcpy(exact, bytes.data, bytes.len);
        free(bytes.data);
        target(exact, bytes.len);
        free(exact);
        exit(EXIT_SUCCESS);
    }
    int status;
    if (waitpid(child, &status, 0) != child) return false;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) printf("# timed out: %s\n", path);
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    fuzz_target *target = argc > 1 ? target_of(argv[1]) : NULL;
    if (!target) return fprintf(stderr, "usage: replay parse|engine|verify FILE...\n"), 2;
    enter_source_tree();
    for (int i = 2; i < argc; i++)
        printf("%s - %s holds for %s\n", passes(target, argv[i]) ? "ok" : "not ok", argv[1],
               argv[i]);
    return EXIT_SUCCESS;
}
