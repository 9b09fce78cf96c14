/* A point: its simulation, its result, its rows. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/db/private_text.h"
#include "core/base/log.h"
#include "core/options/run_config.h"
#include "core/problem/problem.h"
#include "experiments/measure/measure_parts.h"
#include "experiments/measure/own_words.h"
#include "verification/run/verify.h"
#include "core/base/memory.h"

/* An end time that is never reached: the run has a number of steps. */
static const double NEVER = 1e9; /* s */

/* Brodtkorb's blocks, the thesis's reference: Amundsen 2014, table 3.1; its transposing kernels
 * have square blocks. */
static const struct block_choice thesis_blocks[] = {
    {"flux_fgh", {16, 12}}, {"rk", {16, 12}},  {"srk", {16, 12}},         {"flux_fx", {64, 1}},
    {"flux_fy", {64, 1}},   {"rkt", {16, 16}}, {"flux_yblock", {16, 16}},
};

static void choose_thesis_blocks(struct config *c)
{
    c->block_count = sizeof thesis_blocks / sizeof *thesis_blocks;
    memcpy(c->blocks, thesis_blocks, sizeof thesis_blocks);
}

static int has_thesis_block(const struct kernel *k)
{
    for (size_t n = 0; n < sizeof thesis_blocks / sizeof *thesis_blocks; n++)
        if (strcmp(thesis_blocks[n].kernel, k->stem) == 0)
            return 1;
    return 0;
}

const char *measure_thesis_lacks(const struct scheme *s)
{
    for (int k = 0; s->kernels[k]; k++) {
        const struct kernel *kernel = find_kernel(s->kernels[k]);
        if (kernel && kernel->tuned && !has_thesis_block(kernel))
            return kernel->name;
    }
    return NULL;
}

int measure_block(const char *word, struct block *block)
{
    char again[NAME_LENGTH], *end;
    const long w = strtol(word, &end, 10), h = *end == 'x' ? strtol(end + 1, NULL, 10) : 0;
    if (w < 1 || h < 1 || w > LARGEST_SIDE || h > LARGEST_SIDE)
        return 0;
    *block = (struct block){(int)w, (int)h};
    snprintf(again, sizeof again, "%ldx%ld", w, h);
    return strcmp(again, word) == 0;
}

/* One block for every tuned kernel of the scheme. */
static void choose_one_block(struct config *c, const struct scheme *s, const char *size)
{
    struct block block;
    if (!measure_block(size, &block))
        return;
    for (int k = 0; s->kernels[k] && c->block_count < BLOCK_CHOICES; k++) {
        const struct kernel *kernel = find_kernel(s->kernels[k]);
        if (!kernel || !kernel->tuned)
            continue;
        struct block_choice *choice = &c->blocks[c->block_count++];
        choice->block = block;
        snprintf(choice->kernel, sizeof choice->kernel, "%s", kernel->name);
    }
}

static enum err configure(struct config *c, const struct measure *m, const struct point *p)
{
    config_case_defaults(c);
    snprintf(c->scheme, sizeof c->scheme, "%s", measure_scheme(p));
    snprintf(c->backend, sizeof c->backend, "%s", backends[m->setup.backend]->name);
    snprintf(c->limiter, sizeof c->limiter, "%s", p->limiter);
    if (strcmp(p->define, "-") != 0)
        snprintf(c->define, sizeof c->define, "%s", p->define);
    c->device = m->setup.device;
    config_divide(c, &m->setup.division);
    c->parts_where_possible = 0; /* else the row would be wrong */
    c->threads = m->setup.threads;
    c->precision = (int)p->precision;
    c->precision_chosen = 1; /* even if it is not the system's own */
    c->mode = (int)p->mode;
    c->nx = p->nx;
    c->ny = p->ny;
    c->early_exit = p->early_exit;
    c->graphs = p->graphs;
    c->cfl = isnan(p->cfl) ? p->scheme->cfl : p->cfl;
    c->dt_factor = isnan(p->dt_factor) ? c->dt_factor : p->dt_factor;
    c->tuned = strcmp(p->blocks, "tuned") == 0;
    if (strcmp(p->blocks, "thesis") == 0)
        choose_thesis_blocks(c);
    else
        choose_one_block(c, p->scheme, p->blocks);
    return measure_set_options(c, p->options);
}

