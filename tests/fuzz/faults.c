/* Makes one call of a program fail: a library to be loaded before the others (LD_PRELOAD).
 *
 *   FAULT_CALL   alloc (malloc, calloc, realloc), read, pread, write, open, close, rename or
 *                fchmod
 *   FAULT_NTH    which one fails, from 1; 0 for none
 *   FAULT_HOW    an errno by number, or "short": half of the bytes of a read, pread or write
 *                are taken
 *   FAULT_COUNT  a file that gets the number of such calls when the process ends by itself
 *
 * Only what the program itself calls is seen: glibc's own reads and writes are not. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static atomic_ulong calls;
static unsigned long nth;
static const char *call, *count_path;
static int reason; /* 0: short */

__attribute__((constructor)) static void prepare(void)
{
    const char *text = getenv("FAULT_NTH"), *how = getenv("FAULT_HOW");
    nth = text ? strtoul(text, NULL, 10) : 0;
    reason = how && strcmp(how, "short") != 0 ? atoi(how) : 0;
    count_path = getenv("FAULT_COUNT");
    call = getenv("FAULT_CALL");
}

__attribute__((destructor)) static void count(void)
{
    char text[32];
    if (!count_path) return;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, count_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int len = snprintf(text, sizeof text, "%lu\n", atomic_load(&calls));
    if (fd >= 0) syscall(SYS_write, fd, text, (size_t)len);
}

/* Whether this call is the one that fails. */
static bool fails(const char *name)
{
    if (!call || strcmp(call, name) != 0) return false;
    return atomic_fetch_add(&calls, 1) + 1 == nth;
}

void *malloc(size_t size)
{
    if (!fails("alloc")) return __libc_malloc(size);
    errno = ENOMEM;
    return NULL;
}

void *calloc(size_t number, size_t size)
{
    if (!fails("alloc")) return __libc_calloc(number, size);
    errno = ENOMEM;
    return NULL;
}

void *realloc(void *old, size_t size)
{
    if (!fails("alloc")) return __libc_realloc(old, size);
    errno = ENOMEM;
    return NULL;
}

static long fail(void)
{
    errno = reason;
    return -1;
}

static long raw(long result)
{
    return result; /* syscall() sets errno */
}

static size_t shorter(size_t size)
{
    size_t half = size > 1 ? size / 2 : size;
    return half < 100 ? half : 100;
}

ssize_t read(int fd, void *data, size_t size)
{
    bool now = fails("read");
    if (now && reason) return fail();
    return raw(syscall(SYS_read, fd, data, now ? shorter(size) : size));
}

ssize_t pread(int fd, void *data, size_t size, off_t at)
{
    bool now = fails("pread");
    if (now && reason) return fail();
    return raw(syscall(SYS_pread64, fd, data, now ? shorter(size) : size, at));
}

ssize_t write(int fd, const void *data, size_t size)
{
    if (fails("write")) {
        if (reason) return fail();
        size = size > 1 ? size / 2 : size;
    }
    return raw(syscall(SYS_write, fd, data, size));
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (fails("open")) return (int)fail();
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* As in the kernel, the descriptor is closed even if close reports an error. */
int close(int fd)
{
    bool now = fails("close");
    int result = (int)syscall(SYS_close, fd);
    return now ? (int)fail() : result;
}

int rename(const char *from, const char *to)
{
    if (fails("rename")) return (int)fail();
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int fchmod(int fd, mode_t mode)
{
    if (fails("fchmod")) return (int)fail();
    return (int)syscall(SYS_fchmod, fd, mode);
}
