/* Reads cubins, which are 64-bit ELF files. The files are not trusted: all offsets and sizes are
 * checked. SASS instructions are words of 16 bytes with the opcode in the low 12 bits. sm_5x and
 * older are not supported, because their instructions have 8 bytes. */
#ifndef PTXOPT_REPORT_CUBIN_H
#define PTXOPT_REPORT_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

enum { SASS_BYTES = 16, SASS_OPCODE = 0xfff };

/* A section with contents. Name and bytes are borrowed from the image. */
struct cubin_section {
    const char *name, *bytes;
    size_t len;
};

/* All sections, by section number. Zero-initialised by the caller; free it with vec_free. */
struct cubin VEC(struct cubin_section);

/* Fills *cubin from len bytes at image. False if that is not a cubin, or is broken. */
bool cubin_read(struct cubin *cubin, const char *image, size_t len);

/* The function whose code the section contains; NULL: it contains other data. */
const char *cubin_function(const struct cubin_section *section);

/* One row of the table of lines: ptxas generated the words from address (in bytes) on for that line
 * of the PTX text. line 0 marks the end of the code of a section. */
struct cubin_row {
    uint32_t section, line;
    uint64_t address;
};
struct cubin_rows VEC(struct cubin_row);

/* Appends the rows of the table that ptxas -lineinfo writes, .nv_debug_line_sass (a line number
 * program of DWARF version 2), in its order. False if there is none, or it has another format. */
bool cubin_read_rows(const struct cubin *cubin, struct cubin_rows *rows);

#endif
