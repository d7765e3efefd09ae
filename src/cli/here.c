/* Names a file relative to the current folder, because git apply, patch and code hosts accept
 * neither absolute paths nor paths with "..". See here.h. */
#include "cli/here.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

/* The path may lead out of the folder, which only the file system shows. */
static bool leads_away(const char *path)
{
    bool away = *path == '/';
    for (const char *part = path; *part && !away; part += strcspn(part, "/")) {
        part += strspn(part, "/");
        away = strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2]);
    }
    return away;
}

/* The folder of a file with its links resolved, for free(); NULL: there is none. */
static char *real_folder(const char *path, const char *base)
{
    struct buf folder = {0};
    buf_add(&folder, path, (size_t)(base - path));
    buf_putc(&folder, '.');
    char *name = buf_take(&folder), *real = realpath(name, NULL);
    mem_free(name);
    return real;
}

/* The part of path below the folder here; path itself if it is not below it. */
static const char *rest_of(const char *here, const char *path)
{
    size_t len = strcmp(here, "/") == 0 ? 0 : strlen(here);
    bool below = strncmp(path, here, len) == 0 && (path[len] == '/' || !path[len]);
    return below ? path + len + strspn(path + len, "/") : path;
}

/* Adds path relative to the folder here. */
static void add_below(struct buf *out, const char *here, const char *path)
{
    const char *rest = rest_of(here, path);
    buf_puts(out, rest);
    if (*rest && rest[strlen(rest) - 1] != '/') buf_putc(out, '/');
}

char *path_from_here(const char *path)
{
    struct buf place = {0};
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    bool away = leads_away(path);
    char *folder = away ? real_folder(path, base) : NULL;
    char *here = away ? realpath(".", NULL) : NULL;
    if (folder && here) {
        add_below(&place, here, folder);
        path = base;
    }
    buf_puts(&place, path);
    free(folder);
    free(here);
    return buf_take(&place);
}

char *path_of_source(const char *ptx, const char *file)
{
    struct buf beside = {0};
    const char *slash = strrchr(ptx, '/');
    if (*file == '/' || !slash || access(file, F_OK) == 0) return path_from_here(file);
    buf_add(&beside, ptx, (size_t)(slash + 1 - ptx));
    buf_puts(&beside, file);
    char *path = buf_take(&beside);
    char *place = path_from_here(access(path, F_OK) == 0 ? path : file);
    mem_free(path);
    return place;
}

bool read_below_here(const char *path, size_t limit, struct buf *text)
{
    char *real = realpath(path, NULL), *here = realpath(".", NULL);
    bool below = real && here && rest_of(here, real) != real;
    bool good = below && file_read_regular(real, limit, text);
    free(real);
    free(here);
    return good;
}
