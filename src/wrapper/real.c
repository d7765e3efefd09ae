/* Finds the real ptxas. See real.h. */
#include "wrapper/real.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"

static const char us_now[] = "/proc/self/exe";

bool real_us(char path[PATH_MAX])
{
    ssize_t len = readlink(us_now, path, PATH_MAX - 1);
    if (len < 0) return false;
    path[len] = '\0';
    return true;
}

bool real_is_us(const char *path)
{
    struct stat us, file;
    return stat(us_now, &us) == 0 && stat(path, &file) == 0 && us.st_dev == file.st_dev &&
           us.st_ino == file.st_ino;
}

/* Returns the path that the kernel executed. NULL if it is not known or is not this program, such
 * as a loader that was started with this program as its argument. */
static const char *executed(void)
{
    const char *path = (const char *)getauxval(AT_EXECFN);
    return path && strchr(path, '/') && real_is_us(path) ? path : NULL;
}

/* Whether the file name differs from ptxopt-ptxas, the name that this program is installed by. */
static bool has_another_name(const char *path)
{
    return strcmp(strrchr(path, '/') + 1, "ptxopt-ptxas") != 0;
}

const char *real_link(const char *called, char path[PATH_MAX])
{
    const char *link = executed();
    if (link) return link;
    return !strchr(called, '/') && real_us(path) && has_another_name(path) ? path : called;
}

static bool is_other(const char *path)
{
    return !real_is_us(path);
}

bool real_search(char path[PATH_MAX], const char *name, bool us)
{
    return child_find(path, name, us ? real_is_us : is_other);
}

/* Resolves links, because ptxas begins its messages with the path that it was called by. */
static bool find_beside(char path[PATH_MAX], const char *link)
{
    char name[PATH_MAX];
    int n = snprintf(name, sizeof name, "%s" REAL_SUFFIX, link);
    return n > 0 && n < PATH_MAX && realpath(name, path) && child_is_program(path) &&
           is_other(path);
}

/* Finds the program that the user names by a path or a command. */
static bool find_named(char path[PATH_MAX], const char *name)
{
    if (!strchr(name, '/')) return real_search(path, name, false);
    int n = snprintf(path, PATH_MAX, "%s", name);
    return n > 0 && n < PATH_MAX && child_is_program(path) && !real_is_us(path);
}

bool real_find(char path[PATH_MAX], const char *called, const char **why)
{
    const char *chosen = getenv("PTXOPT_REAL_PTXAS"), *slash = strrchr(called, '/');
    const char *name = slash ? slash + 1 : called;
    char link[PATH_MAX];
    *why = "PTXOPT_REAL_PTXAS is not a program, or is ptxopt-ptxas; expected the path of ptxas";
    if (chosen && *chosen) return find_named(path, chosen);
    *why = "the given path is not a program; expected the path of ptxas";
    if (slash && !real_is_us(called)) return find_named(path, called);
    *why = "there is no real ptxas on PATH; set PTXOPT_REAL_PTXAS to its path";
    if (slash ? find_beside(path, called)
              : real_search(link, name, true) && find_beside(path, link))
        return true;
    return real_search(path, name, false) || real_search(path, "ptxas", false);
}
