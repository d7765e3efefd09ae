/* A file in memory, and the language under test: for the programs of this folder. */
#ifndef TESTS_GRAMMAR_TEXT_H
#define TESTS_GRAMMAR_TEXT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tree_sitter/api.h>

/* grammar-speed.sh uses another one. */
#ifndef LANGUAGE
#define LANGUAGE tree_sitter_ptx
#endif

const TSLanguage *LANGUAGE(void);

struct text {
    char *data;
    uint32_t len;
};

static inline struct text text_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    struct text text = {malloc((size_t)size + 1), (uint32_t)size};
    if (!text.data || fread(text.data, 1, (size_t)size, file) != (size_t)size) abort();
    text.data[size] = '\0';
    fclose(file);
    return text;
}

static inline void text_free(struct text text)
{
    free(text.data);
}

#endif
