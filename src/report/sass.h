/* Adds the text of machine code, as nvdisasm prints it. */
#ifndef PTXOPT_REPORT_SASS_H
#define PTXOPT_REPORT_SASS_H

#include "report/machine.h"

/* Fills in the texts of all words of machine, which was read from compiled. Runs nvdisasm from
 * PATH, otherwise the one next to ptxas, with links resolved. Returns NULL on success, otherwise
 * one line that says why not and what to do, for mem_free. */
char *sass_read(struct machine *machine, const struct compiled *compiled);

#endif
