/* The language that the C compiler and CUDA C++ share, held against what students write: a kernel's
 * .cu file and its plug-ins. */
#ifndef SHOAL_LANGUAGE_CHECK_H
#define SHOAL_LANGUAGE_CHECK_H

#include "core/base/err.h"
#include "core/compile/recipe.h"

/* Before a compiler sees the text. Fails with ERR_KERNEL, place and remedy where a plug-in has no function
 * with the arguments that it is called with, or where it says what every compiler lets pass and a run would
 * pay for. */
enum err language_hints(const struct recipe *r);

/* The same of one plug-in: `kind` is "limiters", "fluxes" or "reconstructions". */
enum err language_hints_plugin(const char *kind, const char *name);

/* Once a compiler has taken the text: g++ reads it as C++, for a machine without a GPU and, as NVRTC takes
 * a number in double precision, for those with one. Fails with ERR_KERNEL and g++'s first error; its log is kept as
 * `keep`.log (null: not). Each text is read once in a process. Without g++, a line of the log says so. */
enum err language_check(const struct recipe *r, const char *keep);

#endif
