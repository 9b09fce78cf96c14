/* A background thread that does jobs in order while the run continues. */
#ifndef SHOAL_JOB_QUEUE_H
#define SHOAL_JOB_QUEUE_H

#include "core/base/err.h"

struct job_queue;

/* A job; it owns its context until it is done. */
typedef enum err queued_job(void *context);

/* The thread blocks all signals. It calls `begin` first, unless that is null. */
enum err job_queue_create(struct job_queue **out, void (*begin)(void));

/* Adds a job; waits if the queue is full. Fails with the error of an earlier job, after which no
 * more jobs run. */
enum err job_queue_add(struct job_queue *b, queued_job *job, void *context);

/* Waits until no job with this context is left; null: no job at all. Fails as above. */
enum err job_queue_wait(struct job_queue *b, const void *context);

/* Waits for the current job and drops the others; sets no error. */
void job_queue_give_up(struct job_queue *b);

/* Ends the thread and drops jobs that have not begun. Accepts a null *out, and sets it to null. */
void job_queue_destroy(struct job_queue **out);

#endif
