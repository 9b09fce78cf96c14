/* The peak rates of a device, if its kernels' counters cannot be read. */
#include "experiments/measure/ceilings.h"

static enum err run(struct measure *m, const struct point *p, struct opened *o)
{
    const size_t size = precision_size(p->precision);
    struct ceilings c;
    TRY(ceilings_measure(m, p->precision, (size_t)p->nx * (size_t)p->nx * size, &c));
    return ceilings_enter(m, p, o->ny, &c);
}

const struct measure_kind kind_ceilings = {
    .name = "ceilings",
    .title = "what memory and arithmetic units can do at most",
    .row_columns = "kernel",
    .columns = CEILING_COLUMNS,
    .how =
        "ceiling-copy: a copy of nx x nx reals, bytes read and written; ceiling-fma: independent "
        "multiplications and additions, each an operation; the fastest launch of ten, in fast mode",
    .bare = 1,
    .run = run,
};
