/* The signals by which people, terminals and batch systems end a program. */
#ifndef SHOAL_SIGNALS_H
#define SHOAL_SIGNALS_H

/* Their names without SIG, with commas between them, as help and manual name them. */
extern const char signals_names[];

/* From now on `handler` receives them, except those that the parent set to be ignored. With NULL, as
 * in main, the signal deletes the temporary files and ends the process. `flags` as for sigaction. */
void signals_catch(void (*handler)(int number), int flags);

/* Restores each one's default action: for a child, whose temporary files belong to its parent. */
void signals_release(void);

/* Blocks them (SIG_BLOCK) or lets them through (SIG_UNBLOCK), in this thread. */
void signals_hold(int how);

/* Does this signal repeat by itself until the program ends? */
int signals_repeats(int number);

/* Ends the process by this signal. */
void signals_end(int number);

#endif
