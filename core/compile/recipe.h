/* A recipe: everything a compiled kernel depends on. Hashed with the compiler's identity and the
 * contents of every included file, it is the cache key. */
#ifndef SHOAL_RECIPE_H
#define SHOAL_RECIPE_H

#include <stddef.h>

#include "core/base/err.h"
#include "kernels/kernel.h"

/* NOT_TILED: in one rectangle; MAPPED: the kernel also keeps the map of tiles that may change. */
enum tiled { NOT_TILED, TILED, MAPPED };

struct recipe {
    const struct kernel *kernel;
    struct block block;
    enum precision precision;
    enum mode mode;
    int order;            /* see struct device_options */
    int friction;         /* 0: none; 1: Manning's n or drag; 2: an n for each cell */
    int submerged;        /* all ground lies below the still level */
    int tracer;           /* the water carries one */
    int draining;         /* no face takes more water than its cell has: kernels/num/draining.h */
    int beside_parts;     /* edges impose numbers, and may continue in other parts */
    int meets;            /* kernels of parts wait for each other: kernels/meeting.h */
    int fills_ghosts;     /* the kernel fills ghost cells of what it writes: kernels/own_ghosts.h */
    enum tiled tiled;     /* the cells lie in tiles */
    int on_cpu;           /* compiled for one, and not in a debug order */
    const char *switches; /* NAME=NUMBER,...: compile-time switches of kernels, or "" */
    const char *limiter, *flux, *reconstruction;
};

enum { RECIPE_DEFINES = 32, KEY_LENGTH = 64 };

/* The -D options of a recipe, for either compiler, without the "-D". */
struct defines {
    char text[RECIPE_DEFINES][96];
    int count;
};
void recipe_defines(const struct recipe *r, struct defines *d);

/* One line for people: "flux_fgh0 32x8 f32 fast minmod central_upwind kp". */
void recipe_describe(const struct recipe *r, char *text, size_t n);

/* The cache key: KEY_LENGTH hexadecimal digits and a NUL. `compiler` identifies compiler, target
 * and flags. Fails if a file cannot be read. */
enum err recipe_key(const struct recipe *r, const char *compiler, char key[KEY_LENGTH + 1]);

/* Does the kernel's text, or what it includes, mention the macro `name`? */
enum err recipe_mentions(const struct recipe *r, const char *name, int *yes);

/* The compile-time choices besides block and precision that affect this kernel's text, as the
 * tuning database writes them: "mode=fast limiter=minmod flux=central_upwind reconstruction=kp",
 * and "mode=fast friction=0" for a text without plug-ins but with friction. */
enum { RECIPE_FLAGS = 512 };
enum err recipe_flags(const struct recipe *r, char text[RECIPE_FLAGS]);

/* The kernel's text and every file it includes, hashed: of the texts as they are, and of their code alone, which
 * comments and layout do not change. Those of a part are the whole domain's, whose tuned blocks suit it. All
 * KEY_LENGTH digits; the tuning database names texts by the first RECIPE_HASH. */
enum { RECIPE_HASH = 12 };
struct text_digests {
    char text[KEY_LENGTH + 1], code[KEY_LENGTH + 1];
};
enum err recipe_digests(const struct recipe *r, struct text_digests *d);

/* Full path of the kernel's text. */
enum err recipe_source(const struct recipe *r, char *path, size_t n);

#endif
