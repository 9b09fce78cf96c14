/* Cache files of Kernel Tuner, with which it simulates tuning. */
#include "experiments/tuner/export_parts.h"

#include <string.h>

enum { LARGEST_SIDE = 1024 };

/* Kernel Tuner treats these four texts as failures; no other value may be one of them. */
static const char *const failures[DB_OUTCOMES] = {[DB_CONSTRAINT] = "InvalidConfig",
                                                  [DB_COMPILE] = "CompilationFailedConfig",
                                                  [DB_LAUNCH] = "RuntimeFailedConfig",
                                                  [DB_WRONG_ANSWER] = "RuntimeFailedConfig",
                                                  [DB_TIME_OUT] = "RuntimeFailedConfig"};

static void print_values(FILE *f, const struct db_group *g, int heights)
{
    char seen[LARGEST_SIDE + 1] = {0};
    const char *comma = "";
    for (size_t k = 0; k < g->count; k++)
        seen[heights ? g->row[k].block.h : g->row[k].block.w] = 1;
    fputc('[', f);
    for (int side = 1; side <= LARGEST_SIDE; side++) {
        if (!seen[side])
            continue;
        fprintf(f, "%s%d", comma, side);
        comma = ", ";
    }
    fputc(']', f);
}

static void print_head(FILE *f, const struct exported *x)
{
    fputs("{\n\"device_name\": ", f);
    export_text(f, x->device);
    fprintf(f, ",\n\"kernel_name\": \"%s\",\n\"problem_size\": [%d, %d],\n", x->kernel->name,
            x->place->nx, x->place->ny);
    fputs("\"tune_params_keys\": [\"block_size_x\", \"block_size_y\"],\n"
          "\"tune_params\": {\"block_size_x\": ",
          f);
    print_values(f, x->group, 0);
    fputs(", \"block_size_y\": ", f);
    print_values(f, x->group, 1);
    fputs("},\n\"objective\": \"time\",\n"
          "\"shoal_times\": \"time is the median; times are minimum, lower quartile, median, upper "
          "quartile and maximum of kept + dropped timings, which are not stored one by one; "
          "framework_time is loading\",\n",
          f);
    export_provenance(f, x);
    fputs(",\n\"cache\": {\n", f);
}

static void print_ok(FILE *f, const struct exported *x, const struct db_row *row)
{
    fprintf(f, ", \"time\": %.6f, \"times\": [", export_ms(row->number[DB_MEDIAN]));
    for (int k = DB_MIN; k <= DB_MAX; k++)
        fprintf(f, "%s%.6f", k > DB_MIN ? ", " : "", export_ms(row->number[k]));
    fprintf(f, "], \"shoal_status\": \"ok\", \"method\": \"%s\"", row->method);
    for (int k = export_column(x->group, 0); k < DB_NUMBERS; k = export_column(x->group, k + 1))
        fprintf(f, ", \"%s\": %.*f", db_columns[k].name, db_columns[k].decimals, row->number[k]);
}

static void print_failure(FILE *f, const struct db_row *row)
{
    const char *what = failures[row->outcome];
    fprintf(f, ", \"time\": \"%s\", \"__error__\": \"%s\", \"shoal_status\": \"%s\"", what, what,
            db_outcomes[row->outcome]);
    /* With the status in front the reason is none of the four texts. */
    char reason[DB_REASON + 32];
    snprintf(reason, sizeof reason, "%s: %s", db_outcomes[row->outcome], row->reason);
    fputs(", \"shoal_reason\": ", f);
    export_text(f, reason);
}

static enum err print_row(FILE *f, const struct exported *x, const struct db_row *row)
{
    const char *started;
    TRY(export_session(x, row, "started", &started));
    fprintf(f, "\"%d,%d\": {\"block_size_x\": %d, \"block_size_y\": %d", row->block.w, row->block.h,
            row->block.w, row->block.h);
    if (row->outcome == DB_OK)
        print_ok(f, x, row);
    else
        print_failure(f, row);
    fprintf(f,
            ", \"compile_time\": %.1f, \"verification_time\": 0, \"benchmark_time\": %.1f, "
            "\"strategy_time\": 0, \"framework_time\": %.1f, \"timestamp\": ",
            export_cost(row, DB_COMPILE_COST), export_cost(row, DB_MEASURE_COST),
            export_cost(row, DB_LOAD_COST));
    /* Z as +00:00: what Python read before 3.11. */
    char time[DB_VALUE + 8];
    const int n = (int)strcspn(started, "Z");
    snprintf(time, sizeof time, "%.*s%s", n, started, started[n] ? "+00:00" : "");
    export_text(f, time);
    fputc('}', f);
    return ERR_OK;
}

enum err export_kernel_tuner(FILE *f, const struct exported *x)
{
    print_head(f, x);
    for (size_t k = 0; k < x->group->count; k++) {
        fputs(k ? ",\n" : "", f);
        TRY(print_row(f, x, &x->group->row[k]));
    }
    fputs("\n}\n}", f); /* exactly: readers recognise a closed cache by this */
    return ERR_OK;
}
