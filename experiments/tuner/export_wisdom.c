/* Wisdom files of kernel_launcher: the winners, one for each device and size. */
#include "experiments/tuner/export_parts.h"

void export_wisdom_key(const struct exported *x, char key[EXPORT_KEY])
{
    snprintf(key, EXPORT_KEY, "%s %s %s", x->kernel->name, precision_names[x->place->precision],
             x->flags);
}

void export_wisdom_head(FILE *f, const struct exported *x)
{
    char key[EXPORT_KEY];
    export_wisdom_key(x, key);
    fputs("{\"version\":\"1.0\",\"objective\":\"time\",\"tunable_parameters\":"
          "[\"block_size_x\",\"block_size_y\"],\"key\":",
          f);
    export_text(f, key);
    fputs("}\n", f);
}

enum err export_wisdom(FILE *f, const struct exported *x)
{
    const struct db_row *best = x->group->row;
    const char *started;
    TRY(export_session(x, best, "started", &started));
    fprintf(f, "{\"config\":[%d,%d],\"problem_size\":[%d,%d],\"time\":%.6f,", best->block.w,
            best->block.h, x->place->nx, x->place->ny, export_ms(best->number[DB_MEDIAN]));
    fputs("\"environment\":{\"device_name\":", f);
    export_text(f, x->device);
    fputs(",\"date\":", f);
    export_text(f, started);
    fputs("},", f);
    export_provenance(f, x);
    fputs("}\n", f);
    return ERR_OK;
}
