/* Checks names of registers. Each case is a text of steps, separated by blanks: `{` and `}` open
 * and close a scope, `+x` declares a name, `+x<8>` a range, and each other word is a use. The
 * expectation has a letter for each use, the same letter for the same register. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/names.h"

static const struct {
    const char *why, *steps, *registers;
} CASES[] = {
    {"a name is itself", "+x x x +y y x", "aaba"},
    {"a range declares its members", "+%r<8> %r1 %r2 %r1", "aba"},
    {"a member is its number", "+%r<8> %r7 %r07 %r007", "aaa"},
    {"… modulo 2^32", "+%r<8> %r7 %r4294967303", "aa"},
    {"a name beyond the count is undeclared", "+%r<8> %r8 %r08 %r8", "aba"},
    {"an inner scope hides a name", "+x x { +x x } x", "aba"},
    {"an inner scope hides a range", "+%r<8> %r1 { +%r<2> %r1 %r7 } %r1 %r7", "abcac"},
    {"what nobody declares is the body's", "{ x } x { { x } }", "aaa"},
    {"a use before the range is declared is of it", "%r5 +%r<8> %r5 %r6", "aab"},
    {"… in an inner scope it is not", "%r5 { +%r<8> %r5 } %r5", "aba"},
    {"a use before the name is declared is of it", "{ x } +x x { x }", "aaa"},
    {"a use beyond the count is of the larger range that follows", "+%r<8> %r9 +%r<16> %r9", "aa"},
    {"a smaller range of the same scope takes nothing back", "+%r<8> %r7 +%r<2> %r7", "aa"},
    {"a plain name of an inner scope hides a member", "+%r<8> %r5 { +%r5 %r5 %r6 } %r5 %r6",
     "abcac"},
    {"a plain name and a member of one scope are alike", "+%r<8> %r5 +%r5 %r5", "aa"},
    {"… whichever was declared first", "+%r5 %r5 +%r<8> %r5 %r05", "aaa"},
    {"a plain name with a leading zero is none of the range", "+%r<8> %r5 +%r05 %r05 %r5", "aba"},
    {"a plain name with a digit leaves the members what they are", "+%r<8> +P1 %r5 P1 %r05 P1",
     "abab"},
    {"large numbers are members, too", "+%r<20000> %r16384 %r016384 %r16383 %r16384", "aaba"},
    {"a stem is known in full", "+%r<4> +%rd<4> +%rdd<4> %r1 %rd1 %rdd1 %r1 %rd1", "abcab"},
    {"… and however long it is",
     "+%longer_than_eight<4> %longer_than_eight1 %longer_than_eigh1 "
     "%longer_than_eight1",
     "aba"},
    {"eight letters, of which seven are digits", "+%<4000000> %1234567 %1234566 %01234567 %1234567",
     "abaa"},
    {"one letter more", "+%r<4000000> %r1234567 %r123456 %r01234567 %r1234567", "abaa"},
    {"digits inside of a name belong to its stem", "+%r1_<8> +%r<8> %r1_5 %r5 %r1_05", "aba"},
    {"a scope that is closed is another one", "{ +%r<4> %r1 } { +%r<4> %r1 } %r1", "abc"},
};

static void declare(struct names *names, const char *word, size_t n)
{
    const char *open = memchr(word, '<', n);
    if (open)
        names_declare_range(names, (struct str){word, (size_t)(open - word)},
                            strtoull(open + 1, NULL, 10));
    else
        names_declare(names, (struct str){word, n});
}

/* Takes one step; the register of a use, else REG_NONE. */
static reg_id take(struct names *names, const char *word, size_t n)
{
    if (*word == '{') names_open(names);
    if (*word == '}') names_close(names);
    if (*word == '+') declare(names, word + 1, n - 1);
    if (strchr("{}+", *word)) return REG_NONE;
    return names_resolve(names, (struct str){word, n});
}

static void names_are_the_registers_that_they_should_be(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        struct names names = {0};
        char letters[32] = "";
        reg_id met[32];
        size_t uses = 0, count = 0;
        names_open(&names);
        for (const char *word = CASES[c].steps; *word; word += strspn(word, " ")) {
            size_t n = strcspn(word, " "), k = 0;
            reg_id reg = take(&names, word, n);
            word += n;
            if (reg == REG_NONE) continue;
            while (k < count && met[k] != reg) k++;
            if (k == count) met[count++] = reg;
            letters[uses++] = (char)('a' + k);
        }
        if (strcmp(letters, CASES[c].registers) != 0)
            fail_msg("%s: %s, not %s", CASES[c].why, letters, CASES[c].registers);
        assert_int_equal(names.reg_count, count);
        names_free(&names);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_the_registers_that_they_should_be),
    };
    return RUN_TESTS(tests);
}
