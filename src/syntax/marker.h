/* Lines that a preprocessor leaves: `# 1 "x.cu" 2`, `#line 1 "x.cu"`. */
#ifndef PTXOPT_SYNTAX_MARKER_H
#define PTXOPT_SYNTAX_MARKER_H

/* The end of the line marker that begins with the '#' at `at`; NULL when there is none in the text,
 * which ends at end. As in ptxas: it ends its line. */
const char *marker_end(const char *at, const char *end);

#endif