static enum err open_end(const struct measure *m, const struct point *p, double *t_end)
{
    const enum backend_kind b = m->setup.backend;
    struct measure_common common;
    TRY(measure_options(m->experiment, b, measure_common, &common));
    if (!common.steps)
        return measure_end_of(m->experiment, b, p->flow_case, t_end);
    *t_end = NEVER;
    return ERR_OK;
}

enum err measure_input(const struct experiment *x, const char *value, char path[PATH_LENGTH])
{
    const char *needs = experiment_value(x, experiment_section(x, "measure", 0), "needs");
    const char *given = *value == '$' ? getenv(value + 1) : value;
    const int inside = *value != '$' && *value != '/';
    if (!given || !*given)
        FAIL(ABSENT, "%s: the variable %s is not set%s%s", x->name, value + 1,
             needs ? "; it needs " : "", needs ? needs : "");
    if (snprintf(path, PATH_LENGTH, "%.*s%s",
                 inside ? (int)(strrchr(x->file.path, '/') + 1 - x->file.path) : 0, x->file.path,
                 given) >= PATH_LENGTH)
        return experiment_fault(x, value, "a path may have at most %d characters", PATH_LENGTH - 1);
    if (access(path, R_OK) != 0)
        FAIL(ABSENT, "%s: '%s' (%s) cannot be read: %s%s%s", x->name, path, value, strerror(errno),
             needs ? "; it needs " : "", needs ? needs : "");
    return ERR_OK;
}

static enum err open_problem(const struct measure *m, const struct point *p, struct opened *o)
{
    struct config *c = &o->config;
    if (m->kind && m->kind->configure)
        TRY(m->kind->configure(m, c));
    if (!p->input)
        return problem_open_case(o->problem, p->flow_case, c);
    TRY(measure_input(m->experiment, p->input, c->input));
    c->nx = c->ny = 0;
    c->t_end = o->t_end;
    return problem_open(o->problem, c);
}

enum err measure_open(const struct measure *m, const struct point *p, struct opened *o)
{
    *o = (struct opened){.ny = p->ny ? p->ny : p->nx};
    TRY(configure(&o->config, m, p));
    TRY(open_end(m, p, &o->t_end));
    o->problem = calloc(1, sizeof *o->problem);
    if (!o->problem)
        FAIL(MEMORY, "no memory to open case %s", p->flow_case->name);
    TRY(open_problem(m, p, o));
    o->ny = o->problem->setup.grid.ny;
    o->problem->setup.t_end = o->t_end;
    return sim_create(&o->sim, &o->problem->setup);
}

int measure_solved(const struct flow_case *f)
{
    return f->exact || (f->verify && f->verify->reference);
}

enum err measure_reference(const struct flow_case *f)
{
    struct reference *r = f->verify ? f->verify->reference : NULL;
    if (!r || r->table)
        return ERR_OK;
    r->table = calloc(r->doubles, sizeof *r->table);
    if (!r->table)
        FAIL(MEMORY, "no memory for the reference solution of %s", f->name);
    const enum err e = r->compute(r->of, r->table);
    if (e) {
        free(r->table);
        r->table = NULL;
    }
    return e;
}

void measure_close(struct opened *o)
{
    sim_destroy(o->sim);
    if (o->problem)
        problem_close(o->problem);
    free(o->problem);
    o->sim = NULL;
    o->problem = NULL;
}

const char *measure_scheme(const struct point *p)
{
    return p->automatic ? "auto" : p->scheme->name;
}

