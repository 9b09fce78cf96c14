/* A thread that does jobs in the order they were given while the run goes on. */
#ifndef SHOAL_JOB_QUEUE_H
#define SHOAL_JOB_QUEUE_H

#include "core/base/err.h"

struct job_queue;

/* A job; what it needs and may fill belongs to it until it is done. */
typedef enum err queued_job(void *context);

/* Signals go to the other threads. `begin` is what the thread does first; it may be null. */
enum err job_queue_create(struct job_queue **out, void (*begin)(void));

/* Adds a job; waits where many are waiting. Fails with the error of an earlier job, after which no job is
 * done any more. */
enum err job_queue_add(struct job_queue *b, queued_job *job, void *context);

/* Waits until no job with this context is left; null: no job at all. Fails as above. */
enum err job_queue_wait(struct job_queue *b, const void *context);

/* Waits for the job under way and drops the others; sets no error. */
void job_queue_give_up(struct job_queue *b);

/* Ends the thread; jobs not yet begun are given up. Accepts a null *out, and sets it to null. */
void job_queue_destroy(struct job_queue **out);

#endif
