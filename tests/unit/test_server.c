/* The handlers without a socket: requests and replies are structs. */
#include "report/json.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "server/base/settings.h"
#include "server/handle/codec.h"
#include "server/handle/negotiate.h"
#include "server/handle/precheck.h"
#include "server/handle/routes.h"
#include "server/store/cache.h"
#include "server/store/digests.h"
#include "server/store/seal.h"
#include "server/work/answer.h"

#define HEAD ".version 8.7\n.target sm_100a\n.address_size 64\n"

struct call {
    struct settings settings;
    struct service service;
    struct request request;
    struct reply reply;
    const struct route *route;
};

static void prepare(struct call *call, const char *method, const char *path, const char *body)
{
    *call = (struct call){0};
    settings_init(&call->settings);
    call->service.settings = &call->settings;
    call->request.method = method;
    call->request.path = path;
    call->request.client = "test";
    strcpy(call->request.id, "id-1");
    if (!body) return;
    char length[32];
    snprintf(length, sizeof length, "%zu", strlen(body));
    request_add(&call->request, &call->request.headers, "Content-Length", length);
    buf_puts(&call->request.body, body);
}

static void header(struct call *call, const char *name, const char *value)
{
    request_add(&call->request, &call->request.headers, name, value);
}

/* The status, as net/httpd.c would compute it. */
static int answer(struct call *call)
{
    if (precheck_request(&call->settings, &call->request, &call->route, &call->reply))
        answer_request(&call->service, call->route, &call->request, &call->reply);
    return call->reply.status;
}

static bool says(const struct call *call, const char *text)
{
    struct str body = reply_bytes(&call->reply);
    return memmem(body.p, body.n, text, strlen(text));
}

static void end(struct call *call)
{
    request_free(&call->request);
    reply_free(&call->reply);
    cache_free(call->service.cache);
    digests_free(call->service.digests);
}

static void raw_text_comes_back_raw(void **state)
{
    struct call call;
    (void)state;
    prepare(&call, "POST", "/v1/optimize", HEAD);
    header(&call, "Content-Type", "text/x-ptx");
    assert_int_equal(answer(&call), 200);
    assert_int_equal(reply_bytes(&call.reply).n, strlen(HEAD));
    assert_string_equal(fields_find(&call.reply.headers, "Ptxopt-Changed"), "false");
    end(&call);
}

static void json_is_answered_with_json(void **state)
{
    struct call call;
    (void)state;
    prepare(&call, "POST", "/v1/optimize",
            "{\"source\":\".version 8.7\\n.target sm_100a\\n.address_size 64\\n\"}");
    header(&call, "Content-Type", "application/json; charset=utf-8");
    assert_int_equal(answer(&call), 200);
    assert_true(says(&call, "\"changed\":false"));
    assert_string_equal(fields_find(&call.reply.headers, "Content-Type"), "application/json");
    end(&call);
}

static void errors_say_where_and_whose(void **state)
{
    struct call call;
    (void)state;
    prepare(&call, "POST", "/v1/optimize", HEAD "// tcgen05\n{");
    assert_int_equal(answer(&call), 422);
    assert_true(says(&call, "\"line\":5,\"column\":2"));
    assert_true(says(&call, "\"request_id\":\"id-1\""));
    end(&call);
}

static void each_refusal_has_its_status(void **state)
{
    static const struct {
        const char *method, *path, *type, *accept;
        int status;
    } cases[] = {
        {"GET", "/nothing", NULL, NULL, 404},
        {"PUT", "/v1/rules", NULL, NULL, 405},
        {"GET", "/v1/rules", NULL, "text/html", 406},
        {"POST", "/v1/optimize", "image/png", NULL, 415},
        {"POST", "/v1/verify", "text/plain", NULL, 415},
        {"POST", "/v1/optimize", NULL, "application/json;q=0, text/html", 406},
        {"GET", "/v1/results/00", NULL, NULL, 404},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct call call;
        prepare(&call, cases[i].method, cases[i].path, HEAD);
        if (cases[i].type) header(&call, "Content-Type", cases[i].type);
        if (cases[i].accept) header(&call, "Accept", cases[i].accept);
        assert_int_equal(answer(&call), cases[i].status);
        end(&call);
    }
}

