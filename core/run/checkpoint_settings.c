/* What a run must share with the run that it resumes: all settings except those of the machine, of
 * the output, and of the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/checkpoint_parts.h"
#include "core/problem/initial_state.h"
#include "core/options/run_config.h"
#include "core/base/log.h"
#include "core/base/sha256.h"
#include "core/registry/registry.h"
#include "core/base/plane.h"

static const char not_given[] = "not given";

static int is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(name, *list) == 0)
            return 1;
    return 0;
}

/* Does an option affect the result, at least its bits in strict mode? */
static int shapes_the_result(const struct option *o)
{
    static const char *const ends[] = {"t-end", "steps", NULL};
    static const char *const others[] = {"precision",    "mode",   "define",  "wet-depth",
                                         "maxima-every", "debris", "section", NULL};
    if (o->group == GROUP_FLOW || o->group == GROUP_METHOD)
        return !is_one_of(o->name, ends);
    return is_one_of(o->name, others);
}

/* A number; for a field its identity, wherever it came from. */
static void resolve_manning(const struct problem *p, struct field_choice *f)
{
    char hex[SHA256_DIGITS + 1];
    struct sha256 hash;
    const struct grid_info *g = &p->setup.grid;
    *f = (struct field_choice){.number = p->setup.manning};
    if (!p->input.manning_of)
        return;
    f->number = (double)NAN;
    sha256_init(&hash);
    plane_hash(&hash, p->input.manning_of, (size_t)g->nx * (size_t)g->ny);
    sha256_final(&hash, hex);
    snprintf(f->file, sizeof f->file, "a field of hash %.12s", hex);
}

/* A number identifies itself; a file's content is identified by hash, wherever it came from. */
static void resolve_read(struct field_choice *f, const char *what, const char *hash)
{
    if (isnan(f->number) && *f->file)
        snprintf(f->file, sizeof f->file, "%s of hash %s", what, hash);
}

/* Resulting numbers, and fields of coefficients. */
static void resolve_coefficients(const struct problem *p, struct config *c)
{
    const struct coefficients *of = &p->coefficients;
    if (p->setup.system->constants == 0)
        return;
    memcpy(c->compaction, p->setup.constant, sizeof c->compaction);
    c->layer = p->setup.constant[2];
    resolve_read(&c->alpha, "a field", of->hash[0]);
    resolve_read(&c->beta, "a field", of->hash[1]);
    resolve_read(&c->sand, "a field", of->hash[GIVEN_FIELDS + 1]);
}

/* The configuration with omitted settings filled in by the case, the file and the rules. */
static struct config resolved(const struct sim *s, const struct problem *p)
{
    struct config c = *s->config;
    c.nx = p->setup.grid.nx;
    c.ny = p->setup.grid.ny;
    c.gravity = p->setup.gravity;
    resolve_manning(p, &c.manning);
    resolve_read(&c.rain, "rain", p->rain.hash);
    resolve_read(&c.infiltration, "soil", p->soil.hash);
    resolve_read(&c.suction, "soil", p->soil.hash);
    resolve_read(&c.deficit, "soil", p->soil.hash);
    resolve_coefficients(p, &c);
    c.precision_chosen = 1;
    c.kappa = s->initial->kappa;
    snprintf(c.scheme, sizeof c.scheme, "%s", s->scheme->name);
    c.cfl = sim_courant(s);
    return c;
}

/* An edge with its resulting values, and the identity of its series. */
static enum err print_edge(FILE *f, const struct option *o, const struct setup *setup)
{
    char *text = NULL;
    const enum err e = edges_describe(setup, (enum edge)o->edge, &text);
    if (!e)
        fprintf(f, "%s = %s\n", o->name, text);
    free(text);
    return e;
}

/* Sources likewise. */
static enum err print_springs(FILE *f, const struct option *o, const struct problem *p)
{
    char *text = NULL;
    if (p->springs.count == 0) {
        fprintf(f, "%s = %s\n", o->name, not_given);
        return ERR_OK;
    }
    TRY(springs_describe(&p->springs, &p->config, &text));
    for (char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        fprintf(f, "%s = %.*s\n", o->name, (int)(end - line), line);
    }
    free(text);
    return ERR_OK;
}

static void print_option(FILE *f, const struct option *o, const struct config *c)
{
    char value[FILE_LENGTH];
    if (!option_format(o, c, 0, value))
        fprintf(f, "%s = %s\n", o->name, not_given);
    for (int k = 0; option_format(o, c, k, value); k++)
        fprintf(f, "%s = %s\n", o->name, value);
}

