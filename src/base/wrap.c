/* Breaks text into lines. See wrap.h. */
#include "base/wrap.h"

enum { WIDTH = 79 };

static size_t word_length(struct str text)
{
    size_t n = 0;
    while (n < text.n && text.p[n] != ' ') n++;
    return n;
}

void wrap_add(struct buf *out, struct str text, size_t indent)
{
    size_t column = indent;
    while (text.n) {
        size_t word = word_length(text);
        if (column > indent && column + 1 + word > WIDTH) {
            buf_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        }
        if (column > indent) {
            buf_putc(out, ' ');
            column++;
        }
        buf_add(out, text.p, word);
        column += word;
        while (word < text.n && text.p[word] == ' ') word++;
        text = (struct str){text.p + word, text.n - word};
    }
    buf_putc(out, '\n');
}