static void readiness_ends_when_draining(void **state)
{
    struct call call;
    (void)state;
    prepare(&call, "GET", "/readyz", NULL);
    atomic_store(&call.service.draining, true);
    assert_int_equal(answer(&call), 503);
    assert_string_equal(fields_find(&call.reply.headers, "Retry-After"), "1");
    end(&call);
}

static void second_answer_comes_from_the_cache(void **state)
{
    struct call call;
    (void)state;
    prepare(&call, "POST", "/v1/optimize", HEAD);
    call.service.cache = cache_new(1 << 20);
    call.service.digests = digests_new();
    assert_int_equal(answer(&call), 200);
    assert_false(call.reply.from_cache);
    reply_free(&call.reply);
    call.reply = (struct reply){0};
    assert_int_equal(answer(&call), 200);
    assert_true(call.reply.from_cache);
    assert_int_equal(reply_bytes(&call.reply).n, strlen(HEAD));
    end(&call);
}

static void messages_survive_packing_and_no_cut_does(void **state)
{
    struct call call;
    struct buf packed = {0};
    (void)state;
    prepare(&call, "GET", "/v1/rules", NULL);
    assert_int_equal(answer(&call), 200);
    message_pack_reply(&call.reply, &packed);
    for (size_t n = 0; n <= packed.len; n++) {
        struct reply copy = {0};
        assert_int_equal(message_unpack_reply((struct str){packed.data, n}, &copy),
                         n == packed.len);
        reply_free(&copy);
    }
    buf_free(&packed);
    message_pack_request(&call.request, &packed);
    for (size_t n = 0; n <= packed.len; n++) {
        struct request copy = {0};
        assert_int_equal(message_unpack_request((struct str){packed.data, n}, &copy),
                         n == packed.len);
        request_free(&copy);
    }
    buf_free(&packed);
    end(&call);
}

static void accept_headers_choose(void **state)
{
    static const char *const offers[] = {"text/x-ptx", "application/json", "text/plain"};
    (void)state;
    assert_string_equal(negotiate_best(NULL, offers, 3), "text/x-ptx");
    assert_string_equal(negotiate_best("*/*", offers, 3), "text/x-ptx");
    assert_string_equal(negotiate_best("application/*", offers, 3), "application/json");
    assert_string_equal(negotiate_best("text/*;q=0.2, application/json;q=0.3", offers, 3),
                        "application/json");
    assert_string_equal(negotiate_best("text/plain, */*;q=0.1", offers, 3), "text/plain");
    assert_null(negotiate_best("image/png", offers, 3));
    assert_null(negotiate_best("*/*;q=0", offers, 3));
    assert_null(negotiate_best("", offers, 3));
}

static void bombs_stop_at_the_limit(void **state)
{
    static char zeros[1 << 20];
    struct buf small = {0}, out = {0};
    (void)state;
    assert_true(codec_encode("gzip", (struct str){zeros, sizeof zeros}, &small));
    struct str body = {small.data, small.len};
    assert_int_equal(codec_decode("gzip", body, sizeof zeros - 1, &out), CODEC_TOO_LARGE);
    assert_int_equal(out.len, 0);
    assert_int_equal(codec_decode("gzip", body, sizeof zeros, &out), CODEC_DONE);
    assert_int_equal(out.len, sizeof zeros);
    buf_free(&out);
    body.n--;
    assert_int_equal(codec_decode("gzip", body, sizeof zeros, &out), CODEC_CORRUPT);
    assert_int_equal(codec_decode("br", body, 1, &out), CODEC_UNKNOWN);
    buf_free(&small);
}

/* More texts than the cache has places for; each twice in sequence, then all again. */
static void remembered_digests_are_those_of_the_text(void **state)
{
    enum { TEXTS = 6000, LONGEST = 3000 };
    struct digests *digests = digests_new();
    static char text[LONGEST + 1];
    (void)state;
    assert_non_null(digests);
    memset(text, 'a', LONGEST);
    for (int i = 0; i < 3 * TEXTS; i++) {
        uint32_t number = (uint32_t)(i < 2 * TEXTS ? i / 2 : i - 2 * TEXTS);
        struct str pieces[] = {{(const char *)&number, sizeof number}, {text, number % LONGEST}};
        unsigned char digest[DIGEST_BYTES], again[DIGEST_BYTES];
        digest_bytes(pieces, 2, digest);
        digests_find(digests, pieces, 2, again);
        assert_memory_equal(digest, again, DIGEST_BYTES);
        digests_find(NULL, pieces, 2, again);
        assert_memory_equal(digest, again, DIGEST_BYTES);
    }
    digests_free(digests);
}

