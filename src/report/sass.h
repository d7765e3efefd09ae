/* Machine code as its disassembler, nvdisasm, writes it. */
#ifndef PTXOPT_REPORT_SASS_H
#define PTXOPT_REPORT_SASS_H

#include "report/machine.h"

/* Fills in the texts of all words of machine, which was read from compiled. nvdisasm is the
 * one on PATH, else the one beside the ptxas on PATH, links resolved. NULL when that worked; else
 * one line that says why not and what to do, for mem_free. */
char *sass_read(struct machine *machine, const struct compiled *compiled);

#endif
