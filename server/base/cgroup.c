/* Reads /proc/self/cgroup and /sys/fs/cgroup. See cgroup.h. */
#include "server/base/cgroup.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Lines of /proc/self/cgroup are NUMBER:CONTROLLERS:PATH (cgroups(7)); version 2 has no
 * controllers. */
enum { LINE = PATH_MAX + 64 };

/* UINT64_MAX for "max" and for a file that is not there. */
static uint64_t read_memory_limit(const char *path)
{
    uint64_t bytes;
    FILE *file = fopen(path, "r");
    if (!file) return UINT64_MAX;
    if (fscanf(file, "%" SCNu64, &bytes) != 1) bytes = UINT64_MAX;
    fclose(file);
    return bytes;
}

/* The limit of a group and of its parents. In a container the path may be one of the host, and only
 * the last step, the mounted root, exists. */
static uint64_t least_memory_limit(const char *mount, char *group, const char *file)
{
    uint64_t least = UINT64_MAX;
    for (;;) {
        char path[LINE + 64];
        snprintf(path, sizeof path, "%s%s/%s", mount, group, file);
        uint64_t limit = read_memory_limit(path);
        if (limit < least) least = limit;
        char *last = strrchr(group, '/');
        if (!last) return least;
        *last = 0;
    }
}

/* Whether name is one of the words, which have commas between them. */
static bool has_controller(const char *words, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = words; (at = strstr(at, name)); at += len)
        if ((at == words || at[-1] == ',') && (!at[len] || at[len] == ',')) return true;
    return false;
}

uint64_t cgroup_memory_max(void)
{
    char line[LINE];
    uint64_t least = UINT64_MAX;
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *words = strchr(line, ':'), *group = words ? strchr(words + 1, ':') : NULL;
        if (!group) continue;
        *words++ = *group++ = 0;
        uint64_t limit = UINT64_MAX;
        if (!*words)
            limit = least_memory_limit("/sys/fs/cgroup", group, "memory.max");
        else if (has_controller(words, "memory"))
            limit = least_memory_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
        if (limit < least) least = limit;
    }
    if (file) fclose(file);
    return least;
}
