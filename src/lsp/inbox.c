/* Reads messages as they arrive, also during a run, so that the run can be cancelled when its text
 * has changed. See inbox.h. */
#include <jansson.h>

#include "lsp/inbox.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "lsp/frame.h"

enum { CHUNK = 1 << 16 };

static void add_letter(struct inbox *inbox, struct str body)
{
    json_error_t error;
    struct letter letter = {
        .value = json_loadb(body.p, body.n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error)};
    struct buf problem = {0};
    if (!letter.value) {
        buf_printf(&problem, "expected JSON: %s (byte %d)", error.text, error.position);
        letter.fault = FAULT_PARSE;
        letter.problem = buf_take(&problem);
    }
    vec_push(&inbox->letters, letter);
}

static void inbox_pass_over(struct inbox *inbox, size_t body)
{
    struct buf problem = {0};
    buf_printf(&problem, "a message of %zu bytes is passed over, expected at most %zu", body,
               inbox->limit);
    vec_push(&inbox->letters,
             (struct letter){.fault = FAULT_REQUEST, .problem = buf_take(&problem)});
    inbox->passing = body;
}

/* Removes one message from the front of bytes; false if it is not complete. */
static bool take_frame(struct inbox *inbox, struct str *bytes)
{
    struct frame frame = {0}; /* gcc does not see that both are set */
    size_t passed = inbox->passing < bytes->n ? inbox->passing : bytes->n;
    inbox->passing -= passed;
    *bytes = (struct str){bytes->p + passed, bytes->n - passed};
    if (inbox->passing || !bytes->n || inbox->ended) return false;
    enum frame_end end = frame_read(*bytes, &frame, &inbox->error);
    if (end == FRAME_BROKEN) inbox->ended = true;
    if (end != FRAME_READ) return false;
    bool fits = frame.body <= inbox->limit;
    if (fits && frame.body > bytes->n - frame.head) return false;
    *bytes = (struct str){bytes->p + frame.head, bytes->n - frame.head};
    if (!fits) {
        inbox_pass_over(inbox, frame.body);
        return true;
    }
    add_letter(inbox, (struct str){bytes->p, frame.body});
    *bytes = (struct str){bytes->p + frame.body, bytes->n - frame.body};
    return true;
}

static void take_frames(struct inbox *inbox)
{
    struct str rest = {inbox->bytes.data, inbox->bytes.len};
    while (take_frame(inbox, &rest)) {
    }
    if (rest.n == inbox->bytes.len) return;
    if (rest.n) memmove(inbox->bytes.data, rest.p, rest.n);
    inbox->bytes.len = rest.n;
    if (!rest.n) buf_free(&inbox->bytes); /* releases the memory of a large message */
}

static void inbox_end(struct inbox *inbox, const char *error)
{
    inbox->ended = true;
    if (error) buf_puts(&inbox->error, error);
}

void inbox_read(struct inbox *inbox, bool wait)
{
    struct pollfd ready = {.fd = inbox->fd, .events = POLLIN};
    if (inbox->ended || poll(&ready, 1, wait ? -1 : 0) <= 0) return;
    char chunk[CHUNK];
    ssize_t got = read(inbox->fd, chunk, sizeof chunk);
    if (got < 0 && errno != EINTR && errno != EAGAIN) inbox_end(inbox, strerror(errno));
    if (!got)
        inbox_end(inbox,
                  inbox->bytes.len || inbox->passing ? "the input ended within a message" : NULL);
    if (got <= 0) return;
    buf_add(&inbox->bytes, chunk, (size_t)got);
    take_frames(inbox);
}

bool inbox_take(struct inbox *inbox, struct letter *letter)
{
    if (!inbox_waiting(inbox)) return false;
    *letter = inbox->letters.at[inbox->taken++];
    if (!inbox_waiting(inbox)) inbox->letters.count = inbox->taken = 0;
    return true;
}

void letter_free(struct letter *letter)
{
    json_decref(letter->value);
    mem_free(letter->problem);
    *letter = (struct letter){0};
}

void inbox_free(struct inbox *inbox)
{
    struct letter letter;
    while (inbox_take(inbox, &letter)) letter_free(&letter);
    vec_free(&inbox->letters);
    buf_free(&inbox->bytes);
    buf_free(&inbox->error);
}
