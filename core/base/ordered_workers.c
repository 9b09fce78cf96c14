/* OpenMP tasks: each `take` depends on the previous one, each `prepare` on the slot's previous
 * piece. */
#include "core/base/ordered_workers.h"

#include <stdio.h>
#include <stdlib.h>

/* The first error of a job, whichever thread meets it. */
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

size_t ordered_workers_places(int helpers)
{
    return 2 * ((size_t)helpers + 1);
}

enum err ordered_workers_do(const struct ordered_job *job)
{
    const size_t places = ordered_workers_places(job->helpers);
    struct fault fault = {ERR_OK, ""}, *f = &fault;
    char *place = calloc(places, 1); /* only the addresses matter for task dependences */
    if (!place)
        FAIL(MEMORY, "no memory for the threads that prepare output");
#pragma omp parallel num_threads(job->helpers + 1)
#pragma omp master
    for (size_t k = 0; k < job->pieces && is_good(f); k++) {
        const size_t at = k % places;
#pragma omp task depend(out : place[at])
        if (is_good(f))
            keep(f, job->prepare(job->context, k, at));
#pragma omp task depend(inout : place[at], fault)
        if (is_good(f))
            keep(f, job->take(job->context, k, at));
    }
    free(place);
    return fault.e ? err_set(fault.e, __FILE__, __LINE__, "%s", fault.message) : ERR_OK;
}