/* With a secret, and without one. */
static void seal_opens_for_its_key_and_secret_only(void **state)
{
    static const char *const secrets[] = {"", "a secret of thirty-two bytes or so", "another"};
    char key[DIGEST_HEX + 1], other[DIGEST_HEX + 1];
    struct str value;
    (void)state;
    digest_hex(str_from("a"), key);
    digest_hex(str_from("b"), other);
    for (size_t s = 0; s < sizeof secrets / sizeof *secrets; s++) {
        struct str secret = str_from(secrets[s]);
        struct buf sealed = {0};
        seal_add(secret, key, str_from("value"), &sealed);
        struct str all = {sealed.data, sealed.len};
        assert_true(seal_open(secret, key, all, &value));
        assert_true(str_is(value, "value"));
        assert_false(seal_open(secret, other, all, &value));
        for (size_t t = 0; t < sizeof secrets / sizeof *secrets; t++)
            assert_int_equal(seal_open(str_from(secrets[t]), key, all, &value), s == t);
        for (size_t i = 0; i < all.n; i++) {
            sealed.data[i] ^= 1;
            assert_false(seal_open(secret, key, all, &value));
            sealed.data[i] ^= 1;
            assert_false(seal_open(secret, key, (struct str){all.p, i}, &value));
        }
        buf_free(&sealed);
    }
}

static void problems_are_json_whatever_they_quote(void **state)
{
    struct call call;
    (void)state;
    prepare(&call, "POST", "/v1/optimize", HEAD);
    header(&call, "Content-Type", "image/\"\\\x01\xff\xc3\xa9");
    assert_int_equal(answer(&call), 415);
    assert_true(says(&call, "'image/\\\"\\\\\\u0001\xef\xbf\xbd\xc3\xa9'"));
    end(&call);
}

/* In pieces of any size the bytes are the same, and no prefix of them is complete. */
static void codings_work_piece_by_piece(void **state)
{
    static const char *const codings[] = {"gzip", "zstd", "identity"};
    static const char text[] = HEAD HEAD "// end";
    (void)state;
    for (size_t c = 0; c < sizeof codings / sizeof *codings; c++) {
        if (!codec_is_known(codings[c])) continue;
        struct buf packed = {0}, plain = {0};
        struct codec_encoder *encoder = codec_encoder_new(codings[c]);
        for (size_t i = 0; i < sizeof text; i++)
            assert_true(codec_encoder_add(encoder, (struct str){text + i, 1},
                                          i % 7 ? CODEC_MORE : CODEC_FLUSH, &packed));
        assert_true(codec_encoder_add(encoder, (struct str){"", 0}, CODEC_END, &packed));
        codec_encoder_free(encoder);
        struct codec_decoder *decoder = codec_decoder_new(codings[c]);
        for (size_t i = 0; i < packed.len; i++) {
            assert_int_equal(codec_decoder_is_whole(decoder), c == 2);
            struct str in = {packed.data + i, 1};
            while (codec_decoder_has_more(decoder, in))
                assert_int_equal(codec_decoder_step(decoder, &in, &plain), CODEC_DONE);
        }
        assert_true(codec_decoder_is_whole(decoder));
        assert_int_equal(plain.len, sizeof text);
        assert_memory_equal(plain.data, text, sizeof text);
        codec_decoder_free(decoder);
        buf_free(&packed);
        buf_free(&plain);
    }
}

int main(void)
{
    json_use_work();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_text_comes_back_raw),
        cmocka_unit_test(json_is_answered_with_json),
        cmocka_unit_test(errors_say_where_and_whose),
        cmocka_unit_test(each_refusal_has_its_status),
        cmocka_unit_test(readiness_ends_when_draining),
        cmocka_unit_test(second_answer_comes_from_the_cache),
        cmocka_unit_test(messages_survive_packing_and_no_cut_does),
        cmocka_unit_test(accept_headers_choose),
        cmocka_unit_test(bombs_stop_at_the_limit),
        cmocka_unit_test(remembered_digests_are_those_of_the_text),
        cmocka_unit_test(seal_opens_for_its_key_and_secret_only),
        cmocka_unit_test(problems_are_json_whatever_they_quote),
        cmocka_unit_test(codings_work_piece_by_piece),
    };
    return RUN_TESTS(tests);
}
