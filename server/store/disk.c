/* Keeps results in files of a directory. See disk.h: a file a key, under its name, sealed
 * (seal.h), written under another name and then renamed. So a process that is killed and a disk
 * that is full leave a file that is whole or one that is never read; a file that a power failure
 * left incomplete does not match its digest. The time of a file is when it was last used. */
#include "server/store/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/vec.h"
#include "server/base/attempt.h"
#include "server/base/log.h"
#include "server/store/digest.h"
#include "server/store/lru.h"
#include "server/store/seal.h"

enum { PROBLEM = 256, LARGEST_SHARE = 8, BLOCK = 4096, NAME_MOST = 40 };
#define UNFINISHED "unfinished-"

struct disk {
    int folder, lock_file;
    size_t budget;
    struct metrics *metrics;
    atomic_uint names; /* of unfinished files, so far */
    atomic_bool is_failing;
    pthread_mutex_t lock; /* of lru */
    struct lru lru;
};

static const struct str no_secret = {"", 0};

static bool disk_fail(const char *path, const char *why, char *problem)
{
    snprintf(problem, PROBLEM, "--cache-dir=%.120s: %.100s", path, why);
    return false;
}

/* ---- the index ---- */

/* The space of a file of that many bytes: its blocks, and its entry here. */
static size_t size_on_disk(size_t bytes)
{
    return (bytes + BLOCK - 1) / BLOCK * BLOCK + sizeof(struct lru_entry);
}

static void note_bytes(struct disk *disk)
{
    atomic_store(&disk->metrics->disk_bytes, (int_fast64_t)disk->lru.bytes);
}

static void name_file(const char *key, char name[LRU_KEY + 1])
{
    memcpy(name, key, LRU_KEY);
    name[LRU_KEY] = 0;
}

/* With the lock held. */
static void disk_drop(struct disk *disk, struct lru_entry *entry)
{
    char name[LRU_KEY + 1];
    name_file(entry->key, name);
    unlinkat(disk->folder, name, 0);
    lru_remove(&disk->lru, entry);
    mem_free(entry);
}

/* With the lock held: the file is there. */
static void index_file(struct disk *disk, const char *key, size_t bytes)
{
    struct lru_entry *entry = lru_find(&disk->lru, key);
    if (entry) {
        lru_remove(&disk->lru, entry);
    } else {
        entry = mem_try_zalloc(sizeof *entry);
        if (!entry) {
            char name[LRU_KEY + 1];
            name_file(key, name);
            unlinkat(disk->folder, name, 0);
            return;
        }
        memcpy(entry->key, key, LRU_KEY);
    }
    entry->size = size_on_disk(bytes);
    lru_add(&disk->lru, entry);
    while (disk->lru.bytes > disk->budget) disk_drop(disk, disk->lru.oldest);
    note_bytes(disk);
}

/* ---- beginning ---- */

struct found_file {
    char key[DIGEST_HEX + 1];
    size_t bytes;
    struct timespec used;
};

struct found_files VEC(struct found_file);

static int compare_use(const void *a, const void *b)
{
    const struct timespec *one = &((const struct found_file *)a)->used;
    const struct timespec *other = &((const struct found_file *)b)->used;
    if (one->tv_sec != other->tv_sec) return one->tv_sec < other->tv_sec ? -1 : 1;
    return one->tv_nsec < other->tv_nsec ? -1 : one->tv_nsec > other->tv_nsec;
}

