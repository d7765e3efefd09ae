/* Links to sections of the PTX ISA on the web. */
#ifndef PTXOPT_REPORT_ISA_H
#define PTXOPT_REPORT_ISA_H

/* The link for a section number such as "9.7.16.6.3"; the link to the whole document if the anchor
 * is not known. Static. */
const char *isa_link(const char *section);

#endif
