/* Threads that block signals. */
#ifndef SHOAL_THREAD_H
#define SHOAL_THREAD_H

#include <pthread.h>

/* As pthread_create, but the new thread blocks every signal, so other threads get them. Returns 0
 * or an error number. */
int thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

#endif