static void find_file(struct disk *disk, const char *name, struct found_files *files)
{
    struct stat info;
    struct found_file file = {0};
    if (strncmp(name, UNFINISHED, strlen(UNFINISHED)) == 0) unlinkat(disk->folder, name, 0);
    if (!digest_is_hex(name) || fstatat(disk->folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(info.st_mode))
        return;
    name_file(name, file.key);
    file.bytes = (size_t)info.st_size;
    file.used = info.st_mtim;
    vec_push(files, file);
}

/* Which files there are, the least recently used first. False: errno says why. */
static bool read_folder(struct disk *disk)
{
    struct found_files files = {0};
    struct dirent *one;
    int copy = openat(disk->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy < 0 ? NULL : fdopendir(copy);
    if (!folder) return false;
    while ((one = readdir(folder))) find_file(disk, one->d_name, &files);
    closedir(folder);
    if (files.count) qsort(files.at, files.count, sizeof *files.at, compare_use);
    for (uint32_t i = 0; i < files.count; i++) index_file(disk, files.at[i].key, files.at[i].bytes);
    vec_free(&files);
    return true;
}

static bool open_folder(struct disk *disk, const char *path, char *problem)
{
    struct stat info;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return disk_fail(path, strerror(errno), problem);
    disk->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (disk->folder < 0 || fstat(disk->folder, &info) != 0)
        return disk_fail(path, strerror(errno), problem);
    if (info.st_uid != geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)))
        return disk_fail(path, "others could write to it: it must be this user's, with mode 0700",
                         problem);
    disk->lock_file = openat(disk->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (disk->lock_file < 0) return disk_fail(path, strerror(errno), problem);
    if (flock(disk->lock_file, LOCK_EX | LOCK_NB) != 0)
        return disk_fail(path, "in use by another ptxoptd", problem);
    return read_folder(disk) || disk_fail(path, strerror(errno), problem);
}

struct disk *disk_new(const struct settings *settings, struct metrics *metrics, char problem[256])
{
    struct disk *disk = mem_zalloc(1, sizeof *disk);
    disk->folder = disk->lock_file = -1;
    disk->budget = (size_t)settings->limits.cache_dir_bytes;
    disk->metrics = metrics;
    pthread_mutex_init(&disk->lock, NULL);
    if (open_folder(disk, settings->cache_dir, problem)) return disk;
    disk_free(disk);
    return NULL;
}

void disk_free(struct disk *disk)
{
    if (!disk) return;
    while (disk->lru.oldest) {
        struct lru_entry *entry = disk->lru.oldest;
        lru_remove(&disk->lru, entry);
        mem_free(entry);
    }
    if (disk->lock_file >= 0) close(disk->lock_file);
    if (disk->folder >= 0) close(disk->folder);
    pthread_mutex_destroy(&disk->lock);
    mem_free(disk);
}

/* ---- reading ---- */

/* Whether the key is known. Then it becomes the newest. */
static bool use_file(struct disk *disk, const char *key)
{
    pthread_mutex_lock(&disk->lock);
    struct lru_entry *entry = lru_find(&disk->lru, key);
    if (entry) lru_use(&disk->lru, entry);
    pthread_mutex_unlock(&disk->lock);
    return entry;
}

/* It is not what was put there. */
static void forget_file(struct disk *disk, const char *key)
{
    metrics_add(disk->metrics, METRICS_DISK_ERRORS, 1);
    pthread_mutex_lock(&disk->lock);
    struct lru_entry *entry = lru_find(&disk->lru, key);
    if (entry) disk_drop(disk, entry);
    note_bytes(disk);
    pthread_mutex_unlock(&disk->lock);
}

struct reading {
    int file;
    struct buf bytes;
    bool fine;
};

static void read_file(void *context)
{
    struct reading *reading = context;
    reading->fine = file_read_rest(reading->file, SIZE_MAX, &reading->bytes);
}

/* The value in an open file; false: there is no memory, or it cannot be read (and then is kept), or
 * it is not the value put there. */
static bool read_value(struct disk *disk, const char *key, int file, struct buf *out)
{
    struct reading reading = {.file = file};
    struct str value;
    bool found = false;
    if (!attempt(read_file, &reading) || !reading.fine) {
        metrics_add(disk->metrics, METRICS_DISK_ERRORS, 1);
    } else if (seal_open(no_secret, key, (struct str){reading.bytes.data, reading.bytes.len},
                         &value)) {
        futimens(file, NULL);
        found = attempt_add(out, value.p, value.n);
    } else {
        forget_file(disk, key);
    }
    buf_free(&reading.bytes);
    return found;
}

bool disk_get(struct disk *disk, const char *key, struct buf *out)
{
    char name[LRU_KEY + 1];
    if (!use_file(disk, key)) return false;
    name_file(key, name);
    int file = openat(disk->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    /* It was deleted by others; or the system has no file left. */
    if (file < 0 && errno == ENOENT) forget_file(disk, key);
    if (file < 0) return false;
    bool found = read_value(disk, key, file, out);
    close(file);
    return found;
}

/* ---- writing ---- */

static void disk_note_write(struct disk *disk, bool done, int error)
{
    if (!done) metrics_add(disk->metrics, METRICS_DISK_ERRORS, 1);
    if (atomic_exchange(&disk->is_failing, !done) == !done) return;
    if (done)
        log_event("info", "disk-cache", "it works again");
    else
        log_event("warning", "disk-cache", "--cache-dir cannot be written: %s", strerror(error));
}

static bool disk_write_file(struct disk *disk, const char *unfinished, struct str bytes)
{
    int file = openat(disk->folder, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return false;
    bool fine = file_write_all(file, bytes.p, bytes.n);
    int error = errno;
    fine = close(file) == 0 && fine;
    if (!fine) unlinkat(disk->folder, unfinished, 0);
    if (!fine) errno = error;
    return fine;
}

void disk_put(struct disk *disk, const char *key, struct str value)
{
    char name[LRU_KEY + 1], unfinished[NAME_MOST];
    struct buf sealed = {0};
    if (size_on_disk(value.n + SEAL_MOST) > disk->budget / LARGEST_SHARE) return;
    if (!seal_add(no_secret, key, value, &sealed)) return;
    name_file(key, name);
    snprintf(unfinished, sizeof unfinished, UNFINISHED "%u", atomic_fetch_add(&disk->names, 1));
    bool done = disk_write_file(disk, unfinished, (struct str){sealed.data, sealed.len});
    int error = errno;
    pthread_mutex_lock(&disk->lock);
    if (done && renameat(disk->folder, unfinished, disk->folder, name) == 0)
        index_file(disk, key, sealed.len);
    pthread_mutex_unlock(&disk->lock);
    disk_note_write(disk, done, error);
    buf_free(&sealed);
}
