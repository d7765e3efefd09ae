/* Recognises the debug sections that compilers write. See section.h. */
#include "syntax/section.h"

#include "base/work.h"

/* Skips the values of an item, separated by commas. Returns the kind of the token after them. */
static enum token_kind skip_values(struct lexer *lexer)
{
    enum token_kind kind;
    do {
        kind = lexer_skip(lexer);
        if (kind != TOKEN_INTEGER && kind != TOKEN_IDENTIFIER && kind != TOKEN_MODIFIER)
            return TOKEN_ODD;
        work_spend(1);
        kind = lexer_skip(lexer);
    } while (kind == TOKEN_COMMA);
    return kind;
}

bool section_is_plain(struct lexer *lexer)
{
    const char *start = lexer->at;
    if (lexer_skip(lexer) != TOKEN_MODIFIER || lexer_skip(lexer) != TOKEN_LEFT_BRACE) return false;
    enum token_kind kind = lexer_skip(lexer);
    /* a section of the grammar has at least one item */
    if (kind == TOKEN_RIGHT_BRACE) return false;
    while (kind == TOKEN_MODIFIER || kind == TOKEN_IDENTIFIER) {
        bool label = kind == TOKEN_IDENTIFIER;
        if (label && lexer_skip(lexer) != TOKEN_COLON) return false;
        kind = label ? lexer_skip(lexer) : skip_values(lexer);
    }
    bool markers = memchr(start, '#', (size_t)(lexer->at - start));
    return kind == TOKEN_RIGHT_BRACE && !markers;
}
