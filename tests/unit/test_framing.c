/* Framing: the output is the same however the bytes were divided, no request takes bytes of the
 * next one, and nothing follows a fault. */
#include "unit.h"

#include <string.h>

#include "server/net/framing.h"

#define HOST "Host: a\r\n"
#define GET "GET /a?b HTTP/1.1\r\n" HOST
#define POST "POST /c HTTP/1.1\r\n" HOST
#define LAST " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

static const struct {
    const char *in, *out;
    unsigned requests;
    int status; /* of the last request; 0: no error */
} streams[] = {
    {GET "\r\n", GET "\r\n", 1, 0},
    {"\r\n\r\n" GET "\r\n" GET "X: y\r\n\r\n", GET "\r\n" GET "X: y\r\n\r\n", 2, 0},
    {GET "Cookie: a=b\r\nX:\t\r\n\r\n", GET "X: \r\n\r\n", 1, 0},
    {GET "X:y\r\nZ: \ta b\t \r\n\r\n", GET "X: y\r\nZ: a b\r\n\r\n", 1, 0},
    {POST "Content-Length: 5\r\n\r\nGET /" GET "\r\n",
     POST "Content-Length: 5\r\n\r\nGET /" GET "\r\n", 2, 0},
    {POST "Content-Length: 0\r\n\r\n" GET "\r\n", POST "Content-Length: 0\r\n\r\n" GET "\r\n", 2,
     0},
    {POST
     "Transfer-Encoding: Chunked\r\n\r\n00a;x=\"y\"\r\n0\r\n\r\n0\r\n\r\n\r\n0\r\nX: y\r\n\r\n" GET
     "\r\n",
     POST "Transfer-Encoding: Chunked\r\n\r\na\r\n0\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n" GET "\r\n", 2,
     0},
    {GET "X : y\r\n\r\n" GET "\r\n", "GET /a" LAST, 1, 400},
    {GET "\r\n" GET "X: y\n\r\n" GET "\r\n", GET "\r\nGET /a" LAST, 2, 400},
    {"GET / HTTP/9\r\n\r\n" GET, "GET *" LAST, 1, 400},
    {POST "Transfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n" GET "\r\n",
     POST "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", 1, 400},
    {POST "Transfer-Encoding: chunked\r\n\r\nx\r\n" GET "\r\n",
     POST "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 1, 400},
    {POST "Transfer-Encoding: chunked\r\n\r\n0\r\n X\r\n\r\n" GET "\r\n",
     POST "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 1, 400},
    {GET
     "X: 345678901234567890123456789012345678901234567890123456789012345678901234567890\r\n\r\n",
     "GET /a" LAST, 1, 431},
    {"GET /345678901234567890123456789012345678901234567890123456789012345678901234567890 "
     "HTTP/1.1\r\n",
     "GET *" LAST, 1, 414},
    {"GET /?&&&&&& HTTP/1.1\r\n", "GET /" LAST, 1, 414},
    {GET "a: b\r\nc: d\r\ne: f\r\ng: h\r\n\r\n", "GET /a" LAST, 1, 431},
};

struct reading {
    struct framing framing;
    struct buf out;
    unsigned requests;
};

/* One request after the other, until there are no more bytes. */
static void read_requests(struct reading *reading, const char *bytes, size_t len)
{
    struct framing *framing = &reading->framing;
    for (size_t at = 0; at < len;) {
        size_t taken = framing_add(framing, bytes + at, len - at, &reading->out);
        assert_true(taken == len - at || (taken < len - at && framing->state == FRAMING_WHOLE));
        at += taken;
        if (framing->state != FRAMING_WHOLE) continue;
        assert_int_equal(framing_add(framing, bytes, len, &reading->out), 0);
        reading->requests++;
        framing_next(framing);
    }
}

static void check(size_t i, size_t cut)
{
    struct reading reading = {.framing.most_bytes = 64};
    const struct framing *framing = &reading.framing;
    size_t len = strlen(streams[i].in);
    read_requests(&reading, streams[i].in, cut);
    read_requests(&reading, streams[i].in + cut, len - cut);
    assert_int_equal(reading.out.len, strlen(streams[i].out));
    assert_memory_equal(reading.out.data, streams[i].out, reading.out.len);
    assert_int_equal(reading.requests + (framing->state == FRAMING_ENDED), streams[i].requests);
    assert_int_equal(framing->fault ? framing->fault->status : 0, streams[i].status);
    assert_int_equal(framing->state, streams[i].status ? FRAMING_ENDED : FRAMING_HEAD);
    buf_free(&reading.out);
    framing_free(&reading.framing);
}

static void streams_come_out_the_same_wherever_they_are_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        for (size_t cut = 0; cut <= strlen(streams[i].in); cut++) check(i, cut);
}

static void bodies_may_pass_without_a_look(void **state)
{
    static const char head[] = POST "Content-Length: 9\r\n\r\n", next[] = GET "\r\n";
    struct reading reading = {.framing.most_bytes = 64};
    struct framing *framing = &reading.framing;
    (void)state;
    read_requests(&reading, head, sizeof head - 1);
    assert_int_equal(framing_passes(framing), 9);
    framing_pass(framing, 4);
    assert_int_equal(framing_passes(framing), 5);
    framing_pass(framing, 5);
    assert_int_equal(framing_passes(framing), 0);
    assert_int_equal(framing->state, FRAMING_WHOLE);
    framing_next(framing);
    read_requests(&reading, next, sizeof next - 1);
    assert_int_equal(reading.requests, 1);
    buf_free(&reading.out);
    framing_free(framing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_come_out_the_same_wherever_they_are_cut),
        cmocka_unit_test(bodies_may_pass_without_a_look),
    };
    return RUN_TESTS(tests);
}
