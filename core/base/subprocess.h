/* Other programs, with their arguments as they are: no shell sees them. */
#ifndef SHOAL_SUBPROCESS_H
#define SHOAL_SUBPROCESS_H

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/base/err.h"

/* How a program is started: what it has in the place of the terminal, 0 for nothing, and where. */
struct program_ends {
    int in, out, err;   /* descriptors */
    const char *folder; /* what relative names begin at; null: this process's */
    int apart; /* in a process group of its own: Ctrl-C at the terminal does not reach it */
    int in_english;
    const sigset_t *held; /* signals that it does not take; null: this thread's */
};

/* Starts argv[0], found along PATH; 0 or an error number. Ends with program_wait, which returns waitpid's
 * status. */
int program_spawn(const char *const argv[], const struct program_ends *ends, pid_t *pid);
int program_wait(pid_t pid);

/* A program with a stream to it. */
struct program {
    const char *name; /* argv[0] */
    pid_t pid;        /* while it runs; else 0 */
    FILE *to;         /* its stdin; null: it reads nothing */
    int said;         /* a file in memory with its stderr; not open: 0 */
};

/* Starts argv[0], found along PATH, with relative names beginning at `folder` (NULL: this process's).
 * Fails with ERR_ABSENT, naming the Debian package, where there is none. With `fed` it reads what is
 * written to p->to. It is in a process group of its own: Ctrl-C at the terminal does not reach it. Ends
 * with program_end or program_kill. */
enum err program_start(struct program *p, const char *const argv[], const char *folder, int fed,
                       const char *package);

/* Runs argv[0] to its end and takes what it prints, with a NUL behind it, for the caller to free. Fails as
 * program_start and program_end do. */
enum err program_read(const char *const argv[], const char *package, char **text, size_t *size);

/* Ends its input and waits. Fails with ERR_MACHINE, and the last that it said, if its status is not 0
 * or not all of the input was taken. */
enum err program_end(struct program *p);

/* Ends it now. Accepts a zeroed or ended struct. */
void program_kill(struct program *p);

/* For a signal handler: ends the one started last, so that who writes to it or waits for it goes on. */
void program_interrupt(void);

#endif
