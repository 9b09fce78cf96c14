/* `shoal db sql`: questions about the database of measurements, in SQL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/arguments.h"
#include "core/registry/command.h"
#include "plots/data/database.h"

struct asking {
    char device[DB_NAME + 1];
    int tables;
};

static const struct argument choices[] = {
    {"device", "DEVICE", "this device alone (its folder in the database)",
     WORD_IN(struct asking, device)},
    {"tables", NULL, "lists the tables and their columns", FLAG_IN(struct asking, tables)},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static void help(void)
{
    puts("usage: shoal db sql \"SELECT ...\" [options]\n"
         "       shoal db sql --tables\n"
         "\n"
         "Answers a query of SQL (SQLite's) on the database of measurements, as lines of cells "
         "that\n"
         "tabs separate, the columns' names first; what is not known is -. Queries only read. "
         "Besides\n"
         "SQLite's functions there are median(x) and quantile(x, share). tuning_db/README.md says\n"
         "which tables there are; experiments/*.ini ask them, too.\n"
         "\n"
         "options:");
    arguments_help(choices, CHOICES);
    puts("\n"
         "examples:\n"
         "  shoal db sql --tables\n"
         "  shoal db sql \"SELECT scheme, nx, median(mcells_per_s) FROM measured_resolution\n"
         "                GROUP BY scheme, nx ORDER BY scheme, nx\" --device nvidia-h200\n"
         "  shoal db sql \"SELECT kernel, nx, best, best_us, ties FROM kernels ORDER BY kernel, "
         "nx\"");
}

static enum err answer(struct plot_devices *all, const struct asking *s, const char *query)
{
    struct rowset a;
    TRY(s->tables ? database_tables(all->database, &a)
                  : database_ask(all->database, query, NULL, &a));
    rowset_write(&a, stdout);
    rowset_free(&a);
    return ERR_OK;
}

static enum err sql(int argc, char **argv)
{
    const char *query = NULL;
    struct asking s = {.tables = 0};
    struct plot_devices all;
    struct arguments a = {
        .command = "db sql", .table = choices, .count = CHOICES, .word = &query, .most = 1};
    TRY(arguments_read(&a, argc, argv, &s));
    if (s.tables == (a.words > 0))
        FAIL(USAGE, "db sql takes a query in quotes, or --tables: see shoal db sql --help");
    TRY(plot_devices_read(&all, s.device));
    const enum err e = answer(&all, &s, query);
    plot_devices_free(&all);
    return e;
}

const struct command db_action_sql = {
    .name = "sql",
    .arguments = "\"SELECT ...\"",
    .title = "answers a query on all of it",
    .place = 3,
    .run = sql,
    .help = help,
};
