/* What the cases with a mistake share: a square of 10 m, but for one. */
#ifndef SHOAL_MISTAKEN_CASE_H
#define SHOAL_MISTAKEN_CASE_H

#include <math.h>

#include "verification/run/verify.h"

#define MISTAKEN \
    .title = "a mistake", .cite = "nobody", .nx = 20, .ny = 20, .gravity = 9.81, .initial = initial
#define SQUARE .lx = 10, .ly = 10

#endif
