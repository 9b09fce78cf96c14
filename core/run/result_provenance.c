/* The origin of a result: the attributes that let another person reproduce it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/problem/initial_state.h"
#include "core/compile/recipe.h"
#include "core/run/result_parts.h"
#include "core/sim/alternation.h"
#include "core/base/version.h"

/* The reference of levels, and how the bed is rounded where it is. */
static enum err describe_levels(struct ncwriter *w, const struct initial *in)
{
    const struct attribute list[] = {
        {"datum", ATTRIBUTE_DOUBLE, .number = in->datum},
        {"still_level", ATTRIBUTE_DOUBLE, .number = in->datum + in->still},
        {"bed_rounding", ATTRIBUTE_DOUBLE, .number = in->quantum},
    };
    return ncwrite_attributes(w, list, in->quantum > 0 ? 3 : 2);
}

static enum err describe_edges(struct ncwriter *w, const struct setup *setup)
{
    static const char *const names[EDGES] = {"bc_west", "bc_east", "bc_south", "bc_north"};
    for (int e = 0; e < EDGES; e++) {
        char *text = NULL;
        TRY(edges_describe(setup, (enum edge)e, &text));
        const struct attribute edge = {names[e], ATTRIBUTE_TEXT, .text = text};
        const enum err failed = ncwrite_attributes(w, &edge, 1);
        free(text);
        TRY(failed);
    }
    return ERR_OK;
}

/* A number, or the identity of a field. Nothing if neither was given. */
static enum err describe_field(struct ncwriter *w, const char *name, const struct field_choice *f,
                               const char *unit, const char *hash)
{
    char text[FILE_LENGTH + 64];
    if (isnan(f->number) && !*f->file)
        return ERR_OK;
    if (isnan(f->number))
        snprintf(text, sizeof text, "%s (hash %s)", f->file, hash);
    else
        snprintf(text, sizeof text, "%.17g%s%s", f->number, *unit ? " " : "", unit);
    const struct attribute field = {name, ATTRIBUTE_TEXT, .text = text};
    return ncwrite_attributes(w, &field, 1);
}

static enum err describe_springs(struct ncwriter *w, const struct problem *p)
{
    char *text = NULL;
    if (!p->setup.springs)
        return ERR_OK;
    TRY(springs_describe(&p->springs, &p->config, &text));
    const struct attribute sources = {"water_sources", ATTRIBUTE_TEXT, .text = text};
    const enum err e = ncwrite_attributes(w, &sources, 1);
    free(text);
    return e;
}

static enum err describe_water(struct ncwriter *w, const struct problem *p)
{
    const struct config *c = &p->config;
    TRY(describe_field(w, "rain", &c->rain, "mm/h", p->rain.hash));
    TRY(describe_field(w, "infiltration", &c->infiltration, "mm/h", p->soil.hash));
    TRY(describe_field(w, "suction", &c->suction, "mm", p->soil.hash));
    TRY(describe_springs(w, p));
    return describe_field(w, "deficit", &c->deficit, "", p->soil.hash);
}

