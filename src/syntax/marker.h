/* Finds lines that a preprocessor writes: `# 1 "x.cu" 2`, `#line 1 "x.cu"`. */
#ifndef PTXOPT_SYNTAX_MARKER_H
#define PTXOPT_SYNTAX_MARKER_H

/* Returns the end of the line marker that begins with the '#' at `at`; NULL if the text up to end
 * has no line marker there. As in ptxas, a line marker reaches to the end of its line. */
const char *marker_end(const char *at, const char *end);

#endif
