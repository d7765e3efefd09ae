/* Gives lower bounds of the cost: programs that do a part of the work and nothing else:
 *   floors tree FILE           reads it and has libtree-sitter parse it
 *   floors memchr FILE         reads it and counts its lines by memchr
 *   floors lexical FILE OUT    reads it, goes over each byte twice as a lexer must, writes it
 * beside OUT and renames that */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_ptx(void);

struct text {
    char *bytes;
    size_t len;
};

static struct text read_text(const char *path)
{
    struct text text = {0};
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) return text;
    long size = ftell(file);
    rewind(file);
    setvbuf(file, NULL, _IONBF, 0);
    text.bytes = size < 0 ? NULL : malloc((size_t)size + 1);
    if (text.bytes) text.len = fread(text.bytes, 1, (size_t)size, file);
    fclose(file);
    return text;
}

static int tree(struct text text)
{
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, tree_sitter_ptx())) return 1;
    TSTree *made = ts_parser_parse_string(parser, NULL, text.bytes, (uint32_t)text.len);
    int wrong = !made || ts_node_has_error(ts_tree_root_node(made));
    ts_tree_delete(made);
    ts_parser_delete(parser);
    return wrong;
}

static int lines(struct text text)
{
    size_t count = 0;
    const char *at = text.bytes, *end = at + text.len;
    for (; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++) count++;
    return printf("%zu\n", count) < 0;
}

enum class { BLANK, WORD, OTHER };

/* The number of tokens: looks up a class for each byte, and branches where it changes. */
static size_t tokens(struct text text, const unsigned char *classes)
{
    size_t count = 0;
    unsigned char last = BLANK;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char class = classes[(unsigned char)text.bytes[i]];
        count += class != BLANK && (class != last || class == OTHER);
        last = class;
    }
    return count;
}

static int lexical(struct text text, const char *output)
{
    unsigned char classes[256] = {0};
    char beside[4096];
    for (int c = '!'; c < 256; c++) classes[c] = OTHER;
    for (int c = '0'; c <= 'z'; c++)
        if (c <= '9' || (c >= 'A' && c <= 'Z') || c >= 'a' || c == '_') classes[c] = WORD;
    size_t first = tokens(text, classes);
    classes['.'] = WORD; /* so that the second is not a copy of the first */
    if (tokens(text, classes) > first) return 1;
    snprintf(beside, sizeof beside, "%s.tmp", output);
    FILE *file = fopen(beside, "wb");
    if (!file || fwrite(text.bytes, 1, text.len, file) != text.len || fclose(file)) return 1;
    return rename(beside, output) != 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) return fputs("usage: floors tree|memchr|lexical FILE [OUT]\n", stderr), 2;
    struct text text = read_text(argv[2]);
    int status = 2;
    if (!text.bytes) return perror(argv[2]), 1;
    if (strcmp(argv[1], "tree") == 0) status = tree(text);
    if (strcmp(argv[1], "memchr") == 0) status = lines(text);
    if (strcmp(argv[1], "lexical") == 0 && argc == 4) status = lexical(text, argv[3]);
    free(text.bytes);
    return status;
}
