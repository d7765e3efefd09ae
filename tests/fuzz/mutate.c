/* The mutator for libFuzzer: half of the time its own byte mutations, otherwise whole lines of PTX
 * that are moved, doubled, dropped, guarded or inserted from a stock of statements. A random byte
 * rarely makes another program; a random line often does. Sometimes a text grows in an unusual way:
 * lines or bytes are repeated a thousand times, with numbers of their own or the same, or nested in
 * a thousand braces. Two texts are crossed between lines. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t most, unsigned seed);

static const char *const STOCK[] = {
    "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v1}, [%tmem];",
    "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%v2, %v1}, [%tmem];",
    "tcgen05.ld.red.sync.aligned.32x32b.x2.max.f32 {%v2, %v3}, %v1, [%tmem];",
    "tcgen05.st.sync.aligned.32x32b.x1.b32 [%tmem], {%v1};",
    "tcgen05.wait::ld.sync.aligned;",
    "tcgen05.wait::st.sync.aligned;",
    "tcgen05.fence::before_thread_sync;",
    "tcgen05.fence::after_thread_sync;",
    "fence.proxy.async;",
    "fence.proxy.async.shared::cta;",
    "tcgen05.mma.cta_group::1.kind::f16 [%d], %a, %b, %idesc, %p;",
    "tcgen05.mma.cta_group::1.kind::f16 [%tmem], %a, %b, %idesc, %p;",
    "tcgen05.cp.cta_group::1.4x256b [%d], %a;",
    "tcgen05.shift.cta_group::1.down [%d];",
    "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%mbar];",
    "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tmem, 32;",
    "mbarrier.arrive.shared::cta.b64 _, [%bar];",
    "mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], %v0;",
    "bar.sync 0;",
    "st.release.gpu.global.b32 [%out], %v1;",
    "ld.acquire.gpu.global.b32 %v2, [%out];",
    "mov.b32 %v1, 0;",
    "add.u32 %d, %d, %v1;",
    "st.global.u32 [%out], %v1;",
    "setp.ne.u32 %p, %v0, 0;",
    "bra L1;",
    "@%p bra L1;",
    "@!%p bra L2;",
    "L1:",
    "L2:",
    "{",
    "}",
    ".reg .b32 %v<4>;",
    ".reg .pred %p;",
    "ret;",
    "exit;",
    "trap;",
    "call.uni f;",
    "elect.sync _|%p, -1;",
    "// a comment",
    "/* tcgen05.wait::ld.sync.aligned; */",
};
enum { STOCK_COUNT = sizeof STOCK / sizeof *STOCK, LINES = 4096, PIECE_MAX = 4096 };

struct lines {
    size_t start[LINES + 1];
    size_t count;
};

static void split(struct lines *lines, const uint8_t *data, size_t size)
{
    lines->count = 0;
    for (size_t at = 0; at < size && lines->count < LINES;) {
        lines->start[lines->count++] = at;
        const uint8_t *end = memchr(data + at, '\n', size - at);
        at = end ? (size_t)(end - data) + 1 : size;
        lines->start[lines->count] = at;
    }
}

/* Inserts text, and a line end if requested, at offset at; returns the size, unchanged if there is
 * no room. */
static size_t insert(uint8_t *data, size_t size, size_t most, size_t at, const uint8_t *text,
                     size_t n, bool newline)
{
    size_t extra = n + newline;
    if (size + extra > most) return size;
    memmove(data + at + extra, data + at, size - at);
    memcpy(data + at, text, n);
    if (newline) data[at + n] = '\n';
    return size + extra;
}

static size_t drop(uint8_t *data, size_t size, size_t start, size_t end)
{
    memmove(data + start, data + end, size - end);
    return size - (end - start);
}

/* A separate line, so that moving it never overlaps. */
static size_t copy_line(uint8_t *data, size_t size, size_t most, const struct lines *lines,
                        size_t from, size_t to)
{
    uint8_t line[512];
    size_t n = lines->start[from + 1] - lines->start[from];
    if (n > sizeof line) return size;
    memcpy(line, data + lines->start[from], n);
    return insert(data, size, most, lines->start[to], line, n, false);
}

/* ---- growth ---- */

static size_t pick(size_t limit)
{
    return limit ? (size_t)rand() % limit : 0;
}

/* Small numbers as often as large ones. */
static size_t pick_size(size_t least, size_t most)
{
    size_t size = least;
    while (size < most / 2 && rand() % 8) size *= 2;
    return size < most ? size + pick(size) : most;
}

