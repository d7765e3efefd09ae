#include "a.h"

/* Is the byte there? */
