/* Lists the words of ptxas. Each word was tested with ptxas 13.0 and 13.4: a list does not have
 * words that neither accepts in that place. */
#include "syntax/strict_word.h"

#include <stddef.h>

static const char *const TYPES[] = {
    ".b8",     ".b16",    ".b32",    ".b64",    ".b128",   ".u8",     ".u16",        ".u32",
    ".u64",    ".u16x2",  ".s8",     ".s16",    ".s32",    ".s64",    ".s16x2",      ".f16",
    ".f16x2",  ".f32",    ".f32x2",  ".f64",    ".pred",   ".texref", ".samplerref", ".surfref",
    ".e4m3",   ".e5m2",   ".e2m1x2", ".e2m3x2", ".e3m2x2", ".e4m3x2", ".e5m2x2",     ".ue8m0x2",
    ".s2f6x2", ".e2m1x4", ".e2m3x4", ".e3m2x4", ".e4m3x4", ".e5m2x4", ".ue8m0x4",
};

static const char *const RESERVED[] = {
    ".abi_preserve",
    ".abi_preserve_control",
    ".address_size",
    ".align",
    ".attribute",
    ".blocksareclusters",
    ".branchtargets",
    ".callprototype",
    ".calltargets",
    ".common",
    ".entry",
    ".explicitcluster",
    ".extern",
    ".file",
    ".func",
    ".loc",
    ".local_maxnreg",
    ".managed",
    ".maxclusterrank",
    ".maxnctapersm",
    ".maxnreg",
    ".maxntid",
    ".minnctapersm",
    ".noreturn",
    ".pragma",
    ".ptr",
    ".reg",
    ".reqnctapercluster",
    ".reqntid",
    ".section",
    ".target",
    ".unified",
    ".unique",
    ".visible",
};

static const struct strict_directive DIRECTIVES[] = {
    {".abi_preserve", STRICT_FUNC | STRICT_PROTOTYPE, 1, 1, false},
    {".abi_preserve_control", STRICT_FUNC | STRICT_PROTOTYPE, 1, 1, false},
    {".blocksareclusters", STRICT_ENTRY, 0, 0, false},
    {".explicitcluster", STRICT_ENTRY, 0, 0, false},
    {".language", STRICT_ENTRY | STRICT_FUNC, 1, 2, true},
    {".local_maxnreg", STRICT_ENTRY | STRICT_FUNC, 1, 1, false},
    {".maxclusterrank", STRICT_ENTRY, 1, 1, false},
    {".maxnctapersm", STRICT_ENTRY, 1, 1, false},
    {".maxnreg", STRICT_ENTRY, 1, 1, false},
    {".maxntid", STRICT_ENTRY, 1, 3, false},
    {".minnctapersm", STRICT_ENTRY, 1, 1, false},
    {".minperctamemory", STRICT_ENTRY, 1, 1, false},
    {".noreturn", STRICT_FUNC | STRICT_PROTOTYPE, 0, 0, false},
    {".pragma", STRICT_ENTRY | STRICT_FUNC, 1, UINT8_MAX, true},
    {".reqnctapercluster", STRICT_ENTRY, 1, 3, false},
    {".reqntid", STRICT_ENTRY, 1, 3, false},
};

static bool is_among(struct str word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_is(word, list[i])) return true;
    return false;
}

bool strict_is_type(struct str word)
{
    return is_among(word, TYPES, sizeof TYPES / sizeof *TYPES);
}

bool strict_is_reserved(struct str word)
{
    return is_among(word, RESERVED, sizeof RESERVED / sizeof *RESERVED);
}

static bool word_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool strict_is_modifier(struct str word)
{
    size_t i = 1;
    if (word.n < 2 || word.p[1] == '_' || word.p[1] == '$') return false;
    while (i < word.n && word_is_digit(word.p[i])) i++;
    if (i == 1 || i == word.n) return i == 1;
    return word.p[i] == 'd' || (word.p[i] == 'x' && i + 1 < word.n && word_is_digit(word.p[i + 1]));
}

bool strict_is_selector(struct str word)
{
    if (word.n < 2) return false;
    if (word.n == 2) return strchr("xyzwrgba", word.p[1]) != NULL;
    if (word.p[1] != 'b' && word.p[1] != 'h') return false;
    for (size_t i = 2; i < word.n; i++)
        if (word.p[i] < '0' || word.p[i] > '7') return false;
    return true;
}

const struct strict_directive *strict_find_directive(struct str name)
{
    for (size_t i = 0; i < sizeof DIRECTIVES / sizeof *DIRECTIVES; i++)
        if (str_is(name, DIRECTIVES[i].name)) return &DIRECTIVES[i];
    return NULL;
}