/* The piece with the copy's number for each of its numbers; returns its length. */
static size_t number_piece(const uint8_t *piece, size_t n, unsigned number, uint8_t *out)
{
    size_t len = 0;
    for (size_t i = 0; i < n && len + 16 < 2 * PIECE_MAX;) {
        if (piece[i] < '0' || piece[i] > '9') {
            out[len++] = piece[i++];
            continue;
        }
        while (i < n && piece[i] >= '0' && piece[i] <= '9') i++;
        for (unsigned rest = number;; rest /= 10) { /* backwards; any number is as good */
            out[len++] = (uint8_t)('0' + rest % 10);
            if (rest < 10) break;
        }
    }
    return len;
}

/* Repeats data[start, end) after itself. */
static size_t repeat(uint8_t *data, size_t size, size_t most, size_t start, size_t end)
{
    static uint8_t piece[PIECE_MAX], numbered[2 * PIECE_MAX];
    size_t n = end - start;
    if (!n || n > sizeof piece || size >= most) return size;
    memcpy(piece, data + start, n);
    bool same = rand() % 2;
    size_t room = pick_size(256, most - size), tail = size - end, at = end;
    if (room > most - size) room = most - size;
    memmove(data + end + room, data + end, tail);
    for (unsigned copy = 0;; copy++) {
        size_t len = same ? n : number_piece(piece, n, copy, numbered);
        if (at + len > end + room) break;
        memcpy(data + at, same ? piece : numbered, len);
        at += len;
    }
    memmove(data + at, data + end + room, tail);
    return at + tail;
}

/* Nests data[start, end) in so many braces. */
static size_t nest(uint8_t *data, size_t size, size_t most, size_t start, size_t end)
{
    size_t depth = pick_size(4, 4000);
    if (size + 2 * depth > most) return size;
    memmove(data + end + 2 * depth, data + end, size - end);
    memmove(data + start + depth, data + start, end - start);
    memset(data + start, '{', depth);
    memset(data + end + depth, '}', depth);
    return size + 2 * depth;
}

static size_t grow(uint8_t *data, size_t size, size_t most, const struct lines *lines)
{
    size_t a = pick(lines->count), b = a + 1 + pick(8);
    if (b > lines->count) b = lines->count;
    size_t start = lines->start[a], end = lines->start[b];
    size_t from = start + pick(lines->start[a + 1] - start), to = from + 1 + pick(40);
    switch (rand() % 5) {
    case 0: return nest(data, size, most, start, end);
    case 1: return drop(data, size, start, lines->start[a + 1 + pick(lines->count - a)]);
    case 2: /* a part of a line: elements of a list, words of a statement, comments */
        return repeat(data, size, most, from, to < size ? to : size);
    default: return repeat(data, size, most, start, end);
    }
}

/* The first up to a line, some lines of the second, and the rest of the first or not. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t most, unsigned seed)
{
    static struct lines first, second;
    srand(seed);
    split(&first, a, a_size);
    split(&second, b, b_size);
    if (!first.count || !second.count) return 0;
    size_t cut = first.start[pick(first.count + 1)], from = pick(second.count);
    size_t start = second.start[from], to = second.start[from + 1 + pick(second.count - from)];
    size_t middle = to - start, tail = rand() % 2 ? a_size - cut : 0;
    if (cut + middle + tail > most) return 0;
    memcpy(out, a, cut);
    memcpy(out + cut, b + start, middle);
    memcpy(out + cut + middle, a + cut, tail);
    return cut + middle + tail;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct lines lines;
    split(&lines, data, size);
    if (lines.count < 3 || seed % 8 < 3) return LLVMFuzzerMutate(data, size, most);
    srand(seed);
    if (rand() % 16 == 0) return grow(data, size, most, &lines);
    for (unsigned rounds = 1 + (unsigned)rand() % 3; rounds--;) {
        split(&lines, data, size);
        if (!lines.count) break;
        size_t a = (size_t)rand() % lines.count, b = (size_t)rand() % lines.count;
        const char *stock = STOCK[rand() % STOCK_COUNT];
        switch (rand() % 6) {
        case 0: size = drop(data, size, lines.start[a], lines.start[a + 1]); break;
        case 1: size = copy_line(data, size, most, &lines, a, b); break;
        case 2:
            size = insert(data, size, most, lines.start[a], (const uint8_t *)"@%p ", 4, false);
            break;
        default:
            size = insert(data, size, most, lines.start[a], (const uint8_t *)stock, strlen(stock),
                          true);
        }
    }
    return size;
}
