/* Links to sections of the PTX ISA on the web. */
#ifndef PTXOPT_REPORT_ISA_H
#define PTXOPT_REPORT_ISA_H

/* The link for a section number as "9.7.16.6.3"; that of the document where the section's anchor
 * is not known. Static. */
const char *isa_link(const char *section);

#endif
