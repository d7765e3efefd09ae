/* What `import TreeSitterPtx` shows of the C library. */
#include "../../c/tree_sitter/tree-sitter-ptx.h"
