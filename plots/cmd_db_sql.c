/* `shoal db sql`: questions about the database of measurements, in SQL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/options.h"
#include "core/registry/command.h"
#include "plots/data/database.h"

struct asking {
    char device[DB_NAME + 1];
    int tables;
};

static const struct option options[] = {
    {"device", "DEVICE", "only this device (its folder in the database)",
     TEXT_IN(struct asking, device), .unset = "all"},
    {"tables", NULL, "lists the tables and their columns", FLAG_IN(struct asking, tables)},
    {.name = NULL},
};

static enum err answer(struct plot_devices *all, const struct asking *s, const char *query)
{
    struct rowset a;
    TRY(s->tables ? database_tables(all->database, &a)
                  : database_ask(all->database, query, NULL, &a));
    rowset_write(&a, stdout);
    rowset_free(&a);
    return ERR_OK;
}

static enum err sql(const struct call *call)
{
    const struct asking *s = call->settings;
    struct plot_devices all;
    if (s->tables == (call->words > 0))
        FAIL(USAGE, "db sql takes a query in quotes, or --tables: see shoal db sql --help");
    TRY(plot_devices_read(&all, s->device));
    const enum err e = answer(&all, s, call->words ? call->word[0] : NULL);
    plot_devices_free(&all);
    return e;
}

const struct command db_action_sql = {
    .name = "sql",
    .arguments = "\"SELECT ...\"",
    .title = "answers an SQL query on the database",
    .place = 11,
    .about = "Answers an SQL query (SQLite's) on the database of measurements, as lines of\n"
             "tab-separated cells, the columns' names first; an unknown value is -.\n"
             "Queries only read. Besides SQLite's functions there are median(x) and\n"
             "quantile(x, share). tuning_db/README.md says which tables there are;\n"
             "experiments/*.ini ask them, too.",
    .examples =
        "  shoal db sql --tables\n"
        "  shoal db sql \"SELECT scheme, nx, median(mcells_per_s) FROM measured_resolution\n"
        "                GROUP BY scheme, nx ORDER BY scheme, nx\" --device nvidia-h200\n"
        "  shoal db sql \"SELECT kernel, nx, best, best_us, ties FROM kernels\n"
        "                ORDER BY kernel, nx\"",
    .options = options,
    .settings = sizeof(struct asking),
    .most = 1,
    .run = sql,
};
