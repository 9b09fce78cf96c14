/* The system's C compiler, run at run time: a recipe becomes a shared object in the cache. */
#ifndef SHOAL_C_COMPILER_H
#define SHOAL_C_COMPILER_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/compile/recipe.h"

/* First line of `cc --version`. The compiler is $SHOAL_CC, else the one Shoal was built with. */
enum err cc_version(char *text, size_t n);

/* Another compiler from now on, for the whole process; null: back to the usual one. The text must
 * last. */
void cc_choose(const char *name);

/* What -march=native means here, as text that differs between processors that need different code:
 * the processor's model and feature flags for "native", else `march` itself. */
enum err cc_target(const char *march, char *text, size_t n);

/* The options that all kernels of a mode are compiled with, but paths, target and defines. `version` as
 * above. */
void cc_options(enum mode mode, const char *version, char *text, size_t n);

/* Compiles unless the cache holds it; `path` (PATH_LENGTH bytes) gets the shared object's path.
 * `version` and `target` as above: part of the key. Fails with ERR_KERNEL and what is wrong with the
 * text (core/compile/compiler_message.h). Thread safe. */
enum err cc_compile(const struct recipe *r, const char *march, const char *version,
                    const char *target, char *path);

#endif
