/* Splits an opcode into its words. See spelled.h. */
#include "value/spelled.h"

void spelled_read(struct spelled *spelled, struct str opcode)
{
    const char *end = opcode.p + opcode.n, *word = opcode.p;
    *spelled = (struct spelled){.opcode = opcode, .base = opcode};
    for (bool first = true; word < end; first = false) {
        const char *dot = memchr(word, '.', (size_t)(end - word));
        size_t n = (size_t)((dot ? dot : end) - word);
        if (first)
            spelled->base.n = n;
        else if (n)
            spelled->words |= spelled_bit(word, n);
        word += n + 1;
    }
}