void measure_cells(const struct point *p, int ny, char text[POINT_CELLS])
{
    char factor[32] = "-";
    const struct option *early_exit = option_find(run_options, "early-exit"),
                        *graphs = option_find(run_options, "graphs");
    struct config standard;
    config_case_defaults(&standard);
    if (p->scheme->split || !isnan(p->dt_factor))
        snprintf(factor, sizeof factor, "%g",
                 isnan(p->dt_factor) ? standard.dt_factor : p->dt_factor);
    int n = snprintf(text, POINT_CELLS, "%s\t%s\t%s\t%s\t%d\t%d\t%g\t%s\t%s\t%s\t%s\t%s",
                     p->flow_case->name, measure_scheme(p), precision_names[p->precision],
                     mode_names[p->mode], p->nx, ny, isnan(p->cfl) ? p->scheme->cfl : p->cfl,
                     factor, p->limiter, early_exit->choices[p->early_exit], p->blocks, p->define);
    if (p->told & TELLS_GRAPHS)
        n += snprintf(text + n, POINT_CELLS - (size_t)n, "\t%s", graphs->choices[p->graphs]);
    if (p->told & TELLS_OPTIONS)
        n += snprintf(text + n, POINT_CELLS - (size_t)n, "\t%s", p->options);
    snprintf(text + n, POINT_CELLS - (size_t)n, "\t%d", p->run);
}

/* Possibly for one backend: "graphs.cuda". */
static int is_key(const char *key, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(key, name, n) == 0 && (key[n] == '\0' || key[n] == '.');
}

unsigned measure_told(const struct experiment *x)
{
    const struct section *wanted = experiment_section(x, "measure", 0);
    unsigned told = 0;
    for (int k = 0; wanted && k < wanted->count; k++) {
        const char *key = x->file.setting[wanted->first + k].key;
        told |= is_key(key, "graphs") ? TELLS_GRAPHS : is_key(key, "options") ? TELLS_OPTIONS : 0;
    }
    return told;
}

void measure_header(const struct measure_kind *kind, unsigned told, char text[DB_LINE])
{
    snprintf(text, DB_LINE, "%s%s%s\trun%s%s\tsession\toutcome\treason\t%s", POINT_FIRST_COLUMNS,
             told & TELLS_GRAPHS ? "\tgraphs" : "", told & TELLS_OPTIONS ? "\toptions" : "",
             *kind->row_columns ? "\t" : "", kind->row_columns, kind->columns);
}

enum err measure_set_options(struct config *c, const char *text)
{
    char word[NAME_LENGTH];
    const char *rest = strcmp(text, "-") == 0 ? NULL : text;
    while (rest) {
        rest = option_next_word(rest, word);
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        const struct option *o = option_find(run_options, word);
        for (const struct option *own = measure_common; own->name; own++)
            if (strcmp(own->name, word) == 0)
                FAIL(INPUT, "'%s' is a key of [measure] itself", word);
        if (!value || !o)
            FAIL(INPUT, "'%s%s%s': expected options of `shoal run`, such as parts=2,exchange=host",
                 word, value ? "=" : "", value ? value : "");
        TRY(option_set(o, c, value));
    }
    return ERR_OK;
}

enum err measure_table(const char *folder, const struct experiment *x, char path[PATH_LENGTH])
{
    char name[sizeof "experiments/" + EXPERIMENT_NAME + sizeof ".tsv"];
    snprintf(name, sizeof name, "experiments/%s.tsv", x->name);
    return db_path(folder, name, path);
}

void measure_forget(struct entered *e)
{
    free(e->line);
    *e = (struct entered){.begun = e->begun};
}

static enum err store(const struct measure *m, const char *const *line, size_t n)
{
    char path[PATH_LENGTH], header[DB_LINE];
    measure_header(m->kind, measure_told(m->experiment), header);
    TRY(measure_table(m->folder, m->experiment, path));
    return db_cells_merge(path, header, line, n);
}

enum err measure_store(const struct measure *m)
{
    struct entered *e = m->entered;
    if (e->count && !e->begun)
        TRY(measure_begin(m));
    e->begun |= e->count > 0;
    const char **line = e->count ? calloc(e->count, sizeof *line) : NULL;
    if (e->count && !line)
        FAIL(MEMORY, "no memory for the rows of %s", m->experiment->name);
    for (size_t k = 0; k < e->count; k++)
        line[k] = e->line[k];
    const enum err failed = e->count ? store(m, line, e->count) : ERR_OK;
    free(line);
    measure_forget(e);
    return failed;
}

