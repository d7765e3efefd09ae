/* Lists the files of an argument: the file itself, or all kernels below the folder. See
 * inputs.h. */
#include "cli/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

enum { MAX_DEPTH = 64 };

static char *inputs_copy_text(const char *text)
{
    struct buf copy = {0};
    buf_puts(&copy, text);
    return buf_take(&copy);
}

/* The folder "." is left out, because reports name paths as repositories do. */
static char *join_path(const char *folder, const char *name)
{
    struct buf path = {0};
    if (strcmp(folder, ".") == 0 || strcmp(folder, "./") == 0) return inputs_copy_text(name);
    size_t len = strlen(folder);
    buf_puts(&path, folder);
    if (len && folder[len - 1] != '/') buf_putc(&path, '/');
    buf_puts(&path, name);
    return buf_take(&path);
}

static int is_seen(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

bool inputs_is_kernel(const char *path)
{
    size_t len = strlen(path);
    return len > 4 && strcmp(path + len - 4, ".ptx") == 0;
}

static bool walk_folder(struct input_list *inputs, const char *folder, size_t prefix, int depth,
                        struct buf *error);

/* Takes over path. */
static bool inputs_add_entry(struct input_list *inputs, char *path, size_t prefix, int depth,
                             struct buf *error)
{
    struct stat status;
    bool good = true, taken = false;
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        good = walk_folder(inputs, path, prefix, depth + 1, error);
    } else if (inputs_is_kernel(path) && stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        vec_push(inputs, (struct input){path, path + prefix, true});
        taken = true;
    }
    if (!taken) mem_free(path);
    return good;
}

static bool walk_folder(struct input_list *inputs, const char *folder, size_t prefix, int depth,
                        struct buf *error)
{
    struct dirent **entries;
    int count = depth < MAX_DEPTH ? scandir(folder, &entries, is_seen, alphasort) : -1;
    if (count < 0) {
        buf_printf(error, "%s: %s", folder,
                   depth < MAX_DEPTH ? strerror(errno) : "nested too deeply");
        return false;
    }
    bool good = true;
    for (int i = 0; i < count; i++) {
        good = good && inputs_add_entry(inputs, join_path(folder, entries[i]->d_name), prefix,
                                        depth, error);
        free(entries[i]); /* allocated by scandir */
    }
    free(entries);
    return good;
}

bool inputs_add(struct input_list *inputs, const char *path, struct buf *error)
{
    struct stat status;
    if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        char *copy = inputs_copy_text(path), *slash = strrchr(copy, '/');
        vec_push(inputs, (struct input){copy, slash ? slash + 1 : copy, false});
        return true;
    }
    uint32_t before = inputs->count;
    size_t len = strlen(path);
    bool here = strcmp(path, ".") == 0 || strcmp(path, "./") == 0;
    size_t prefix = here ? 0 : path[len - 1] == '/' ? len : len + 1;
    if (!walk_folder(inputs, path, prefix, 0, error)) return false;
    if (inputs->count == before)
        buf_printf(error, "%s: the directory contains no *.ptx file", path);
    return inputs->count > before;
}

void inputs_free(struct input_list *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++) mem_free(inputs->at[i].path);
    vec_free(inputs);
}
