/* OpenMP's tasks: those that prepare run ahead of those that take, which run in the caller's thread. */
#include "core/base/ordered_workers.h"

#include <stdio.h>
#include <stdlib.h>

/* The first error of a job, whichever thread has met it. */
struct fault {
    enum err e;
    char message[4096];
};

static int is_good(struct fault *f)
{
    enum err e;
#pragma omp atomic read
    e = f->e;
    return e == ERR_OK;
}

static void keep(struct fault *f, enum err e)
{
#pragma omp critical(ordered_workers_fault)
    if (e && is_good(f)) {
        snprintf(f->message, sizeof f->message, "%s", err_message());
#pragma omp atomic write
        f->e = e;
    }
}

static void prepare(const struct ordered_job *job, size_t piece, size_t place, struct fault *f)
{
    if (is_good(f))
        keep(f, job->prepare(job->context, piece, place));
}

static void take(const struct ordered_job *job, size_t piece, size_t place, struct fault *f)
{
    if (is_good(f))
        keep(f, job->take(job->context, piece, place));
}

size_t ordered_workers_places(int helpers)
{
    return 2 * ((size_t)helpers + 1);
}

/* Tasks of one place wait for each other. That to take a piece is not deferred, and while its thread waits for it gcc's
 * OpenMP gives it nothing else to do: so there is a thread more to prepare. */
enum err ordered_workers_do(const struct ordered_job *job)
{
    const size_t places = ordered_workers_places(job->helpers);
    struct fault fault = {ERR_OK, ""}, *f = &fault;
    char *place = calloc(places, 1);
    if (!place)
        FAIL(MEMORY, "no memory for threads that prepare what is written");
#pragma omp parallel num_threads(job->helpers > 0 ? job->helpers + 2 : 1)
#pragma omp master
    for (size_t k = 0, begun = 0; k < job->pieces && is_good(f); k++) {
        for (; begun < job->pieces && begun < k + places; begun++) {
#pragma omp task depend(out : place[begun % places])
            prepare(job, begun, begun % places, f);
        }
#pragma omp task if (0) depend(inout : place[k % places])
        take(job, k, k % places, f);
    }
    free(place);
    return fault.e ? err_set(fault.e, __FILE__, __LINE__, "%s", fault.message) : ERR_OK;
}
