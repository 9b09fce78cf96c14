/* Which devices an experiment is meant for. */
#include "experiments/measure/measure.h"
#include "plots/gallery/gallery_parts.h"

static enum err measured_on(const struct experiment *x, const struct plot_device *d, int *meant)
{
    int this_one;
    TRY(measure_meant(x, d->backend, plot_device_count(d), plot_device_divided(d), &this_one));
    *meant |= this_one;
    return ERR_OK;
}

/* The rows of a query: those of another experiment, or of kernels. */
static enum err answered_on(const char *query, const struct plot_device *d, int *meant)
{
    struct experiment other;
    char name[DB_NAME + 1];
    database_experiment(query, name);
    if (!*name) {
        *meant |= database_measured(query) && !plot_device_divided(d);
        return ERR_OK;
    }
    TRY(experiment_read(&other, name));
    const enum err e = measured_on(&other, d, meant);
    experiment_free(&other);
    return e;
}

enum err gallery_meant(const struct experiment *x, const struct plot_device *d, int *meant)
{
    const struct section *data;
    *meant = 0;
    if (experiment_historical(x))
        return ERR_OK;
    if (experiment_section(x, "measure", 0))
        return measured_on(x, d, meant);
    for (int k = 0; (data = experiment_section(x, "data", k)) != NULL; k++) {
        const char *query = experiment_variant(x, data, "sql", backends[d->backend]->name);
        if (query)
            TRY(answered_on(query, d, meant));
    }
    return ERR_OK;
}
