/* Gnuplot as child processes. */
#ifndef SHOAL_GNUPLOT_H
#define SHOAL_GNUPLOT_H

#include <stdio.h>
#include <sys/types.h>

#include "core/base/err.h"

/* A script, and its result. The input texts stay the caller's. */
struct gnuplot_run {
    const char *script;  /* its file */
    const char *before;  /* statements before it: "form = 'pdf'"; NULL: none */
    const char *folder;  /* the folder of relative names in the script; NULL: this process's */
    char *out, *message; /* gnuplot's stdout and stderr; null before gnuplot_draw */
    size_t size;         /* of `out`, which a '\0' follows */
    enum err err;        /* ERR_CHECK: gnuplot failed, or drew nothing */
    pid_t pid;           /* while gnuplot runs; else 0 */
    int out_file, log;   /* its output files in memory; not open: 0 */
};

int gnuplot_present(void);

/* Runs gnuplot on the scripts, as many at a time as there are cores, without the user's start-up
 * file. Fails if the machine does, or with ERR_ABSENT and the package's name if there is no
 * gnuplot; a script on which gnuplot fails has its own `err`. */
enum err gnuplot_draw(struct gnuplot_run *const runs[], int count);

/* Frees `out` and `message`; accepts a zeroed struct. */
void gnuplot_free(struct gnuplot_run *run);

/* An expression for the text, on one line: nothing in it acts as a command. */
void gnuplot_text(FILE *script, const char *text);

/* The same for the name of a file that gnuplot will read. */
void gnuplot_file(FILE *script, const char *path);

#endif
