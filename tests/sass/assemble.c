/* Optimizes and assembles texts. See assemble.h. */
#include "assemble.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

/* The first name after `.target`, sm_100a if there is none. */
static void read_target(const char *text, size_t len, char *arch, size_t size)
{
    static const char directive[] = ".target";
    const char *at = memmem(text, len, directive, sizeof directive - 1);
    char target[32] = "sm_100a";
    if (at) sscanf(at + sizeof directive - 1, " %31[a-z0-9_]", target);
    snprintf(arch, size, "-arch=%s", target);
}

/* Its output goes to the file log. */
static bool run(char *const *words, const char *log)
{
    pid_t child = fork();
    if (child < 0) return false;
    if (!child) {
        int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0) _exit(126);
        execvp(words[0], words);
        _exit(127);
    }
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
}

static void print_log(const char *path)
{
    struct bytes log = file_read(path);
    for (char *line = log.data ? strtok(log.data, "\n") : NULL; line; line = strtok(NULL, "\n"))
        printf("# %s\n", line);
    free(log.data);
}

bool assemble(const char *text, size_t len, struct cubin *cubin)
{
    char stem[400], source[420], object[420], log[420], arch[48];
    snprintf(stem, sizeof stem, "%s/%ld", setting("SASS_FOLDER", "."), (long)getpid());
    snprintf(source, sizeof source, "%s.ptx", stem);
    snprintf(object, sizeof object, "%s.cubin", stem);
    snprintf(log, sizeof log, "%s.log", stem);
    read_target(text, len, arch, sizeof arch);
    file_write(source, text, len);
    char *program = strdup(setting("PTXAS", "ptxas"));
    bool done = run((char *[]){program, arch, source, (char[]){"-o"}, object, NULL}, log);
    free(program);
    if (!done) print_log(log);
    done = done && cubin_read(cubin, file_read(object));
    unlink(source);
    unlink(object);
    unlink(log);
    return done;
}

double release_of_ptxas(void)
{
    static const char mark[] = "release ";
    static double release = -1;
    char log[420];
    if (release >= 0) return release;
    snprintf(log, sizeof log, "%s/%ld.log", setting("SASS_FOLDER", "."), (long)getpid());
    char *program = strdup(setting("PTXAS", "ptxas"));
    run((char *[]){program, (char[]){"--version"}, NULL}, log);
    free(program);
    struct bytes said = file_read(log);
    const char *at = said.data ? strstr(said.data, mark) : NULL;
    release = at ? strtod(at + sizeof mark - 1, NULL) : 0;
    free(said.data);
    unlink(log);
    return release;
}

struct bytes optimized(const struct ptxopt_options *options, struct bytes text)
{
    struct ptxopt_result *result = ptxopt_run(options, "before", text.data, text.len);
    size_t count, len;
    const struct ptxopt_finding *said = ptxopt_result_findings(result, &count);
    for (size_t i = 0; i < count && said[i].level == PTXOPT_ERROR; i++)
        printf("# line %u: %s\n", said[i].line, said[i].message);
    if (ptxopt_result_status(result) != PTXOPT_OK) {
        printf("Bail out! a text of the test's own is refused\n");
        exit(EXIT_FAILURE);
    }
    const char *after = ptxopt_result_text(result, &len);
    struct bytes copy = {must(malloc(len + 1)), len};
    memcpy(copy.data, after, len);
    copy.data[len] = '\0';
    ptxopt_result_free(result);
    return copy;
}
