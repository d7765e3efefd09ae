/* What libFuzzer mutates with: half the time its own byte mutations, else whole lines of PTX, moved,
 * doubled, dropped, guarded or put in from a stock of statements. A random byte rarely makes another
 * program; a random line often does. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

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
enum { STOCK_COUNT = sizeof STOCK / sizeof *STOCK, LINES = 4096 };

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

/* Puts text, and a line end when asked for, at offset at; the size, unchanged when there is no room. */
static size_t insert(uint8_t *data, size_t size, size_t most, size_t at, const uint8_t *text, size_t n,
                     bool newline)
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

/* A line of its own, so that moving it never overlaps. */
static size_t copy_line(uint8_t *data, size_t size, size_t most, const struct lines *lines,
                        size_t from, size_t to)
{
    uint8_t line[512];
    size_t n = lines->start[from + 1] - lines->start[from];
    if (n > sizeof line) return size;
    memcpy(line, data + lines->start[from], n);
    return insert(data, size, most, lines->start[to], line, n, false);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct lines lines;
    split(&lines, data, size);
    if (lines.count < 3 || seed % 8 < 3) return LLVMFuzzerMutate(data, size, most);
    srand(seed);
    for (unsigned rounds = 1 + (unsigned)rand() % 3; rounds--;) {
        split(&lines, data, size);
        if (!lines.count) break;
        size_t a = (size_t)rand() % lines.count, b = (size_t)rand() % lines.count;
        const char *stock = STOCK[rand() % STOCK_COUNT];
        switch (rand() % 6) {
        case 0:
            size = drop(data, size, lines.start[a], lines.start[a + 1]);
            break;
        case 1:
            size = copy_line(data, size, most, &lines, a, b);
            break;
        case 2:
            size = insert(data, size, most, lines.start[a], (const uint8_t *)"@%p ", 4, false);
            break;
        default:
            size = insert(data, size, most, lines.start[a], (const uint8_t *)stock, strlen(stock), true);
        }
    }
    return size;
}
