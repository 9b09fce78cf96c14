/* Results in the T4 format, version 1.1.0 (doi 10.1145/3629527.3651429). */
#include "experiments/tuner/export_parts.h"

#include <math.h>
#include <string.h>

static const char *const invalidities[DB_OUTCOMES] = {
    [DB_OK] = "correct",     [DB_CONSTRAINT] = "constraints",   [DB_COMPILE] = "compile",
    [DB_LAUNCH] = "runtime", [DB_WRONG_ANSWER] = "correctness", [DB_TIME_OUT] = "timeout"};

/* Units where a column's name ends in one; the type as KTT's counters have it. */
static const char *unit_of(const char *column)
{
    static const struct {
        const char *end, *unit;
    } units[] = {{"_us", "us"}, {"_mhz", "MHz"}, {"_b", "B"}, {"_c", "C"}};
    const char *end = strrchr(column, '_');
    for (size_t k = 0; end && k < sizeof units / sizeof *units; k++)
        if (strcmp(end, units[k].end) == 0)
            return units[k].unit;
    return "";
}

/* The first of all sessions of the group's rows. */
static enum err first_session(const struct exported *x, const struct db_row **first,
                              const char **started)
{
    *started = NULL;
    for (size_t k = 0; k < x->group->count; k++) {
        const char *other;
        TRY(export_session(x, &x->group->row[k], "started", &other));
        if (*started && strcmp(other, *started) >= 0)
            continue;
        *first = &x->group->row[k];
        *started = other;
    }
    return ERR_OK;
}

static enum err print_metadata(FILE *f, const struct exported *x)
{
    const struct db_row *first = x->group->row;
    const char *started, *commit;
    const int cuda = x->backend == CUDA;
    const char *compiler = db_manifest_get(x->manifest, "environment", cuda ? "nvrtc" : "compiler");
    char platform[DB_VALUE + 8];
    TRY(first_session(x, &first, &started));
    TRY(export_session(x, first, "commit", &commit));
    snprintf(platform, sizeof platform, "%s%s", cuda ? "CUDA " : "", compiler ? compiler : "");
    /* The format has no interface for native CPU code. */
    fprintf(f, "\"metadata\": {%s\"platform\": ", cuda ? "\"compute_api\": \"CUDA\", " : "");
    export_text(f, platform);
    fputs(", \"device\": ", f);
    export_text(f, x->device);
    fputs(", \"autotuner\": \"Shoal\", \"autotuner_version\": ", f);
    export_text(f, commit);
    fputs(", \"timestamp\": ", f);
    export_text(f, started);
    fprintf(f, ", \"timeunit\": \"milliseconds\", \"kernel\": \"%s\", \"problem_size\": [%d, %d], ",
            x->kernel->name, x->place->nx, x->place->ny);
    export_provenance(f, x);
    fputc('}', f);
    return ERR_OK;
}

static void print_times(FILE *f, const struct db_row *row)
{
    /* The median first: some readers use only that. */
    static const enum db_number order[] = {DB_MEDIAN, DB_MIN, DB_Q1, DB_Q3, DB_MAX};
    const char *comma = "";
    const double compile = export_cost(row, DB_COMPILE_COST);
    fprintf(f,
            " \"times\": {\"compilation_time\": %.1f, \"compilation\": %.1f, \"benchmark\": %.1f, "
            "\"framework\": %.1f, \"search_algorithm\": 0, \"validation\": 0, \"runtimes\": [",
            compile, compile, export_cost(row, DB_MEASURE_COST), export_cost(row, DB_LOAD_COST));
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        if (isnan(row->number[order[k]]))
            continue;
        fprintf(f, "%s%.6f", comma, export_ms(row->number[order[k]]));
        comma = ", ";
    }
    fputs("]},\n", f);
}

static void print_measurements(FILE *f, const struct exported *x, const struct db_row *row)
{
    const char *comma = "";
    fputs(" \"measurements\": [", f);
    if (!isnan(row->number[DB_MEDIAN])) {
        fprintf(f, "{\"name\": \"time\", \"value\": %.6f, \"unit\": \"ms\"}",
                export_ms(row->number[DB_MEDIAN]));
        comma = ", ";
    }
    for (int k = export_column(x->group, 0); k < DB_NUMBERS; k = export_column(x->group, k + 1)) {
        if (isnan(row->number[k]))
            continue;
        fprintf(f, "%s{\"name\": \"%s\", \"value\": %.*f, \"unit\": \"%s\", \"type\": \"%s\"}",
                comma, db_columns[k].name, db_columns[k].decimals, row->number[k],
                unit_of(db_columns[k].name), db_columns[k].decimals ? "Double" : "Int");
        comma = ", ";
    }
    fputc(']', f);
}

static enum err print_row(FILE *f, const struct exported *x, const struct db_row *row)
{
    const char *started;
    TRY(export_session(x, row, "started", &started));
    fputs("{\"timestamp\": ", f);
    export_text(f, started);
    fprintf(f,
            ", \"configuration\": {\"block_size_x\": %d, \"block_size_y\": %d}, \"objectives\": "
            "[\"time\"], \"invalidity\": \"%s\", \"correctness\": %d,\n",
            row->block.w, row->block.h, invalidities[row->outcome], row->outcome == DB_OK);
    if (row->outcome != DB_OK) {
        fputs(" \"shoal_reason\": ", f);
        export_text(f, row->reason);
        fputs(",\n", f);
    }
    print_times(f, row);
    print_measurements(f, x, row);
    fputc('}', f);
    return ERR_OK;
}

enum err export_t4(FILE *f, const struct exported *x)
{
    fputs("{\"schema_version\": \"1.1.0\",\n", f);
    TRY(print_metadata(f, x));
    fputs(",\n\"results\": [\n", f);
    for (size_t k = 0; k < x->group->count; k++) {
        fputs(k ? ",\n" : "", f);
        TRY(print_row(f, x, &x->group->row[k]));
    }
    fputs("\n]}\n", f);
    return ERR_OK;
}
