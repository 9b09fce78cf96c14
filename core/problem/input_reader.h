/* How processes that solve one problem read its input together. */
#ifndef SHOAL_INPUT_READER_H
#define SHOAL_INPUT_READER_H

#include <stddef.h>

#include "core/base/err.h"
#include "kernels/kernel.h"
#include "kernels/system.h"

/* The largest memory that is read at a time, and the most planes in it. */
enum { INPUT_BYTES = 1024, INPUT_PLANES = UNKNOWNS + 4 };

/* What lies in memory that is read: numbers, pointers to planes (core/base/plane.h), perhaps one to a text of malloc, and
 * no other pointers. Places are in bytes. */
struct input_layout {
    size_t bytes; /* at most INPUT_BYTES */
    int planes;
    size_t plane[INPUT_PLANES];
    int texts; /* 0 or 1 */
    size_t text;
};

/* Fills `to` by reading files. */
struct input_job {
    struct input_layout layout;
    enum err (*reads)(void *of, void *to);
    void *of, *to;
};

/* Fills what the job names, by doing it, or by taking over what another process that did it has. What was there before is
 * freed, or handed to the job. */
struct input_reader {
    enum err (*read)(void *context, const struct input_job *job);
    void *context;
};

/* A null reader: this process reads for itself. */
static inline enum err input_read(const struct input_reader *r, const struct input_job *job)
{
    return r ? r->read(r->context, job) : job->reads(job->of, job->to);
}

#endif
