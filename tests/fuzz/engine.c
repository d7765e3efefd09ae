/* fuzz_engine: bytes -> ptxopt_run. A text that begins with 'O' has its options in the next five
 * bytes; any other runs with the defaults. The properties of the result are those of
 * tests/invariants.c, and: the checker proves it, only synchronisation was removed, and nothing was
 * reverted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "api/ptxopt.h"
#include "text/mention.h"
#include "text/opening.h"

#include "fuzz.h"

enum { OPTION_BYTES = 6 };

struct settings {
    struct ptxopt_options *options;
    struct check_options check;
    bool whole; /* the parse */
    enum ptxopt_style style;
};

static void set_rules(struct ptxopt_options *options, unsigned bits)
{
    size_t count, len = 0;
    char names[512];
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    for (size_t i = 0; i < count; i++)
        if (bits >> i & 1)
            len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", len ? "," : "",
                                    rules[i].id);
    fuzz_holds(ptxopt_options_set_rules(options, len ? names : "all"),
               "rules have the names they have");
}

static void set_assumption(struct settings *settings, const char *name, bool on)
{
    uint32_t bit = check_assume_bit(str_from(name));
    fuzz_holds(bit != 0, "the checker knows each assumption");
    fuzz_holds(ptxopt_options_assume(settings->options, name, on),
               "assumptions have the names they have");
    settings->check.assume &= ~bit;
    settings->check.deny &= ~bit;
    if (on)
        settings->check.assume |= bit;
    else
        settings->check.deny |= bit;
}

/* 'O', two bytes of rules, which assumptions to touch, how, and ISA version, style and parse. */
static void read_settings(struct settings *settings, const uint8_t *data)
{
    size_t count;
    const struct ptxopt_assumption *assumptions = ptxopt_assumptions(&count);
    set_rules(settings->options, data[1] | (unsigned)data[2] << 8);
    for (size_t i = 0; i < count; i++)
        if (data[3] >> i & 1) set_assumption(settings, assumptions[i].name, data[4] >> i & 1);
    if ((data[5] & 3) == 1) {
        fuzz_holds(ptxopt_options_set_isa(settings->options, "8.6"), "8.6 is an ISA");
        settings->check.isa_major = 8;
        settings->check.isa_minor = 6;
    }
    if ((data[5] & 3) == 2) {
        fuzz_holds(ptxopt_options_set_isa(settings->options, "9.4"), "9.4 is an ISA");
        settings->check.isa_major = 9;
        settings->check.isa_minor = 4;
    }
    settings->style = (enum ptxopt_style)((data[5] >> 2 & 3) % 3);
    ptxopt_options_set_style(settings->options, settings->style);
    settings->whole = data[5] >> 4 & 1;
    ptxopt_options_set_parse(settings->options,
                             settings->whole ? PTXOPT_PARSE_TREE : PTXOPT_PARSE_SHAPES);
}

static size_t count_lines(const char *text, size_t len)
{
    size_t lines = 0;
    for (size_t i = 0; i < len; i++) lines += text[i] == '\n';
    return lines;
}

static bool equal(const char *a, size_t a_len, const char *b, size_t b_len)
{
    return a_len == b_len && (!a_len || memcmp(a, b, a_len) == 0);
}

/* The output is the input without the spans of the edits, except for the line ends in them. */
static void check_edits(const struct ptxopt_result *result, const char *text, size_t len,
                        enum ptxopt_style style)
{
    size_t count = ptxopt_result_count(result, PTXOPT_DELETED), out_len, kept = 0, at = 0;
    const struct ptxopt_finding *edit = NULL;
    const char *out = ptxopt_result_text(result, &out_len);
    char *rebuilt = malloc(len + 1);
    if (!rebuilt) exit(EXIT_FAILURE);
    for (size_t i = 0; i <= count; i++) {
        edit = ptxopt_result_next(result, PTXOPT_DELETED, edit);
        size_t start = edit ? edit->replaced_start : len;
        fuzz_holds(start >= at && start <= len, "edits are in order and in the text");
        memcpy(rebuilt + kept, text + at, start - at);
        kept += start - at;
        at = edit ? edit->replaced_end : len;
        fuzz_holds(at >= start && at <= len, "an edit ends after its start");
        for (size_t p = start; p < at; p++)
            if (text[p] == '\n' || text[p] == '\r') rebuilt[kept++] = text[p];
    }
    if (style == PTXOPT_BLANK)
        fuzz_holds(equal(rebuilt, kept, out, out_len), "the edits make the output");
    fuzz_holds(fuzz_is_thinned(text, len, out, out_len), "only synchronisation went");
    free(rebuilt);
    fuzz_holds(ptxopt_result_changed(result) == (count > 0), "a change is an edit");
    fuzz_holds(ptxopt_result_changed(result) != equal(text, len, out, out_len),
               "the changed flag is true");
    size_t before = count_lines(text, len), after = count_lines(out, out_len);
    fuzz_holds(style == PTXOPT_SQUEEZE ? after <= before : after == before, "lines are kept");
}

