/* Writes a result to its file. A regular file is replaced by renaming a temporary file in the same
 * directory, so readers never see half of it. Links are followed, the mode is kept, and a file that
 * already has the same bytes is not touched, so that builds do not run again. Anything else (a
 * device, a pipe, /dev/stdout) is written directly. Renaming separates hard links: the other names
 * keep the old text. An interrupt removes the temporary files, except one that another thread
 * creates in the few instructions while the handler runs. See output.h. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

enum { EXIT_INTERNAL = 70, MAX_LINKS = 40, MAX_ATTEMPTS = 100 };

/* The temporary files that exist. The storage is fixed because a signal handler reads it. */
enum { FREE, CLAIMED, PRESENT };
static struct {
    atomic_int state;
    char path[PATH_MAX];
} temporaries[OUTPUT_WRITERS];

static void remove_temporaries(void)
{
    for (size_t i = 0; i < OUTPUT_WRITERS; i++)
        if (atomic_load(&temporaries[i].state) == PRESENT) unlink(temporaries[i].path);
}

static void on_interrupt(int number)
{
    remove_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

static void on_abort(int number)
{
    (void)number;
    remove_temporaries();
    _exit(EXIT_INTERNAL);
}

static void handle_signal(int number, void (*handler)(int))
{
    struct sigaction old, action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void output_prepare(void)
{
    int fd;
    do fd = open("/dev/null", O_RDONLY); /* writing to it fails */
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) close(fd);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    handle_signal(SIGINT, on_interrupt);
    handle_signal(SIGTERM, on_interrupt);
    handle_signal(SIGHUP, on_interrupt);
    handle_signal(SIGABRT, on_abort);
}

static bool output_refuse(struct buf *error, int reason)
{
    buf_puts(error, strerror(reason));
    return false;
}

/* The bytes to be written: from memory, or from an open file at start. */
struct content {
    const char *text; /* NULL: from the file */
    size_t len;
    int fd;
    off_t start;
};

enum { PIECE = 1 << 15 };

/* Makes *piece point to bytes from `at` on, for a file copied to block[0..PIECE). Returns their
 * number, up to most; 0 if the file is shorter than expected; negative on an error, with errno
 * set. */
static ssize_t content_at(const struct content *content, size_t at, size_t most, char *block,
                          const char **piece)
{
    size_t wanted = content->len - at < most ? content->len - at : most;
    *piece = content->text ? content->text + at : block;
    if (content->text) return (ssize_t)wanted;
    ssize_t got;
    do got = pread(content->fd, block, wanted < PIECE ? wanted : PIECE, content->start + (off_t)at);
    while (got < 0 && errno == EINTR);
    return got;
}

/* False on an error, with errno set. */
static bool write_content(int fd, const struct content *content)
{
    char block[PIECE];
    const char *piece;
    for (size_t at = 0; at < content->len;) {
        ssize_t got = content_at(content, at, SSIZE_MAX, block, &piece);
        if (!got) errno = EIO; /* the file was truncated meanwhile */
        if (got <= 0 || !file_write_all(fd, piece, (size_t)got)) return false;
        at += (size_t)got;
    }
    return true;
}

/* Closes fd. reason: the errno of a failed write, or 0. Some file systems report a full disk only
 * at close. */
static bool close_written(int fd, int reason, struct buf *error)
{
    if (close(fd) != 0 && !reason && errno != EINTR) reason = errno;
    return !reason || output_refuse(error, reason);
}

static bool write_and_close(int fd, const struct content *content, struct buf *error)
{
    int reason = write_content(fd, content) ? 0 : errno;
    return close_written(fd, reason, error);
}

/* Such a path must not be opened again, because writing would then start at the beginning of a file
 * to which the shell appends. */
int output_named_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t len = strlen(folders[i]);
        const char *digits = path + len;
        if (strncmp(path, folders[i], len) != 0 || !*digits || strlen(digits) > 6) continue;
        if (digits[strspn(digits, "0123456789")] == '\0') return (int)strtol(digits, NULL, 10);
    }
    return -1;
}

/* Follows the links of path's last component. The result need not exist. */
static bool follow_links(const char *path, char target[PATH_MAX], struct buf *error)
{
    char link[PATH_MAX];
    if (strlen(path) >= PATH_MAX) return output_refuse(error, ENAMETOOLONG);
    memcpy(target, path, strlen(path) + 1);
    for (int i = 0; i < MAX_LINKS; i++) {
        ssize_t len = readlink(target, link, sizeof link - 1);
        if (len < 0 && (errno == EINVAL || errno == ENOENT)) return true;
        if (len < 0) return output_refuse(error, errno);
        link[len] = '\0';
        char *slash = strrchr(target, '/');
        size_t folder = link[0] == '/' || !slash ? 0 : (size_t)(slash + 1 - target);
        if (folder + (size_t)len >= PATH_MAX) return output_refuse(error, ENAMETOOLONG);
        memcpy(target + folder, link, (size_t)len + 1);
    }
    return output_refuse(error, ELOOP);
}

/* True if the file of that size at path has exactly this content. */
static bool file_holds(const char *path, off_t size, const struct content *content)
{
    char chunk[PIECE], block[PIECE];
    const char *piece;
    if ((size_t)size != content->len) return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    size_t at = 0;
    for (;;) {
        ssize_t got = pread(fd, chunk, sizeof chunk, (off_t)at), same;
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || at == content->len) break;
        same = content_at(content, at, (size_t)got, block, &piece);
        if (same <= 0 || memcmp(chunk, piece, (size_t)same) != 0) break;
        at += (size_t)same;
    }
    close(fd);
    return at == content->len;
}

