/* Whether another process on this machine is alive. */
#ifndef SHOAL_PROCESS_LIFE_H
#define SHOAL_PROCESS_LIFE_H

/* A zombie (ended, not yet reaped) counts as gone. */
int process_gone(long pid);

/* Identifies the machine as far as process ids go: each container has its own. */
unsigned long process_host(void);

#endif