enum err result_describe(struct ncwriter *w, struct sim *s, const struct problem *p,
                         const char *command_line)
{
    const struct config *c = s->config;
    const struct device_info *d = s->backend->info(s->device);
    char title[sizeof p->name + 32], source[64], scheme[2 * NAME_LENGTH], kernels[2048] = "",
                                                                          blocks[4096], parts[1024];
    size_t used = 0;
    const struct sim_division division = sim_divided(s);
    shares_print(&division.shares, parts, sizeof parts);
    snprintf(title, sizeof title, "%s, computed by Shoal", p->name);
    snprintf(source, sizeof source, "Shoal %s (commit %s)", shoal_version, shoal_commit);
    for (int k = 0; s->scheme->kernels[k] && used < sizeof kernels; k++) {
        const struct recipe *recipe = &s->kernels[k].recipe;
        used += (size_t)snprintf(kernels + used, sizeof kernels - used, "%s%s %dx%d", k ? ", " : "",
                                 recipe->kernel->name, recipe->block.w, recipe->block.h);
    }
    sim_describe_blocks(s, blocks, sizeof blocks);
    alternation_name(s, scheme, sizeof scheme);
    const struct attribute list[] = {
        {"title", ATTRIBUTE_TEXT, .text = title},
        {"source", ATTRIBUTE_TEXT, .text = source},
        {"history", ATTRIBUTE_TEXT, .text = command_line},
        {"command_line", ATTRIBUTE_TEXT, .text = command_line},
        {"shoal_version", ATTRIBUTE_TEXT, .text = shoal_version},
        {"commit", ATTRIBUTE_TEXT, .text = shoal_commit},
        {"case", ATTRIBUTE_TEXT, .text = p->name},
        {"system", ATTRIBUTE_TEXT, .text = s->system->name},
        {"scheme", ATTRIBUTE_TEXT, .text = scheme},
        {"limiter", ATTRIBUTE_TEXT, .text = c->limiter},
        {"flux", ATTRIBUTE_TEXT, .text = c->flux},
        {"reconstruction", ATTRIBUTE_TEXT, .text = c->reconstruction},
        {"precision", ATTRIBUTE_TEXT, .text = precision_names[c->precision]},
        {"mode", ATTRIBUTE_TEXT, .text = mode_names[c->mode]},
        {"backend", ATTRIBUTE_TEXT, .text = s->backend->name},
        {"device", ATTRIBUTE_TEXT, .text = d->name},
        {"device_target", ATTRIBUTE_TEXT, .text = d->target},
        {"kernel_compiler", ATTRIBUTE_TEXT, .text = d->compiler},
        {"driver", ATTRIBUTE_TEXT, .text = d->driver},
        {"kernels", ATTRIBUTE_TEXT, .text = kernels},
        {"blocks", ATTRIBUTE_TEXT, .text = blocks},
        {"dt_factor", ATTRIBUTE_DOUBLE, .number = c->dt_factor},
        {"parts", ATTRIBUTE_TEXT, .text = parts},
        {"positivity", ATTRIBUTE_TEXT, .text = positivity_names[c->positivity]},
        {"sweep", ATTRIBUTE_TEXT, .text = c->sweep == SWEEP_YX ? "yx" : "xy"},
        {"theta", ATTRIBUTE_DOUBLE, .number = s->physics.theta},
        {"courant_number", ATTRIBUTE_DOUBLE, .number = sim_courant(s)},
        {"gravity", ATTRIBUTE_DOUBLE, .number = s->physics.g},
        {"drag", ATTRIBUTE_DOUBLE, .number = p->setup.drag},
        {"kappa", ATTRIBUTE_DOUBLE, .number = s->initial->kappa},
        {"kappa_rule", ATTRIBUTE_TEXT, .text = s->initial->kappa_rule},
        {"dry_depth", ATTRIBUTE_DOUBLE, .number = s->physics.dry},
        {"manning", ATTRIBUTE_DOUBLE, .number = p->setup.manning}, /* or a variable */
    };
    TRY(describe_levels(w, s->initial));
    TRY(describe_edges(w, &p->setup));
    TRY(describe_water(w, p));
    return ncwrite_attributes(w, list, sizeof list / sizeof *list - (p->input.manning_of ? 1 : 0));
}

enum err result_describe_end(struct result *r, const struct balance *b)
{
    const struct sim *s = r->sim;
    const struct attribute list[] = {
        {"steps", ATTRIBUTE_INT, .integer = (long)s->now.steps},
        {"redone_steps", ATTRIBUTE_INT, .integer = (long)s->now.redone},
        {"early_exit_steps", ATTRIBUTE_INT, .integer = (long)s->now.early_exits},
        {"graphs", ATTRIBUTE_TEXT, .text = s->graph ? "on" : "off"},
        {"dt_min", ATTRIBUTE_DOUBLE, .number = s->now.dt_min},
        {"dt_max", ATTRIBUTE_DOUBLE, .number = s->now.dt_max},
        {"volume_initial", ATTRIBUTE_DOUBLE, .number = s->total0[0]},
        {"volume_final", ATTRIBUTE_DOUBLE, .number = b->volume},
        {"volume_inflow", ATTRIBUTE_DOUBLE, .number = b->inflow},
        {"volume_in", ATTRIBUTE_DOUBLE, .number = sim_came_in(b)},
        {"volume_out", ATTRIBUTE_DOUBLE, .number = sim_went_out(b)},
        {"mass_error", ATTRIBUTE_DOUBLE, .number = sim_mass_error(s, b)},
        {"mass_error_is", ATTRIBUTE_TEXT,
         .text = "(volume_final - volume_initial - volume_inflow) / (volume_initial + volume_in)"},
        {"volume_clipped_in", ATTRIBUTE_DOUBLE, .number = b->clipped_in},
    };
    return ncwrite_attributes(r->writer, list, sizeof list / sizeof *list);
}
