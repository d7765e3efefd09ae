#include "report/cubin.h"

#include <elf.h>
#include <string.h>

/* ---- sections ---- */

/* [offset, offset + size) is within len bytes. */
static bool is_within_bytes(uint64_t offset, uint64_t size, size_t len)
{
    return offset <= len && size <= len - offset;
}

static Elf64_Shdr section_at(const char *image, const Elf64_Ehdr *header, size_t index)
{
    Elf64_Shdr section;
    memcpy(&section, image + header->e_shoff + index * sizeof section, sizeof section);
    return section;
}

static bool read_header(Elf64_Ehdr *header, const char *image, size_t len)
{
    if (len < sizeof *header) return false;
    memcpy(header, image, sizeof *header);
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_shentsize == sizeof(Elf64_Shdr) &&
           header->e_shstrndx < header->e_shnum &&
           is_within_bytes(header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr), len);
}

bool cubin_read(struct cubin *cubin, const char *image, size_t len)
{
    Elf64_Ehdr header;
    if (!read_header(&header, image, len)) return false;
    Elf64_Shdr names = section_at(image, &header, header.e_shstrndx);
    if (names.sh_type != SHT_STRTAB || !is_within_bytes(names.sh_offset, names.sh_size, len))
        return false;
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section = section_at(image, &header, i);
        bool empty = section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS;
        if (section.sh_name >= names.sh_size) return false;
        const char *name = image + names.sh_offset + section.sh_name;
        if (!memchr(name, '\0', names.sh_size - section.sh_name)) return false;
        if (!empty && !is_within_bytes(section.sh_offset, section.sh_size, len)) return false;
        vec_push(cubin, (struct cubin_section){name, image + (empty ? 0 : section.sh_offset),
                                               empty ? 0 : section.sh_size});
    }
    return true;
}

/* The section with that name; NULL: none. */
static const struct cubin_section *cubin_find(const struct cubin *cubin, const char *name)
{
    for (uint32_t i = 0; i < cubin->count; i++)
        if (strcmp(cubin->at[i].name, name) == 0) return &cubin->at[i];
    return NULL;
}

const char *cubin_function(const struct cubin_section *section)
{
    static const char prefix[] = ".text.";
    size_t len = strlen(prefix);
    return strncmp(section->name, prefix, len) == 0 ? section->name + len : NULL;
}

/* ---- the table of lines ---- */

enum { LNE_END_SEQUENCE = 1, LNE_SET_ADDRESS };
enum {
    LNS_COPY = 1,
    LNS_ADVANCE_PC,
    LNS_ADVANCE_LINE,
    LNS_CONST_ADD_PC = 8,
    LNS_FIXED_ADVANCE_PC,
};

struct reader {
    const unsigned char *start, *at, *end; /* at is NULL after an attempt to read beyond the end */
};

static uint64_t read_le_number(struct reader *from, unsigned bytes)
{
    uint64_t value = 0;
    if (!from->at || (size_t)(from->end - from->at) < bytes) return from->at = NULL, 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)*from->at++ << 8 * i;
    return value;
}

/* LEB128: seven bits in each byte, the lowest first. */
static uint64_t read_leb128(struct reader *from, bool is_signed)
{
    uint64_t value = 0, byte = 0x80;
    unsigned shift = 0;
    for (; byte & 0x80 && from->at; shift += 7) {
        byte = read_le_number(from, 1);
        if (shift < 64) value |= (byte & 0x7f) << shift;
    }
    if (is_signed && shift < 64 && byte & 0x40) value |= ~UINT64_C(0) << shift;
    return value;
}

/* The number of the code section whose address a relocation puts at that offset of the table; 0:
 * none. */
static uint32_t code_at(const struct cubin *cubin, size_t offset)
{
    const struct cubin_section *links = cubin_find(cubin, ".rela.nv_debug_line_sass");
    const struct cubin_section *symbols = cubin_find(cubin, ".symtab");
    for (size_t i = 0; links && symbols && (i + 1) * sizeof(Elf64_Rela) <= links->len; i++) {
        Elf64_Rela link;
        Elf64_Sym symbol;
        memcpy(&link, links->bytes + i * sizeof link, sizeof link);
        uint64_t index = ELF64_R_SYM(link.r_info);
        if (link.r_offset != offset ||
            !is_within_bytes(index * sizeof symbol, sizeof symbol, symbols->len))
            continue;
        memcpy(&symbol, symbols->bytes + index * sizeof symbol, sizeof symbol);
        return symbol.st_shndx < cubin->count ? symbol.st_shndx : 0;
    }
    return 0;
}

