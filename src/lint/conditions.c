/* stub */
#include "lint/conditions.h"
struct conditions { int x; };
struct conditions *conditions_build(struct lint *lint) { (void)lint; return NULL; }
void conditions_free(struct conditions *conditions) { (void)conditions; }
