/* What is in this file? See a.h. */
#include "a.h"