/* Claims a slot for a temporary file. There is always a free one, because there are no more writers
 * than slots. */
static size_t claim_slot(void)
{
    for (size_t i = 0;; i = (i + 1) % OUTPUT_WRITERS) {
        int expected = FREE;
        if (atomic_compare_exchange_strong(&temporaries[i].state, &expected, CLAIMED)) return i;
    }
}

/* Creates a new file in the directory of target, with its path in the slot. Returns its descriptor,
 * or -1 with errno set. */
static int create_temporary(const char *target, size_t slot, mode_t mode)
{
    static atomic_uint serial;
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash + 1 - target) : 0;
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
        int len = snprintf(temporaries[slot].path, PATH_MAX, "%.*s.ptxopt-%ld-%u.tmp", folder,
                           target, (long)getpid(), atomic_fetch_add(&serial, 1));
        if (len < 0 || len >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        /* Marked before it is created, so that an interrupt in between removes the file or finds
         * none. */
        atomic_store(&temporaries[slot].state, PRESENT);
        int fd = open(temporaries[slot].path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) return fd;
        atomic_store(&temporaries[slot].state, CLAIMED);
        if (errno != EEXIST) return -1;
    }
    return -1;
}

/* Gives the new file the mode of the old one, and its owner if that is allowed. */
static bool keep_mode(int fd, const struct stat *old)
{
    struct stat now;
    if (fstat(fd, &now) != 0) return false;
    bool moved = now.st_uid != old->st_uid || now.st_gid != old->st_gid;
    bool own = !moved || fchown(fd, old->st_uid, old->st_gid) == 0;
    mode_t mode = old->st_mode & (own ? 07777 : 0777); /* no set-id bits for another owner */
    return fchmod(fd, mode) == 0;
}

/* Creates the file that will replace the target. old: the status of the present file; NULL: there
 * is none. */
static bool begin_output_draft(struct output_draft *draft, const struct stat *old,
                               struct buf *error)
{
    draft->slot = claim_slot();
    /* No other user may open a possibly private text before keep_mode has set the mode. */
    draft->fd = create_temporary(draft->target, draft->slot, old ? 0600 : 0666);
    if (draft->fd >= 0) {
        if (!old || keep_mode(draft->fd, old)) return true;
        int reason = errno;
        output_abandon(draft);
        return output_refuse(error, reason);
    }
    int reason = errno;
    atomic_store(&temporaries[draft->slot].state, FREE);
    buf_puts(error, "cannot create a file in its directory: ");
    return output_refuse(error, reason);
}

/* Renames the file to its target. */
static bool finish_draft(struct output_draft *draft, struct buf *error)
{
    const char *temporary = temporaries[draft->slot].path;
    bool good = close_written(draft->fd, 0, error);
    if (good && rename(temporary, draft->target) != 0) good = output_refuse(error, errno);
    if (!good) unlink(temporary);
    atomic_store(&temporaries[draft->slot].state, FREE);
    return good;
}

void output_abandon(struct output_draft *draft)
{
    close(draft->fd);
    unlink(temporaries[draft->slot].path);
    atomic_store(&temporaries[draft->slot].state, FREE);
}

static bool replace_file(const char *path, const struct stat *old, const struct content *content,
                         struct buf *error)
{
    struct output_draft draft;
    if (!follow_links(path, draft.target, error) || !begin_output_draft(&draft, old, error))
        return false;
    if (write_content(draft.fd, content)) return finish_draft(&draft, error);
    int reason = errno;
    output_abandon(&draft);
    return output_refuse(error, reason);
}

static bool write_special(const char *path, const struct stat *status,
                          const struct content *content, struct buf *error)
{
    if (S_ISDIR(status->st_mode)) return output_refuse(error, EISDIR);
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return fd < 0 ? output_refuse(error, errno) : write_and_close(fd, content, error);
}

static bool output_write_to(const char *path, const struct content *content, struct buf *error)
{
    struct stat status;
    int named = output_named_descriptor(path);
    if (named >= 0) {
        int fd = fcntl(named, F_DUPFD_CLOEXEC, 0);
        return fd < 0 ? output_refuse(error, errno) : write_and_close(fd, content, error);
    }
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT) return output_refuse(error, errno);
    if (exists && !S_ISREG(status.st_mode)) return write_special(path, &status, content, error);
    if (exists && file_holds(path, status.st_size, content)) return true;
    if (exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return output_refuse(error, errno);
    return replace_file(path, exists ? &status : NULL, content, error);
}

bool output_write(const char *path, const char *text, size_t len, struct buf *error)
{
    struct content content = {.text = len ? text : "", .len = len};
    return output_write_to(path, &content, error);
}

bool output_copy(const char *path, int fd, off_t start, size_t len, struct buf *error)
{
    struct content content = {.len = len, .fd = fd, .start = start};
    return output_write_to(path, &content, error);
}

bool output_begin(struct output_draft *draft, const char *path, struct buf *error)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT) return output_refuse(error, errno);
    if (output_named_descriptor(path) >= 0 || (exists && !S_ISREG(status.st_mode)))
        return output_refuse(error, EINVAL);
    if (exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return output_refuse(error, errno);
    draft->path = path;
    return follow_links(path, draft->target, error) &&
           begin_output_draft(draft, exists ? &status : NULL, error);
}

bool output_commit(struct output_draft *draft, struct buf *error)
{
    struct stat old, new;
    bool known = stat(draft->path, &old) == 0 && fstat(draft->fd, &new) == 0;
    struct content content = {.len = known ? (size_t) new.st_size : 0, .fd = draft->fd};
    if (!known || !file_holds(draft->path, old.st_size, &content))
        return finish_draft(draft, error);
    output_abandon(draft);
    return true;
}
