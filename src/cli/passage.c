/* Need this file be read into memory? A large one is searched in blocks first: where it mentions
 * nothing for the rules, it is copied in blocks, too. Only a file, as a pipe gives its bytes once.
 */
#include "cli/passage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/mention.h"

enum {
    BLOCK = 1 << 16,
    SMALL = 1 << 18,            /* what takes no memory worth a second look */
    CARRIED = MENTION_WORD - 1, /* of a block into the next: a word may stand across the edge */
};

/* Searches until the end, which gives passage its length; false when there is a word or an error,
 * or more than limit bytes. */
static bool search(struct passage *passage, size_t limit)
{
    char block[CARRIED + BLOCK];
    size_t carried = 0, at = 0;
    for (;;) {
        ssize_t got = pread(passage->fd, block + carried, BLOCK, passage->start + (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false; /* who reads it whole says why */
        if (!got) break;
        at += (size_t)got;
        struct str text = {block, carried + (size_t)got};
        if (at > limit || mention_found(text)) return false;
        carried = text.n < CARRIED ? text.n : CARRIED;
        memmove(block, text.p + text.n - carried, carried);
    }
    passage->len = at;
    return true;
}

static bool is_large_file(const struct stat *status)
{
    return S_ISREG(status->st_mode) && status->st_size > SMALL;
}

bool passage_open(struct passage *passage, const char *path, size_t limit)
{
    struct stat status;
    bool standard = strcmp(path, "-") == 0;
    if ((standard ? fstat(STDIN_FILENO, &status) : stat(path, &status)) != 0) return false;
    if (!is_large_file(&status)) return false;
    *passage = (struct passage){.fd = STDIN_FILENO};
    if (standard)
        passage->start = lseek(STDIN_FILENO, 0, SEEK_CUR);
    else
        passage->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (passage->fd < 0 || passage->start < 0) return false;
    if (search(passage, limit)) return true;
    if (!standard) close(passage->fd);
    return false;
}

void passage_close(struct passage *passage)
{
    if (passage->fd == STDIN_FILENO) /* it is read now, for who has it behind us */
        (void)lseek(STDIN_FILENO, passage->start + (off_t)passage->len, SEEK_SET);
    else
        close(passage->fd);
}
