/* Whether another process of this machine still lives. */
#ifndef SHOAL_PROCESS_LIFE_H
#define SHOAL_PROCESS_LIFE_H

/* A process that has ended but whose parent has not yet asked how counts as gone. */
int process_gone(long pid);

/* The machine, as far as process numbers count: another container has others. */
unsigned long process_host(void);

#endif
