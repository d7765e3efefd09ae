/* Makes a toolkit of links in which only ptxas is replaced. nvcc searches for its tools in the
 * folder that it was called from, without resolving links; clang and XLA search in the bin folder
 * of the toolkit that they are given. So links are enough for all other entries. */
#include "wrapper/shim.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wrapper/real.h"

static bool shim_fail(struct buf *error, const char *path, const char *why)
{
    buf_printf(error, "%s: %s", path, why);
    return false;
}

/* Writes "folder/name" to path. Returns false with an error if it is too long. */
static bool shim_join_path(char path[PATH_MAX], const char *folder, const char *name,
                           struct buf *error)
{
    int n = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return (n > 0 && n < PATH_MAX) || shim_fail(error, folder, "the path is too long");
}

static bool is_link(const char *path)
{
    struct stat file;
    return lstat(path, &file) == 0 && S_ISLNK(file.st_mode);
}

/* Creates the link at path, or replaces it without a moment in which it is missing, because a build
 * may be using it. A file that is not a link is an error, and is not changed. */
static bool put_link(const char *path, const char *target, struct buf *error)
{
    char next[PATH_MAX];
    int n = snprintf(next, PATH_MAX, "%s.%ld.new", path, (long)getpid());
    if (!is_link(path))
        return symlink(target, path) == 0 || shim_fail(error, path, strerror(errno));
    if (n <= 0 || n >= PATH_MAX) return shim_fail(error, path, "the path is too long");
    if (symlink(target, next) == 0 && rename(next, path) == 0) return true;
    return shim_fail(error, next, strerror(errno));
}

/* Creates a link in folder to each entry of from, except the entry with the name but. */
static bool link_entries(const char *folder, const char *from, const char *but, struct buf *error)
{
    char path[PATH_MAX], target[PATH_MAX];
    DIR *entries = opendir(from);
    if (!entries) return shim_fail(error, from, strerror(errno));
    bool good = true;
    for (struct dirent *entry; good && (entry = readdir(entries));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, but) == 0) continue;
        good = shim_join_path(path, folder, name, error) &&
               shim_join_path(target, from, name, error) && put_link(path, target, error);
    }
    closedir(entries);
    return good;
}

/* ---- the toolkit ---- */

/* Whether cuda/bin/ptxas is a program other than this one. */
static bool is_toolkit(const char *cuda, char ptxas[PATH_MAX])
{
    int n = snprintf(ptxas, PATH_MAX, "%s/bin/ptxas", cuda);
    return n > 0 && n < PATH_MAX && access(ptxas, X_OK) == 0 && !real_is_us(ptxas);
}

/* Replaces nvcc by the nvcc that it runs: Debian and Spack install a script that executes the
 * program of another folder. The program prints its folder for --dryrun. */
static void ask_nvcc(char nvcc[PATH_MAX])
{
    static const char HERE[] = "#$ _HERE_=";
    char line[PATH_MAX];
    FILE *said = popen("nvcc --dryrun -x cu -c /dev/null 2>&1", "r");
    if (!said) return;
    while (fgets(line, sizeof line, said)) {
        if (strncmp(line, HERE, sizeof HERE - 1) != 0) continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(nvcc, PATH_MAX, "%.*s/nvcc", PATH_MAX - (int)sizeof "/nvcc",
                 line + sizeof HERE - 1);
    }
    pclose(said);
}

/* Finds the toolkit of the nvcc on PATH: two folders above nvcc with links resolved. */
static bool by_nvcc(char cuda[PATH_MAX])
{
    char nvcc[PATH_MAX];
    if (!real_search(nvcc, "nvcc", false)) return false;
    ask_nvcc(nvcc);
    if (!realpath(nvcc, cuda)) return false;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(cuda, '/');
        if (!slash || slash == cuda) return false;
        *slash = '\0';
    }
    return true;
}

static bool find_toolkit(char cuda[PATH_MAX], const char *named, struct buf *error)
{
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    char ptxas[PATH_MAX];
    if (named) {
        if (!realpath(named, cuda)) return shim_fail(error, named, strerror(errno));
        return is_toolkit(cuda, ptxas) ||
               shim_fail(error, named,
                         "expected a CUDA toolkit with a bin/ptxas that is not ptxopt-ptxas");
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *home = getenv(variables[i]);
        if (home && *home && realpath(home, cuda) && is_toolkit(cuda, ptxas)) return true;
    }
    if (by_nvcc(cuda) && is_toolkit(cuda, ptxas)) return true;
    if (realpath("/usr/local/cuda", cuda) && is_toolkit(cuda, ptxas)) return true;
    return shim_fail(error, "no CUDA toolkit is found",
                     "expected --make-shim DIR CUDA, CUDA_HOME, or nvcc on PATH");
}

/* ---- the tree ---- */

static bool is_empty_folder(const char *folder)
{
    enum { DOTS = 2 };
    int count = 0;
    DIR *entries = opendir(folder);
    if (!entries) return false;
    while (readdir(entries) && count <= DOTS) count++;
    closedir(entries);
    return count <= DOTS;
}

/* Whether folder was created now, is empty, or is the result of an earlier --make-shim of any
 * toolkit. */
static bool may_fill(const char *folder, const char *bin, struct buf *error)
{
    char ours[PATH_MAX];
    if (mkdir(folder, 0777) == 0) return true;
    if (errno != EEXIST) return shim_fail(error, folder, strerror(errno));
    if (!shim_join_path(ours, bin, "ptxas" REAL_SUFFIX, error)) return false;
    return is_link(ours) || is_empty_folder(folder) ||
           shim_fail(error, folder, "expected a new or empty folder, or one made by --make-shim");
}

static bool put_ptxas(const char *bin, const char *real, struct buf *error)
{
    char us[PATH_MAX], path[PATH_MAX];
    if (!real_us(us)) return shim_fail(error, "/proc/self/exe", strerror(errno));
    return shim_join_path(path, bin, "ptxas" REAL_SUFFIX, error) && put_link(path, real, error) &&
           shim_join_path(path, bin, "ptxas", error) && put_link(path, us, error);
}

bool shim_make(const char *folder, const char *cuda, struct buf *error)
{
    char root[PATH_MAX], bin[PATH_MAX], tools[PATH_MAX], real[PATH_MAX];
    if (!find_toolkit(root, cuda, error) || !shim_join_path(bin, folder, "bin", error) ||
        !shim_join_path(tools, root, "bin", error) ||
        !shim_join_path(real, tools, "ptxas", error) || !may_fill(folder, bin, error) ||
        !link_entries(folder, root, "bin", error))
        return false;
    if (mkdir(bin, 0777) != 0 && errno != EEXIST) return shim_fail(error, bin, strerror(errno));
    return link_entries(bin, tools, "ptxas", error) && put_ptxas(bin, real, error);
}
