/* Parses a text with the installed library. */
#include "parses.h"

#include <tree_sitter/tree-sitter-ptx.h>

int main(void)
{
    return parses(tree_sitter_ptx(), "add.s32 a, b, 1;") && !parses(tree_sitter_ptx(), "add.s32 (")
               ? 0
               : 1;
}
