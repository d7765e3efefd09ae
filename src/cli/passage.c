/* Copies a large input that has nothing for the rules without holding it in memory. A file is first
 * searched in blocks; if it has nothing, it is copied in blocks. A pipe can be read only once: if
 * it has many bytes, they are written to the file that will replace the output, and are read back
 * if a word for the rules is found. See passage.h. */
#include "cli/passage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/output.h"
#include "text/mention.h"
#include "text/opening.h"

enum {
    BLOCK = 1 << 16,
    SMALL = 1 << 18,            /* smaller inputs are read into memory */
    CARRIED = MENTION_WORD - 1, /* kept for the next block, as a word may cross the edge */
};

/* A block, preceded by the end of the previous one. */
struct window {
    char bytes[CARRIED + BLOCK];
    size_t carried, got;
};

static bool window_mentions(const struct window *window)
{
    return mention_found((struct str){window->bytes, window->carried + window->got});
}

static void window_move(struct window *window)
{
    size_t len = window->carried + window->got;
    window->carried = len < CARRIED ? len : CARRIED;
    memmove(window->bytes, window->bytes + len - window->carried, window->carried);
}

/* ---- a file ---- */

/* Otherwise the full reader handles the file: it reports what is wrong, or reads a longer
 * comment. */
static bool begins_as_ptx(const struct window *window)
{
    struct opening_fault fault;
    return opening_is_ptx((struct str){window->bytes, window->got}, &fault);
}

/* is_ptx: the file must begin as PTX does. */
static bool search_blocks(struct passage *passage, size_t limit, bool is_ptx)
{
    struct window window; /* not initialised: for a small file most of it is never touched */
    window.carried = 0;
    for (;;) {
        ssize_t got = pread(passage->fd, window.bytes + window.carried, BLOCK,
                            passage->start + (off_t)passage->len);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return !got; /* on an error, the full reader reports why */
        window.got = (size_t)got;
        if (is_ptx && !passage->len && !begins_as_ptx(&window)) return false;
        passage->len += window.got;
        if (passage->len > limit || window_mentions(&window)) return false;
        window_move(&window);
    }
}

bool passage_search(struct passage *passage, size_t limit)
{
    return search_blocks(passage, limit, false);
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
    if (search_blocks(passage, limit, true)) return true;
    if (!standard) close(passage->fd);
    return false;
}

void passage_close(struct passage *passage)
{
    if (passage->fd == STDIN_FILENO) /* marks it as read, for a later reader */
        (void)lseek(STDIN_FILENO, passage->start + (off_t)passage->len, SEEK_SET);
    else
        close(passage->fd);
}

/* ---- a pipe ---- */

struct stream {
    struct window window;
    struct buf *text; /* what was read, unless it is in draft */
    bool drafting;
    struct output_draft draft;
};

/* From now on, what was read is in a draft. False if no draft can be made, or if the full reader
 * must report that this is not PTX. */
static bool begin_draft(struct stream *stream, const char *output, struct buf *error)
{
    struct buf reason = {0};
    struct opening_fault fault;
    if (!opening_is_ptx((struct str){stream->text->data, stream->text->len}, &fault)) return false;
    stream->drafting = output_begin(&stream->draft, output, &reason);
    buf_free(&reason);
    if (!stream->drafting) return false;
    bool good = file_write_all(stream->draft.fd, stream->text->data, stream->text->len);
    if (!good) buf_puts(error, strerror(errno));
    buf_free(stream->text);
    return good;
}

static bool keep_block(struct stream *stream, struct buf *error)
{
    const char *bytes = stream->window.bytes + stream->window.carried;
    if (!stream->drafting) {
        buf_add(stream->text, bytes, stream->window.got);
        return true;
    }
    bool good = file_write_all(stream->draft.fd, bytes, stream->window.got);
    if (!good) buf_puts(error, strerror(errno));
    return good;
}

static enum stream_end stream_give_up(struct stream *stream)
{
    if (stream->drafting) output_abandon(&stream->draft);
    return STREAM_FAILED;
}

/* Moves everything that was read back into text. */
static enum stream_end take_back(struct stream *stream, struct buf *error)
{
    if (!stream->drafting) return STREAM_READ;
    bool good = lseek(stream->draft.fd, 0, SEEK_SET) == 0 &&
                file_read_rest(stream->draft.fd, SIZE_MAX, stream->text);
    if (!good) buf_puts(error, strerror(errno));
    (void)stream_give_up(stream);
    return good ? STREAM_READ : STREAM_FAILED;
}

/* Reads block after block until the pipe ends. */
static enum stream_end pass_stream_blocks(struct stream *stream, const char *output, size_t limit,
                                          struct buf *error)
{
    struct window *window = &stream->window;
    for (size_t at = 0;;) {
        ssize_t got = read(STDIN_FILENO, window->bytes + window->carried, BLOCK);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return take_back(stream, error); /* on an error, the next reader reports why */
        if (!got) break;
        window->got = (size_t)got;
        at += window->got;
        if (!keep_block(stream, error)) return stream_give_up(stream);
        if (at > limit || window_mentions(window)) return take_back(stream, error);
        if (!stream->drafting && at > SMALL && !begin_draft(stream, output, error))
            return stream->drafting ? stream_give_up(stream) : STREAM_READ;
        window_move(window);
    }
    if (!stream->drafting) return STREAM_READ;
    return output_commit(&stream->draft, error) ? STREAM_PASSED : STREAM_FAILED;
}

enum stream_end passage_stream(const char *output, size_t limit, struct buf *text,
                               struct buf *error)
{
    struct stat status;
    struct stream stream = {.text = text};
    bool pipe = fstat(STDIN_FILENO, &status) == 0 && S_ISFIFO(status.st_mode);
    return pipe ? pass_stream_blocks(&stream, output, limit, error) : STREAM_READ;
}