static enum err print_all(FILE *f, const struct sim *s, const struct problem *p)
{
    const struct config c = resolved(s, p);
    fprintf(f, "case = %s\n", p->name);
    for (const struct option *o = run_options; o->name; o++) {
        if (!shapes_the_result(o))
            continue;
        if (o->type == &option_edge)
            TRY(print_edge(f, o, &p->setup));
        else if (o->type == &option_source)
            TRY(print_springs(f, o, p));
        else
            print_option(f, o, &c);
    }
    fprintf(f, "initial volume = %.17g m3\n", s->total0[0]);
    fprintf(f, "datum = %.17g m\n", s->initial->datum);
    fprintf(f, "still level = %.17g m\n", s->initial->still);
    fprintf(f, "dry depth = %.17g m\n", s->initial->dry);
    fprintf(f, "units per metre of counters = %.17g\n", s->physics.units);
    return ERR_OK;
}

enum err checkpoint_settings(const struct sim *s, const struct problem *p, char **text)
{
    size_t n;
    *text = NULL;
    FILE *f = open_memstream(text, &n);
    if (!f)
        FAIL(MEMORY, "no memory for the settings of a checkpoint");
    enum err e = print_all(f, s, p);
    if (fclose(f) != 0 && !e)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the settings of a checkpoint");
    if (!e)
        return ERR_OK;
    free(*text);
    *text = NULL;
    return e;
}

/* The length of the line's key, or of its text if it has none. */
static size_t key_length(const char *line)
{
    const char *end = strchr(line, '\n'), *equals = strstr(line, " = ");
    const size_t whole = end ? (size_t)(end - line) : strlen(line);
    return equals && (size_t)(equals - line) < whole ? (size_t)(equals - line) : whole;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* The scheme of the run that wrote it. */
static enum err take_scheme(struct config *c)
{
    static const char key[] = "scheme";
    char *settings;
    TRY(checkpoint_read_settings(c->restart, &settings));
    for (const char *line = settings; *line; line = next_line(line))
        if (key_length(line) == strlen(key) && strncmp(line, key, strlen(key)) == 0)
            snprintf(c->scheme, sizeof c->scheme, "%.*s",
                     (int)strcspn(line + strlen(key) + strlen(" = "), "\n"),
                     line + strlen(key) + strlen(" = "));
    free(settings);
    if (!find_scheme(c->scheme))
        FAIL(USAGE,
             "--restart %s: written by scheme '%s', which this build lacks: name one with "
             "--scheme, or "
             "start afresh",
             c->restart, c->scheme);
    log_info("scheme %s: that of the run that wrote %s", c->scheme, c->restart);
    return ERR_OK;
}

enum err checkpoint_settle_scheme(struct config *c)
{
    const int restarts = *c->restart != 0;
    if (strcmp(c->scheme, "auto") != 0)
        return ERR_OK;
    if (restarts)
        TRY(take_scheme(c));
    if ((restarts || !isnan(c->checkpoint)) && c->early_exit == EARLY_EXIT_AUTO &&
        c->mode == FAST_MODE && c->domain != DOMAIN_SPARSE) {
        c->early_exit = EARLY_EXIT_OFF;
        log_info("one scheme makes all steps, without early exit: timing must not change what a "
                 "checkpoint goes on with; --early-exit on is possible");
    }
    return ERR_OK;
}

/* All values of a key in the text, with " and " between them; `not_given` where there is none. */
static void values_of(const char *text, const char *key, size_t length, char *values, size_t n)
{
    size_t used = 0;
    snprintf(values, n, "%s", not_given);
    for (const char *line = text; *line; line = next_line(line)) {
        if (key_length(line) != length || strncmp(line, key, length) != 0 || used >= n)
            continue;
        const char *value = line + length + strlen(" = ");
        used += (size_t)snprintf(values + used, n - used, "%s%.*s", used ? " and " : "",
                                 (int)strcspn(value, "\n"), value);
    }
}

static enum err compare_values(const char *theirs, const char *ours, const char *line,
                               const char *path)
{
    const size_t length = key_length(line);
    char key[NAME_LENGTH], there[1024], here[1024];
    values_of(theirs, line, length, there, sizeof there);
    values_of(ours, line, length, here, sizeof here);
    if (strcmp(there, here) == 0)
        return ERR_OK;
    snprintf(key, sizeof key, "%.*s", (int)length, line);
    if (option_find(run_options, key))
        FAIL(USAGE,
             "--restart %s: --%s was '%s' in the checkpoint's run and is '%s' now: give it the "
             "same value, or start afresh",
             path, key, there, here);
    FAIL(USAGE,
         "--restart %s: the %s was %s in the checkpoint's run and is %s now: that is another "
         "problem",
         path, key, there, here);
}

enum err checkpoint_compare(const char *theirs, const char *ours, const char *path)
{
    const char *const both[] = {ours, theirs};            /* finds what only one of them has */
    TRY(compare_values(theirs, ours, "precision", path)); /* kappa, for one, follows from it */
    for (int k = 0; k < 2; k++)
        for (const char *line = both[k]; *line; line = next_line(line))
            TRY(compare_values(theirs, ours, line, path));
    return ERR_OK;
}
