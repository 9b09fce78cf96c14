/* The diagnosis of a kernel's text in one message: the place, the line, the remedy. From a
 * compiler's log, or from core/compile/language_check.c. */
#ifndef SHOAL_COMPILER_MESSAGE_H
#define SHOAL_COMPILER_MESSAGE_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/base/paths.h"

struct diagnosis {
    char file[PATH_LENGTH]; /* "kernels/limiters/koren.h", relative to the installation if it is
                             * below; "" */
    int line, column;       /* from 1; 0: unknown */
    char what[512];         /* the compiler's text */
    char remedy[384];       /* "": none known */
};

/* The first error of a log of gcc, clang or NVRTC (in English). An error within a macro, or caused
 * by a caller, is placed where the student wrote it, if the log tells. 0 if there is none. */
int diagnosis_find(const char *log, struct diagnosis *d);

/* "kernels/limiters/koren.h:7:12: error: expected ';'", the line with a caret, and the remedy,
 * without a newline at the end. The text is always UTF-8, whatever the log and the line contain. */
void diagnosis_text(const struct diagnosis *d, char *text, size_t n);

/* Fails with ERR_KERNEL: "`kernel` does not compile", and the diagnosis of the log or, without one,
 * its end. Saves the command and the log as `keep`.log, which the message names; null: does not. */
enum err diagnosis_of_log(const char *kernel, const char *command, const char *log,
                          const char *keep);

/* Fills in the remedy for `what`, if one is known. */
void diagnosis_remedy(struct diagnosis *d);

#endif
