/* The signals by which people, terminals and batch systems end a program. */
#ifndef SHOAL_SIGNALS_H
#define SHOAL_SIGNALS_H

/* From now on `handler` gets SIGHUP, SIGINT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGUSR1 and SIGUSR2,
 * but for those that whoever started the program has ignored. Null: as main does it, the process ends by the
 * signal, and its temporary files are deleted. `flags` as for sigaction. */
void signals_catch(void (*handler)(int number), int flags);

/* Each does again what it does in a new process: for a child, whose temporary files are its parent's. */
void signals_release(void);

/* Holds them back (SIG_BLOCK) or lets them through (SIG_UNBLOCK), in this thread. */
void signals_hold(int how);

/* Does it come again and again, without anybody asking, until the program has ended? */
int signals_repeats(int number);

/* Ends the process by this signal. */
void signals_end(int number);

#endif
