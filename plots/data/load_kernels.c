/* Rows of kernels as an SQL table, and the current kernels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compile/recipe.h"
#include "core/device/backend.h"
#include "core/options/run_config.h"
#include "core/registry/registry.h"
#include "experiments/tuner/search.h"
#include "plots/data/load.h"

/* What a run without options compiles for a kernel on a backend. Neighbours in the registry mostly
 * share one text, which need not be read again. */
struct kernel_now {
    const struct kernel *kernel;
    char flags[RECIPE_FLAGS];
    struct text_digests digests;
};

static enum err look_at(struct kernel_now *now, const struct kernel *k, enum backend_kind backend)
{
    const struct kernel *before = now->kernel;
    struct config config;
    config_case_defaults(&config);
    const struct recipe recipe = {.kernel = k,
                                  .block = k->block[backend],
                                  .mode = FAST_MODE,
                                  .on_cpu = backend == CPU,
                                  .switches = "",
                                  .limiter = config.limiter,
                                  .flux = config.flux,
                                  .reconstruction = config.reconstruction};
    now->kernel = k;
    if (before && strcmp(before->file, k->file) == 0 && before->plugins == k->plugins)
        return ERR_OK;
    TRY(recipe_flags(&recipe, now->flags));
    return recipe_digests(&recipe, &now->digests);
}

/* The blocks of a kernel's space, without those that violate a limit. */
static enum err add_space(struct database *d, const struct kernel *k, enum backend_kind backend)
{
    struct blocks all;
    char why[SPACE_WHY];
    TRY(space_list(k, backend, &all));
    enum err e = sql_into(d->sql, "kernel_space", 4);
    for (int n = 0; n < all.count && !e; n++) {
        const struct sql_value v[] = {
            {backends[backend]->name, 0}, {k->name, 0}, {NULL, all.at[n].w}, {NULL, all.at[n].h}};
        if (!space_breaks(k, backend, all.at[n], why, sizeof why))
            e = sql_add(d->sql, v);
    }
    blocks_free(&all);
    return sql_done(d->sql, e);
}

static enum err add_kernel(struct database *d, const struct kernel_now *now,
                           enum backend_kind backend, int place)
{
    const struct kernel *k = now->kernel;
    char block[32], text[DB_HASH + 1], code[DB_HASH + 1];
    snprintf(text, sizeof text, "%s", now->digests.text);
    snprintf(code, sizeof code, "%s", now->digests.code);
    snprintf(block, sizeof block, "%dx%d", k->block[backend].w, k->block[backend].h);
    const struct sql_value v[] = {{backends[backend]->name, 0},
                                  {k->name, 0},
                                  {k->stem, 0},
                                  {NULL, place},
                                  {k->file, 0},
                                  {now->flags, 0},
                                  {text, 0},
                                  {code, 0},
                                  {block, 0}};
    enum err e = sql_into(d->sql, "kernels_now", 9);
    if (!e)
        e = sql_add(d->sql, v);
    TRY(sql_done(d->sql, e));
    return add_space(d, k, backend);
}

/* For the tuned kernels, on each backend with rows. */
static enum err add_kernels(struct database *d, enum backend_kind backend)
{
    struct kernel_now now = {.kernel = NULL};
    int place = 0, present = 0;
    for (int k = 0; k < d->devices; k++)
        present |= d->device[k].backend == backend;
    for (int t = 0; present && kernel_tables[t]; t++)
        for (const struct kernel *k = kernel_tables[t]; k->name; k++, place++)
            if (k->tuned) {
                TRY(look_at(&now, k, backend));
                TRY(add_kernel(d, &now, backend, place));
            }
    return ERR_OK;
}

/* A section of a manifest as rows of the table of that name: what flags of rows stand for, or what code texts have. */
static enum err add_section(struct database *d, const struct plot_device *p, const char *section)
{
    const struct db_manifest *m = &p->manifest;
    const size_t n = strlen(section);
    enum err e = sql_into(d->sql, section, 4);
    for (size_t k = 0; k < m->count && !e; k++) {
        const char *key = m->entry[k].key;
        const struct sql_value v[] = {
            {p->device, 0}, {p->environment, 0}, {key + n + 1, 0}, {m->entry[k].value, 0}};
        if (strncmp(key, section, n) == 0 && key[n] == '/')
            e = sql_add(d->sql, v);
    }
    return sql_done(d->sql, e);
}

/* Rows of texts that differ in comments and layout alone are rows of one source, which is the digest of their code;
 * where a manifest does not say what code a text has, it is the text's, unless that is a text of now. */
static enum err name_by_code(struct database *d)
{
    return sql_run(
        d->sql, "ALTER TABLE kernel_rows ADD COLUMN text; UPDATE kernel_rows SET text = source;"
                "UPDATE kernel_rows SET source = source_now FROM kernels_now WHERE text = text_now;"
                "UPDATE kernel_rows SET source = substr(code, 1, 12) FROM codes WHERE "
                "codes.device = kernel_rows.device AND codes.environment = kernel_rows.environment "
                "AND codes.text = kernel_rows.text");
}

static enum err add_files(struct text_table *t, const struct plot_device *p, int *number)
{
    const struct db_list *files = &t->d->all->files;
    for (size_t k = 0; k < files->count; k++) {
        struct db_place at;
        char path[PATH_LENGTH];
        db_place_parse(files->path[k], &at);
        if (at.kind != DB_KERNEL || strcmp(at.device, p->device) != 0 ||
            strcmp(at.environment, p->environment) != 0)
            continue;
        const struct sql_value own[] = {{p->device, 0},    {p->environment, 0},
                                        {NULL, ++*number}, {at.kernel, 0},
                                        {at.flow, 0},      {NULL, at.nx},
                                        {NULL, at.ny},     {precision_names[at.precision], 0}};
        t->device = p;
        TRY(db_path(t->d->all->folder, files->path[k], path));
        TRY(text_table_read(t, path, own));
    }
    return ERR_OK;
}

