/* --cache-dir: results in files, which survive the process. The least recently used are removed
 * first. Every error counts as a miss. Any thread may call it. */
#ifndef SERVER_STORE_DISK_H
#define SERVER_STORE_DISK_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"
#include "server/base/metrics.h"
#include "server/base/settings.h"

struct disk;

/* Makes the directory if needed, and lists its files. NULL: problem says why: it cannot be
 * used, others may write to it, or another ptxoptd uses it. */
struct disk *disk_new(const struct settings *settings, struct metrics *metrics, char problem[256]);
void disk_free(struct disk *disk);

/* key: 64 hexadecimal digits. Adds the value to out; false: it is not there, or not what was put.
 */
bool disk_get(struct disk *disk, const char *key, struct buf *out);

/* Keeps a copy, unless the disk does not take it or it alone is over an eighth of the budget. */
void disk_put(struct disk *disk, const char *key, struct str value);

#endif
