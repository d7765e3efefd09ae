/* Reads cubins, which are ELF files of 64 bits, and trusts nothing that it reads. SASS instructions
 * are words of 16 bytes with the opcode in the low 12 bits; sm_5x and older are not supported,
 * as their instructions have 8 bytes. */
#ifndef PTXOPT_REPORT_CUBIN_H
#define PTXOPT_REPORT_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

enum { SASS_BYTES = 16, SASS_OPCODE = 0xfff };

/* A section with contents; borrowed from the image. */
struct cubin_section {
    const char *name, *bytes;
    size_t len;
};

/* All sections by their number. Zero-initialise, vec_free. */
struct cubin VEC(struct cubin_section);

/* False when it is none, or broken. */
bool cubin_read(struct cubin *cubin, const char *image, size_t len);

/* The function with its code in the section; NULL when it is another section. */
const char *cubin_function(const struct cubin_section *section);

/* One row of the table of lines: the words from address on, in bytes, come from that line of the
 * PTX text; line 0 ends the code of a section. */
struct cubin_row {
    uint32_t section, line;
    uint64_t address;
};
struct cubin_rows VEC(struct cubin_row);

/* The table that ptxas -lineinfo writes, .nv_debug_line_sass (version 2 of DWARF's line number
 * program), in its order. False when there is none, or it is another kind. */
bool cubin_read_rows(const struct cubin *cubin, struct cubin_rows *rows);

#endif
