/* The language that the C compiler and CUDA C++ share, held against what students write: a kernel's
 * .cu file and its plug-ins. A mistake that one of the compilers would let pass, or would only call
 * "expected an expression", is named here, on machines with either compiler. */
#ifndef SHOAL_LANGUAGE_CHECK_H
#define SHOAL_LANGUAGE_CHECK_H

#include "core/base/err.h"
#include "core/compile/recipe.h"

/* Fails with ERR_KERNEL, place and remedy. A plug-in must besides have its function with the arguments
 * that it is called with, and its arithmetic must be that of real.h. */
enum err dialect_check(const struct recipe *r);

/* The same of one plug-in: `kind` is "limiters", "fluxes" or "reconstructions". */
enum err dialect_check_plugin(const char *kind, const char *name);

#endif
