/* Published tables as a source of figures. */
#include <stdio.h>
#include <string.h>

#include "plots/source_parts.h"

enum err source_published(const struct source_request *r, struct plot_table *t)
{
    char path[PATH_LENGTH];
    const char *from = experiment_value(r->experiment, r->data, "from"),
               *slash = strchr(r->argument, '/');
    if (!slash || strchr(slash + 1, '/') || *r->argument == '.' || slash[1] == '.')
        return experiment_fault(r->experiment, from,
                                "after published WORK/TABLE is wanted, not '%s'", r->argument);
    snprintf(t->file, sizeof t->file, "published/%s.tsv", r->argument);
    TRY(db_path(r->database, t->file, path));
    TRY(source_file_read(path, &t->frame));
    if (t->frame.columns == 0)
        return experiment_fault(r->experiment, from, "there is no %s", path);
    return ERR_OK;
}