struct program {
    const struct cubin *cubin;
    struct reader in;
    struct cubin_rows *rows;
    struct cubin_row now;
    uint8_t unit, range, first; /* length of an instruction; number of line steps of special
                                   opcodes; first special opcode */
    int8_t base;
};

static void program_add_row(struct program *program)
{
    vec_push(program->rows, program->now);
}

/* An extended opcode, which follows a zero byte and its length. */
static void run_extended_opcode(struct program *program)
{
    uint64_t len = read_leb128(&program->in, false);
    if (!program->in.at || !len || len > (size_t)(program->in.end - program->in.at)) {
        program->in.at = NULL;
        return;
    }
    const unsigned char *next = program->in.at + len;
    uint64_t opcode = read_le_number(&program->in, 1);
    if (opcode == LNE_SET_ADDRESS) {
        size_t offset = (size_t)(program->in.at - program->in.start);
        program->now =
            (struct cubin_row){code_at(program->cubin, offset), 1, read_le_number(&program->in, 8)};
    } else if (opcode == LNE_END_SEQUENCE) {
        program->now.line = 0;
        program_add_row(program);
        program->now = (struct cubin_row){0, 1, 0};
    }
    if (program->in.at) program->in.at = next;
}

static void run_standard_opcode(struct program *program, uint64_t opcode, const uint8_t *operands)
{
    switch (opcode) {
    case LNS_COPY: program_add_row(program); break;
    case LNS_ADVANCE_PC:
        program->now.address += read_leb128(&program->in, false) * program->unit;
        break;
    case LNS_ADVANCE_LINE: program->now.line += (uint32_t)read_leb128(&program->in, true); break;
    case LNS_CONST_ADD_PC:
        program->now.address += (uint64_t)((255 - program->first) / program->range) * program->unit;
        break;
    case LNS_FIXED_ADVANCE_PC: program->now.address += read_le_number(&program->in, 2); break;
    default:
        for (uint8_t i = 0; i < operands[opcode]; i++) (void)read_leb128(&program->in, false);
    }
}

static void run_special_opcode(struct program *program, uint64_t opcode)
{
    uint32_t steps = (uint32_t)opcode - program->first;
    program->now.address += (uint64_t)(steps / program->range) * program->unit;
    program->now.line += (uint32_t)(program->base + (int32_t)(steps % program->range));
    program_add_row(program);
}

/* Reads a unit: its header and its line number program, up to program->in.end. False if it is
 * broken. */
static bool run_unit(struct program *program)
{
    uint8_t operands[256] = {0};
    bool known = read_le_number(&program->in, 2) == 2; /* the version */
    uint64_t header = read_le_number(&program->in, 4);
    const unsigned char *behind = program->in.at;
    program->unit = (uint8_t)read_le_number(&program->in, 1);
    (void)read_le_number(&program->in, 1);
    program->base = (int8_t)read_le_number(&program->in, 1);
    program->range = (uint8_t)read_le_number(&program->in, 1);
    program->first = (uint8_t)read_le_number(&program->in, 1);
    for (unsigned i = 1; i < program->first; i++)
        operands[i] = (uint8_t)read_le_number(&program->in, 1);
    if (!known || !program->in.at || !program->range || header > (size_t)(program->in.end - behind))
        return false;
    program->in.at = behind + header;
    program->now = (struct cubin_row){0, 1, 0};
    while (program->in.at && program->in.at < program->in.end) {
        uint64_t opcode = read_le_number(&program->in, 1);
        if (!opcode)
            run_extended_opcode(program);
        else if (opcode < program->first)
            run_standard_opcode(program, opcode, operands);
        else
            run_special_opcode(program, opcode);
    }
    return program->in.at != NULL;
}

bool cubin_read_rows(const struct cubin *cubin, struct cubin_rows *rows)
{
    const struct cubin_section *table = cubin_find(cubin, ".nv_debug_line_sass");
    if (!table) return false;
    const unsigned char *start = (const unsigned char *)table->bytes, *end = start + table->len;
    for (const unsigned char *at = start; at < end;) {
        struct reader in = {start, at, end};
        uint64_t len = read_le_number(&in, 4);
        if (!in.at || len > (size_t)(end - in.at)) return false;
        in.end = at = in.at + len;
        struct program program = {.cubin = cubin, .in = in, .rows = rows};
        if (!run_unit(&program)) return false;
    }
    return true;
}
