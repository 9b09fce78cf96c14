/* A kernel's text and everything that it includes, in the order of discovery, without the parts
 * that its recipe does not compile. Private to recipes. */
#ifndef SHOAL_KERNEL_TEXT_H
#define SHOAL_KERNEL_TEXT_H

#include <ctype.h>
#include <sys/types.h>
#include <time.h>

#include "core/compile/recipe.h"

/* Macros: the lines between their #ifdef and #endif are removed if a recipe does not define them. */
#define TRACER_MACRO  "WITH_TRACER"
#define TILES_MACRO   "TILED"
#define PARTS_MACRO   "BESIDE_PARTS"
#define MEETING_MACRO "MEETING"
#define GHOSTS_MACRO  "FILLS_GHOSTS"
#define CPU_MACRO     "ON_CPU"
#define DRAIN_MACRO   "DRAINING"
#define ROOTS_MACRO   "BRANCHLESS"

enum { TEXTS = 256, PROBES = 512 };

/* Is it a letter of a word, as C has them? */
static inline int is_word(int c)
{
    return isalnum(c) || c == '_';
}

/* A place where a file was looked for, and what was there: all zero where there was nothing. */
struct probe {
    char *path;
    struct {
        dev_t device;
        ino_t inode;
        off_t size;
        struct timespec written, changed;
    } stamp;
};

/* Looks at `path`. */
void probe_file(struct probe *p);

struct texts {
    const struct defines *defines; /* borrowed */
    struct text {
        char *name; /* below kernels/ */
        char *content;
        size_t size;
    } list[TEXTS];
    int count;
    struct probe probe[PROBES]; /* the first of all places; PROBES of them: there may be more */
    int probed;
};

/* Reads kernels/<file> and what it includes; the caller frees it, also after an error. */
enum err texts_read(struct texts *t, const char *file);
void texts_free(struct texts *t);

/* Does any of the texts mention the macro of a definition, NAME=VALUE? Or contain a whole word? */
int texts_mention(const struct texts *t, const char *definition);
int texts_have_word(const struct texts *t, const char *word);

/* Copies a text without its comments, each run of blanks and line ends as one: what is left changes with the code alone.
 * `code` has room for the whole text; returns the size of the copy. */
size_t text_code(const struct text *t, char *code);

#endif
