/* Threads that signals leave alone. */
#ifndef SHOAL_THREAD_H
#define SHOAL_THREAD_H

#include <pthread.h>

/* As pthread_create, but the new thread blocks every signal: the others get them. Returns 0, or what errno
 * would be. */
int thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

#endif
