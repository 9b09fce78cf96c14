/* Gnuplot as child processes. */
#ifndef SHOAL_GNUPLOT_H
#define SHOAL_GNUPLOT_H

#include <stdio.h>
#include <sys/types.h>

#include "core/base/err.h"

/* A script, and what came of it. The texts that go in stay the caller's. */
struct gnuplot_run {
    const char *script;  /* its file */
    const char *before;  /* statements that come before it: "form = 'pdf'"; NULL: none */
    const char *folder;  /* what relative names in the script begin at; NULL: this process's */
    char *out, *message; /* what gnuplot wrote to stdout and stderr; null before gnuplot_draw */
    size_t size;         /* of `out`, which a '\0' follows */
    enum err err;        /* ERR_CHECK: gnuplot failed, or drew nothing */
    pid_t pid;           /* while gnuplot works; else 0 */
    int out_file, log;   /* files in memory that it writes to; not open: 0 */
};

int gnuplot_present(void);

/* Runs gnuplot on the scripts, as many at a time as there are cores, without the user's start-up
 * file. An error is the machine's, or ERR_ABSENT with the package's name, there is no gnuplot; a
 * script on which gnuplot fails has its own `err`. */
enum err gnuplot_draw(struct gnuplot_run *const runs[], int count);

/* Frees `out` and `message`; zeroed is fine. */
void gnuplot_free(struct gnuplot_run *run);

/* An expression that is the text, on one line: nothing in it is a command. */
void gnuplot_text(FILE *script, const char *text);

/* The same for the name of a file that gnuplot is to read. */
void gnuplot_file(FILE *script, const char *path);

#endif
