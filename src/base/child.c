/* Starts another program and waits for it. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

extern char **environ;

int child_start(pid_t *child, char *const *argv, const struct child_file *files, size_t count)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (size_t i = 0; i < count; i++)
        posix_spawn_file_actions_adddup2(&actions, files[i].of, files[i].as);
    int failure = posix_spawnp(child, argv[0], &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

int child_wait(pid_t child)
{
    int status;
    pid_t ended;
    do ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended < 0 ? CHILD_UNKNOWN : status;
}

bool child_wait_until(pid_t child, uint64_t until_ns, int *status)
{
    enum { SHORTEST_NS = 1000000, LONGEST_NS = 20000000 };
    struct timespec pause = {0, SHORTEST_NS};
    pid_t ended = 0;
    while (until_ns && !ended) {
        ended = waitpid(child, status, WNOHANG);
        if (ended) break;
        if (clock_ns() >= until_ns) return false;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < LONGEST_NS) pause.tv_nsec += SHORTEST_NS;
    }
    if (ended <= 0) *status = child_wait(child);
    return true;
}

bool child_is_program(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

bool child_find(char path[PATH_MAX], const char *name, bool (*wanted)(const char *path))
{
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : "/usr/bin:/bin"; at; at = *at ? at + 1 : NULL) {
        size_t len = strcspn(at, ":");
        int n = snprintf(path, PATH_MAX, "%.*s/%s", (int)(len ? len : 1), len ? at : ".", name);
        if (n > 0 && n < PATH_MAX && child_is_program(path) && (!wanted || wanted(path)))
            return true;
        at += len;
    }
    return false;
}
