/* Checks students' text, a kernel's .cu file and its plug-ins, against the language that the C
 * compiler and CUDA C++ share. */
#ifndef SHOAL_LANGUAGE_CHECK_H
#define SHOAL_LANGUAGE_CHECK_H

#include "core/base/err.h"
#include "core/compile/recipe.h"

/* Before a compiler sees the text. Fails with ERR_KERNEL, place and remedy if a plug-in lacks a
 * function with the expected arguments, or contains what compilers accept but costs a run precision
 * or speed. */
enum err language_hints(const struct recipe *r);

/* The same for one plug-in: `kind` is "limiters", "fluxes" or "reconstructions". */
enum err language_hints_plugin(const char *kind, const char *name);

/* After a compiler has accepted the text: g++ checks it as C++, for a machine without a GPU and,
 * because NVRTC accepts a number in double precision, for those with one. Fails with ERR_KERNEL and
 * g++'s first error; saves its log as `keep`.log (null: does not). Checks each text
 * once, and marks in the cache what has passed. Without g++, logs that. */
enum err language_check(const struct recipe *r, const char *keep);

#endif
