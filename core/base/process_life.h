/* Whether another process on this machine is alive, and goes on. */
#ifndef SHOAL_PROCESS_LIFE_H
#define SHOAL_PROCESS_LIFE_H

/* A zombie (ended, not yet reaped) counts as gone. */
int process_gone(long pid);

/* By a signal. */
int process_stopped(long pid);

/* Identifies the machine as far as process ids go: each container has its own. */
unsigned long process_host(void);

#endif
