/* Records the texts that fell back to the original and may be optimized another time. See
 * fallbacks.h. */
#include "wrapper/fallbacks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/work.h"
#include "report/fingerprint.h"

enum { LONGEST_LIST = 1 << 20, LONGEST_TEXT = 1 << 28 };

static bool is_set(const char *value)
{
    return value && *value;
}

/* Writes the path of the folder of the list to path. Returns false if no variable names a
 * folder. */
static bool find_folder(char path[PATH_MAX])
{
    const char *own = getenv("PTXOPT_CACHE_DIR"), *shared = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int n = -1;
    if (is_set(own))
        n = snprintf(path, PATH_MAX, "%s", own);
    else if (is_set(shared) && *shared == '/')
        n = snprintf(path, PATH_MAX, "%s/ptxopt", shared);
    else if (is_set(home))
        n = snprintf(path, PATH_MAX, "%s/.cache/ptxopt", home);
    return n > 0 && n < PATH_MAX;
}

/* Creates the folder and its missing parents. */
static void make_folder(char *path)
{
    for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        (void)mkdir(path, 0777);
        *slash = '/';
    }
    (void)mkdir(path, 0700);
}

/* Opens the list with these flags of open(); make: creates its folder. Returns a descriptor,
 * negative if there is no list. */
static int open_list(int flags, bool make)
{
    char folder[PATH_MAX], path[PATH_MAX];
    if (!find_folder(folder)) return -1;
    if (make) make_folder(folder);
    int n = snprintf(path, PATH_MAX, "%s/fallbacks", folder);
    if (n <= 0 || n >= PATH_MAX) return -1;
    return open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
}

static void add_fallback(void *context)
{
    struct buf text = {0}, list = {0};
    char line[FINGERPRINT_DIGITS + 2];
    int input = *(int *)context, fd = -1;
    lseek(input, 0, SEEK_SET);
    if (file_read_rest(input, LONGEST_TEXT, &text) && text.len &&
        (fd = open_list(O_RDWR | O_APPEND | O_CREAT, true)) >= 0) {
        fingerprint_text((struct str){text.data, text.len}, line);
        line[FINGERPRINT_DIGITS] = '\n';
        line[FINGERPRINT_DIGITS + 1] = '\0';
        if (file_read_rest(fd, LONGEST_LIST, &list) &&
            !(list.len && memmem(list.data, list.len, line, FINGERPRINT_DIGITS + 1)))
            (void)file_write_all(fd, line, FINGERPRINT_DIGITS + 1);
    }
    if (fd >= 0) close(fd);
    buf_free(&text);
    buf_free(&list);
}

void fallbacks_add(int fd)
{
    (void)work_run(NULL, add_fallback, &fd);
}

void fallbacks_put(struct buf *out)
{
    enum { DIGITS = 8 };
    struct buf list = {0};
    char digits[FINGERPRINT_DIGITS + 1];
    int fd = open_list(O_RDONLY, false);
    if (fd >= 0 && file_read_rest(fd, LONGEST_LIST, &list) && list.len) {
        fingerprint_text((struct str){list.data, list.len}, digits);
        buf_printf(out, " fallbacks=%.*s", (int)DIGITS, digits);
    }
    if (fd >= 0) close(fd);
    buf_free(&list);
}
