/* What does ptxas make of a text? Asked once for all who want to know: figures, lines, words. */
#include "report/compiled.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "report/tool.h"

/* ---- the text's target ---- */

/* The first byte from at on that is neither blank nor comment. */
static size_t skip_blanks(const char *text, size_t len, size_t at)
{
    while (at < len) {
        const char *end = NULL;
        if (strchr(" \t\r\n\f\v", text[at])) {
            at++;
            continue;
        }
        if (len - at < 2 || text[at] != '/') return at;
        if (text[at + 1] == '/')
            end = memchr(text + at, '\n', len - at);
        else if (text[at + 1] == '*')
            end = memmem(text + at + 2, len - at - 2, "*/", 2);
        else
            return at;
        if (!end) return len;
        at = (size_t)(end - text) + (*end == '*' ? 2 : 1);
    }
    return len;
}

static size_t word_length(const char *text, size_t len, size_t at)
{
    size_t end = at;
    while (end < len && (text[end] == '_' || (text[end] >= '0' && text[end] <= '9') ||
                         ((text[end] | 0x20) >= 'a' && (text[end] | 0x20) <= 'z')))
        end++;
    return end - at;
}

/* The architecture of the first .target ("sm_100a"), for mem_free; NULL when there is none. */
static char *target_of(struct str source)
{
    const char *text = source.p;
    size_t len = source.n;
    static const char directive[] = ".target";
    enum { LONGEST = 32 };
    size_t n = strlen(directive);
    for (size_t at = skip_blanks(text, len, 0); at < len;
         at = skip_blanks(text, len, at + 1 + word_length(text, len, at + 1))) {
        if (text[at] != '.' || n > len - at || memcmp(text + at, directive, n) != 0) continue;
        at = skip_blanks(text, len, at + n);
        size_t word = word_length(text, len, at);
        bool is_arch = word > 3 && word < LONGEST && memcmp(text + at, "sm_", 3) == 0;
        if (!is_arch) return NULL;
        struct buf arch = {0};
        buf_add(&arch, text + at, word);
        return buf_take(&arch);
    }
    return NULL;
}

/* ---- running ---- */

void compiled_make(struct compiled *compiled)
{
    if (compiled->made) return;
    compiled->made = true;
    struct buf messages = {0}, problem = {0};
    char *arch = target_of(compiled->text);
    if (arch) {
        char flag[64], verbose[] = "-v", lineinfo[] = "-lineinfo";
        char output[] = "-o", in[] = TOOL_INPUT, out[] = TOOL_OUTPUT;
        struct buf name = {0};
        buf_puts(&name, compiled->ptxas ? compiled->ptxas : "ptxas");
        char *argv[] = {buf_take(&name), verbose, lineinfo, flag, in, output, out, NULL};
        snprintf(flag, sizeof flag, "-arch=%s", arch);
        compiled->problem =
            tool_run(argv, TOOL_WRITES_FILE, compiled->text, &compiled->cubin, &messages);
        mem_free(argv[0]);
    } else {
        buf_puts(&problem, "the text names no .target for ptxas");
        compiled->problem = buf_take(&problem);
    }
    compiled->messages = buf_take(&messages);
    mem_free(arch);
}

void compiled_free(struct compiled *compiled)
{
    mem_free(compiled->problem);
    mem_free(compiled->messages);
    buf_free(&compiled->cubin);
    *compiled = (struct compiled){.made = false};
}
