/* What the device can do at most, where its kernels' counters cannot be read. */
#include "experiments/measure/ceilings.h"

static enum err measure(struct measure *m, const struct point *p)
{
    const size_t size = p->precision == F64 ? sizeof(double) : sizeof(float);
    struct ceilings c;
    struct outcome outcome = {DB_OK, "-"};
    TRY(measure_judge(&outcome,
                      ceilings_measure(m, p->precision, (size_t)p->nx * (size_t)p->nx * size, &c)));
    if (outcome.outcome != DB_OK)
        return measure_enter(m, p, p->nx, "-", &outcome, "");
    return ceilings_enter(m, p, p->nx, &c);
}

const struct measure_kind kind_ceilings = {
    .name = "ceilings",
    .title = "what memory and arithmetic units can do at most",
    .row_columns = "kernel",
    .columns = CEILING_COLUMNS,
    .how =
        "ceiling-copy: a copy of nx x nx reals, bytes read and written; ceiling-fma: independent "
        "multiplications and additions, each an operation; the fastest launch of ten, in fast mode",
    .measure = measure,
};
