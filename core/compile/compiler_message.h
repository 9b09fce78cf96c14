/* What is wrong with a kernel's text, in one message: the place, the line, what to do. Found in a
 * compiler's log, or by the hints of core/compile/language_check.c. */
#ifndef SHOAL_COMPILER_MESSAGE_H
#define SHOAL_COMPILER_MESSAGE_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/base/paths.h"

struct diagnosis {
    char file[PATH_LENGTH]; /* "kernels/limiters/koren.h", below the installation where it is; "" */
    int line, column;       /* from 1; 0: unknown */
    char what[512];         /* what a compiler says of it */
    char remedy[384];       /* "": none known */
};

/* The first error of a log of gcc, clang or NVRTC (in English). An error that a macro or a caller
 * brings to light is placed where the student wrote it, if the log tells. 0 if there is none. */
int diagnosis_find(const char *log, struct diagnosis *d);

/* "kernels/limiters/koren.h:7:12: error: expected ';'", the line with a caret, and the remedy, without
 * a newline at the end. Whatever bytes the log and the line have, the text is UTF-8. */
void diagnosis_text(const struct diagnosis *d, char *text, size_t n);

/* Fails with ERR_KERNEL: "`kernel` does not compile", and the diagnosis of the log or, where there is
 * none, its end. The command and the log are kept as `keep`.log, which the message names; null: not. */
enum err diagnosis_of_log(const char *kernel, const char *command, const char *log,
                          const char *keep);

/* Fills in the remedy for `what`, if one is known. */
void diagnosis_remedy(struct diagnosis *d);

#endif
