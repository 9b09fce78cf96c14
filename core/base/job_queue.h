/* A thread that does jobs in the order they were given while the run goes on. */
#ifndef SHOAL_BACKGROUND_H
#define SHOAL_BACKGROUND_H

#include "core/base/err.h"

struct background;

/* A job; what it needs and may fill belongs to it until it is done. */
typedef enum err background_job(void *context);

/* Signals go to the other threads. `begin` is what the thread does first; it may be null. */
enum err background_create(struct background **out, void (*begin)(void));

/* Adds a job; waits where many are waiting. Fails with the error of an earlier job, after which no job is
 * done any more. */
enum err background_do(struct background *b, background_job *job, void *context);

/* Waits until no job with this context is left; null: no job at all. Fails as above. */
enum err background_wait(struct background *b, const void *context);

/* Waits for the job under way and drops the others; sets no error. */
void background_give_up(struct background *b);

/* Ends the thread; jobs not yet begun are given up. Accepts a null *out, and sets it to null. */
void background_destroy(struct background **out);

#endif