enum err load_kernels(struct database *d)
{
    struct text_table t = {
        .d = d,
        .name = "kernel_rows",
        .own = "device, environment, table_no, kernel, \"case\", nx, ny, precision"};
    char header[DB_LINE + 1];
    int number = 0;
    TRY(sql_run(d->sql,
                "DROP TABLE IF EXISTS kernel_rows; DROP TABLE IF EXISTS kernels_now; DROP TABLE IF "
                "EXISTS kernel_space; DROP TABLE IF EXISTS flags; DROP TABLE IF EXISTS codes;"
                "CREATE TABLE kernels_now (backend, kernel, stem, place, file, flags_now, "
                "text_now, source_now, default_block);"
                "CREATE TABLE kernel_space (backend, kernel, width, height, PRIMARY KEY (backend, "
                "kernel, width, height)) WITHOUT ROWID;"
                "CREATE TABLE flags (device, environment, flags, text);"
                "CREATE TABLE codes (device, environment, text, code)"));
    db_header(header);
    enum err e = text_table_columns(&t, header);
    for (int k = 0; k < BACKENDS && !e; k++)
        e = add_kernels(d, (enum backend_kind)k);
    for (int k = 0; k < d->devices && !e; k++) {
        e = add_section(d, &d->device[k], "flags");
        if (!e)
            e = add_section(d, &d->device[k], "codes");
        if (!e)
            e = add_files(&t, &d->device[k], &number);
    }
    text_table_free(&t);
    if (!e)
        e = name_by_code(d);
    return e ? e : sql_run(d->sql, "CREATE TABLE compared_rows AS SELECT * FROM comparing");
}

/* A number of a row of `blocks`, and its name there. */
static const struct {
    const char *name;
    enum db_number number;
} wanted[] = {{"median_us", DB_MEDIAN},
              {"compile_ms", DB_COMPILE_COST},
              {"load_ms", DB_LOAD_COST},
              {"measure_ms", DB_MEASURE_COST}};

static void read_block(const struct rowset *a, size_t row, struct db_row *to)
{
    *to = (struct db_row){.block = {(int)rowset_number(a, row, rowset_column(a, "width")),
                                    (int)rowset_number(a, row, rowset_column(a, "height"))}};
    const char *outcome = rowset_at(a, row, rowset_column(a, "outcome"));
    while (to->outcome < DB_OUTCOMES - 1 && strcmp(db_outcomes[to->outcome], outcome) != 0)
        to->outcome++;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        to->number[wanted[k].number] = rowset_number(a, row, rowset_column(a, wanted[k].name));
}

static int same_space(const struct rowset *a, size_t one, size_t other)
{
    static const char *const what[] = {"device", "environment", "kernel", "case",  "nx",
                                       "ny",     "precision",   "flags",  "source"};
    for (size_t k = 0; k < sizeof what / sizeof *what; k++)
        if (strcmp(rowset_text(a, one, what[k]), rowset_text(a, other, what[k])) != 0)
            return 0;
    return 1;
}

static enum err describe(const struct database *d, const struct rowset *a, size_t row,
                         struct stored_space *s)
{
    const char *kernel = rowset_text(a, row, "kernel"),
               *environment = rowset_text(a, row, "environment"),
               *precision = rowset_text(a, row, "precision");
    s->kernel = find_kernel(kernel);
    s->device = d->device;
    while (strcmp(s->device->environment, environment) != 0 ||
           strcmp(s->device->device, rowset_text(a, row, "device")) != 0)
        s->device++;
    s->precision = strcmp(precision, precision_names[F64]) == 0 ? F64 : F32;
    s->nx = (int)rowset_number(a, row, rowset_column(a, "nx"));
    s->ny = (int)rowset_number(a, row, rowset_column(a, "ny"));
    s->flow = rowset_text(a, row, "case");
    s->flags = rowset_text(a, row, "flags");
    snprintf(s->file, sizeof s->file, "%s/%s/%s/%s-%dx%d-%s.tsv", s->device->device, environment,
             kernel, s->flow, s->nx, s->ny, precision);
    s->group = (struct db_group){.row = calloc(a->rows, sizeof *s->group.row)};
    if (!s->group.row)
        FAIL(MEMORY, "no memory for the rows of a kernel");
    return ERR_OK;
}

enum err stored_spaces(struct database *d, const char *rows, use_space *use, void *context)
{
    struct rowset a;
    char query[768];
    enum err e = ERR_OK;
    snprintf(query, sizeof query,
             "SELECT device, environment, kernel, \"case\", nx, ny, precision, flags, source, "
             "width, height, outcome, median_us, compile_ms, load_ms, measure_ms FROM %s "
             "ORDER BY device, environment, kernel, \"case\", nx, ny, precision, flags, source, "
             "height, width",
             rows);
    TRY(database_ask(d, query, NULL, &a));
    for (size_t first = 0, end; first < a.rows && !e; first = end) {
        struct stored_space s;
        e = describe(d, &a, first, &s);
        for (end = first; end < a.rows && !e && same_space(&a, first, end); end++)
            read_block(&a, end, &s.group.row[s.group.count++]);
        for (size_t k = 0; k < s.group.count; k++)
            s.group.ok += s.group.row[k].outcome == DB_OK;
        if (!e && s.kernel && s.kernel->tuned)
            e = use(context, &s);
        free(s.group.row);
    }
    rowset_free(&a);
    return e;
}
