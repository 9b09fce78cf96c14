/* Numbers for tests. */
#include "verification/sample.h"