/* In a text that ptxas would refuse, the checker may see another program, or none, and then a
 * function is reverted to its input. But the checker must never find a changed order. */
static bool may_revert(const char *why)
{
    return strstr(why, "cannot tell") || strstr(why, "the rewrite differs");
}

static void check_nothing_reverted(const struct ptxopt_result *result)
{
    const struct ptxopt_finding *skipped = NULL;
    while ((skipped = ptxopt_result_next(result, PTXOPT_SKIPPED, skipped)))
        if (strcmp(skipped->code, "internal") == 0)
            fuzz_holds(may_revert(skipped->message), skipped->message);
}

static void check_proven(const struct settings *settings, const char *text, size_t len,
                         const struct ptxopt_result *result)
{
    struct arena arena = {0};
    struct check_result checked;
    struct str after;
    after.p = ptxopt_result_text(result, &after.n);
    check_run(&settings->check, (struct str){text, len}, after, &arena, &checked);
    fuzz_holds(checked.verdict == CHECK_PROVEN, checked.message);
    arena_free(&arena);
}

static void check_second_run(const struct settings *settings, const struct ptxopt_result *result)
{
    size_t len;
    const char *text = ptxopt_result_text(result, &len);
    struct ptxopt_result *again = ptxopt_run(settings->options, "again.ptx", text, len);
    fuzz_holds(ptxopt_result_status(again) == PTXOPT_OK, "the output parses");
    fuzz_holds(!ptxopt_result_changed(again), "a second run changes nothing");
    ptxopt_result_free(again);
}

static void check_refused(const struct ptxopt_result *result, const char *text, size_t len)
{
    size_t count, out_len;
    const struct ptxopt_finding *first = ptxopt_result_findings(result, &count);
    const char *out = ptxopt_result_text(result, &out_len);
    fuzz_holds(count > 0, "a refusal says why");
    fuzz_holds(ptxopt_result_status(result) == PTXOPT_BAD_INPUT, first->message);
    fuzz_holds(strcmp(first->code, "too-much-memory") != 0,
               "the limit of memory is for none of these");
    fuzz_holds(!ptxopt_result_changed(result) && equal(out, out_len, text, len),
               "a refused text stays");
}

/* If a text names nothing for a rule, a full parse finds no candidate either. */
static void check_passed_on(const struct ptxopt_result *result, const char *text, size_t len)
{
    struct ptxopt_options *options = ptxopt_options_new();
    size_t out_len, findings;
    const char *out = ptxopt_result_text(result, &out_len);
    const struct ptxopt_finding *first = ptxopt_result_findings(result, &findings);
    struct opening_fault fault;
    if (opening_is_ptx((struct str){text, len}, &fault))
        fuzz_holds(ptxopt_result_status(result) == PTXOPT_OK && !findings, "nothing is said of it");
    else
        fuzz_holds(ptxopt_result_status(result) == PTXOPT_BAD_INPUT && findings == 1 &&
                       strcmp(first->message, fault.text) == 0,
                   "it is refused by its beginning");
    fuzz_holds(!ptxopt_result_changed(result) && equal(out, out_len, text, len), "it stays");
    ptxopt_options_set_parse(options, PTXOPT_PARSE_TREE);
    struct ptxopt_result *whole = ptxopt_run(options, "fuzz.ptx", text, len);
    fuzz_holds(!ptxopt_result_stats(whole)->candidates && !ptxopt_result_changed(whole),
               "the whole parse finds no candidate");
    ptxopt_result_free(whole);
    ptxopt_options_free(options);
}

void fuzz_engine(const uint8_t *data, size_t size)
{
    struct settings settings = {.options = ptxopt_options_new(), .style = PTXOPT_BLANK};
    if (size >= OPTION_BYTES && data[0] == 'O') {
        read_settings(&settings, data);
        data += OPTION_BYTES;
        size -= OPTION_BYTES;
    }
    const char *text = (const char *)data;
    struct ptxopt_result *result = ptxopt_run(settings.options, "fuzz.ptx", text, size);
    if (!settings.whole && !mention_found((struct str){text, size}))
        check_passed_on(result, text, size);
    else if (ptxopt_result_status(result) == PTXOPT_OK) {
        check_nothing_reverted(result);
        check_edits(result, text, size, settings.style);
        check_proven(&settings, text, size, result);
        check_second_run(&settings, result);
    } else {
        check_refused(result, text, size);
    }
    ptxopt_result_free(result);
    ptxopt_options_free(settings.options);
}
