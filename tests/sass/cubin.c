/* Reads the machine words of a function. See cubin.h. */
#include "cubin.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct code *)a)->name, ((const struct code *)b)->name);
}

static void add_function(struct cubin *cubin, const char *name, const Elf64_Shdr *section)
{
    struct code code = {.name = name, .count = (uint32_t)(section->sh_size / sizeof(struct word))};
    code.words = must(malloc(section->sh_size + 1));
    memcpy(code.words, cubin->file.data + section->sh_offset, section->sh_size);
    /* The text is padded with NOPs to 128 bytes. */
    while (code.count && word_opcode(code.words[code.count - 1]) == OPCODE_NOP) code.count--;
    vec_push(&cubin->functions, code);
}

bool cubin_read(struct cubin *cubin, struct bytes file)
{
    static const char prefix[] = ".text.";
    Elf64_Ehdr head;
    *cubin = (struct cubin){.file = file};
    if (file.len < sizeof head || memcmp(file.data, ELFMAG, SELFMAG) != 0) return false;
    memcpy(&head, file.data, sizeof head);
    if (head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shstrndx >= head.e_shnum ||
        head.e_shoff + (uint64_t)head.e_shnum * sizeof(Elf64_Shdr) > file.len)
        return false;
    Elf64_Shdr *sections = must(calloc(head.e_shnum, sizeof *sections));
    memcpy(sections, file.data + head.e_shoff, head.e_shnum * sizeof *sections);
    const char *names = file.data + sections[head.e_shstrndx].sh_offset;
    for (uint32_t i = 0; i < head.e_shnum; i++)
        if (!strncmp(names + sections[i].sh_name, prefix, sizeof prefix - 1))
            add_function(cubin, names + sections[i].sh_name + sizeof prefix - 1, &sections[i]);
    free(sections);
    if (cubin->functions.count)
        qsort(cubin->functions.at, cubin->functions.count, sizeof *cubin->functions.at, by_name);
    return true;
}

void cubin_free(struct cubin *cubin)
{
    for (uint32_t i = 0; i < cubin->functions.count; i++) free(cubin->functions.at[i].words);
    vec_free(&cubin->functions);
    free(cubin->file.data);
}

const struct code *cubin_find(const struct cubin *cubin, const char *name)
{
    if (!cubin->functions.count) return NULL;
    struct code key = {.name = name};
    return bsearch(&key, cubin->functions.at, cubin->functions.count, sizeof key, by_name);
}
