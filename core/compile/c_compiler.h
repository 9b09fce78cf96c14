/* The system's C compiler, called at run time: it turns a recipe into a shared object in the cache. */
#ifndef SHOAL_C_COMPILER_H
#define SHOAL_C_COMPILER_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/compile/recipe.h"

/* First line of `cc --version`. The compiler is $SHOAL_CC, else the one Shoal was built with. */
enum err cc_version(char *text, size_t n);

/* Selects another compiler for the whole process; null: back to the usual one. The text must stay
 * valid. */
void cc_choose(const char *name);

/* The meaning of -march=native here, as a text that differs between processors that need different
 * code: the processor's model and feature flags for "native", else `march` itself. */
enum err cc_target(const char *march, char *text, size_t n);

/* The options common to all kernels of a mode, except paths, target and defines. `version` as
 * above. */
void cc_options(enum mode mode, const char *version, char *text, size_t n);

/* Compiles unless the cache has it; `path` (PATH_LENGTH bytes) receives the shared object's path.
 * `version` and `target` as above: part of the key. Fails with ERR_KERNEL and the diagnosis of the
 * text (core/compile/compiler_message.h). Thread safe. */
enum err cc_compile(const struct recipe *r, const char *march, const char *version,
                    const char *target, char *path);

#endif