/* "-" for each column. */
static void no_cells(const char *columns, struct cells *c)
{
    *c = (struct cells){.used = 0};
    for (const char *at = *columns ? columns : NULL; at; at = strchr(at + 1, '\t'))
        cells_text(c, "-");
}

static enum err enter(const struct measure *m, const struct point *p, int ny, const char *row,
                      const char *outcome, const char *reason, const struct cells *cells)
{
    char line[DB_LINE + 1], point[POINT_CELLS];
    struct entered *all = m->entered;
    measure_cells(p, ny, point);
    if (snprintf(line, sizeof line, "%s%s%s\t%s\t%s\t%s\t%s", point, row ? "\t" : "",
                 row ? row : "", m->session, outcome, reason, cells->text) > DB_LINE)
        FAIL(INPUT, "a row of %s is longer than %d characters", m->experiment->name, DB_LINE);
    if (!all)
        return store(m, (const char *const[]){line}, 1);
    TRY(memory_more(&all->line, all->count, sizeof *all->line, "rows of an experiment"));
    memcpy(all->line[all->count++], line, sizeof line);
    return ERR_OK;
}

enum err measure_enter_with(const struct measure *m, const struct point *p, int ny, const char *row,
                            const char *reason, const struct cells *cells)
{
    return enter(m, p, ny, row, db_outcomes[DB_OK], reason, cells);
}

enum err measure_enter(const struct measure *m, const struct point *p, int ny, const char *row,
                       const struct cells *cells)
{
    return measure_enter_with(m, p, ny, row, "-", cells);
}

/* A row with the reason, on one line without private names. */
static enum err enter_failure(const struct measure *m, const struct point *p, int ny,
                              enum db_outcome outcome)
{
    char reason[DB_REASON + 1], what[PRIVATE_ROOM];
    struct cells row, cells;
    snprintf(reason, sizeof reason, "%s", *err_message() ? err_message() : "no reason was given");
    for (char *c = reason; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    if (db_private(reason, what))
        snprintf(reason, sizeof reason, "withheld: the message names a file");
    log_warning("%s, %s, %s, nx %d: %s: %s", p->flow_case->name, p->scheme->name,
                precision_names[p->precision], p->nx, db_outcomes[outcome], reason);
    no_cells(m->kind->row_columns, &row);
    no_cells(m->kind->columns, &cells);
    return enter(m, p, ny, row.used ? row.text : NULL, db_outcomes[outcome], reason, &cells);
}

/* The failure that a row notes; DB_OK: the error ends the measurement. What a machine lacks for a point's own options,
 * such as NCCL, keeps nobody from measuring the others. */
static enum db_outcome outcome_of(const struct point *p, enum err e)
{
    static const enum db_outcome of_run[] = {[ERR_BROKEN] = DB_WRONG_ANSWER,
                                             [ERR_KERNEL] = DB_COMPILE,
                                             [ERR_MEMORY] = DB_CONSTRAINT,
                                             [ERR_LIMIT] = DB_CONSTRAINT,
                                             [ERR_STOPPED] = DB_OK};
    return e == ERR_ABSENT && strcmp(p->options, "-") != 0 ? DB_CONSTRAINT : of_run[e];
}

enum err measure_point(struct measure *m, const struct point *p)
{
    struct opened o = {.ny = p->ny ? p->ny : p->nx};
    enum err e = ERR_OK;
    if (m->kind->prepare)
        TRY(m->kind->prepare(m, p));
    if (!m->kind->bare)
        e = measure_open(m, p, &o);
    if (!e)
        e = m->kind->run(m, p, &o);
    const int ny = o.ny;
    measure_close(&o);
    const enum db_outcome outcome = outcome_of(p, e);
    return outcome == DB_OK ? e : enter_failure(m, p, ny, outcome);
}
