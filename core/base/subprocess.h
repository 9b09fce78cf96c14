/* Starts other programs, with their arguments verbatim: no shell is involved. */
#ifndef SHOAL_SUBPROCESS_H
#define SHOAL_SUBPROCESS_H

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/base/err.h"

/* How to start a program: its descriptors for stdin, stdout and stderr (0 for none), and its
 * folder. */
struct program_ends {
    int in, out, err;   /* descriptors */
    const char *folder; /* its working folder; null: this process's */
    int apart; /* put it into a process group of its own: Ctrl-C at the terminal does not reach it */
    int in_english;
    const sigset_t *held; /* signals that it blocks; null: this thread's */
};

/* Starts argv[0], found along PATH; returns 0 or an error number. Ends with program_wait, which
 * returns waitpid's status. */
int program_spawn(const char *const argv[], const struct program_ends *ends, pid_t *pid);
int program_wait(pid_t pid);

/* A program with a stream to it. */
struct program {
    const char *name; /* argv[0] */
    pid_t pid;        /* while it runs; else 0 */
    FILE *to;         /* its stdin; null: it reads nothing */
    int said;         /* an in-memory file with its stderr; not open: 0 */
};

/* Starts argv[0], found along PATH, with `folder` (NULL: this process's) as its working folder.
 * Fails with ERR_ABSENT, naming the Debian package, if it is not installed. With `fed` it reads
 * what is written to p->to. It gets a process group of its own: Ctrl-C at the terminal does not
 * reach it. Ends with program_end or program_kill. */
enum err program_start(struct program *p, const char *const argv[], const char *folder, int fed,
                       const char *package);

/* Runs argv[0] to its end and returns what it prints, followed by a NUL; the caller frees it. Fails
 * as program_start and program_end do. */
enum err program_read(const char *const argv[], const char *package, char **text, size_t *size);

/* Closes its input and waits. Fails with ERR_MACHINE and its last error output if its status is not
 * 0 or it did not read all of the input. */
enum err program_end(struct program *p);

/* Ends it now. Accepts a zeroed or ended struct. */
void program_kill(struct program *p);

/* For a signal handler: ends the one started last, which releases whoever writes to it or waits for
 * it. */
void program_interrupt(void);

#endif
