/* Finds the requested variable, or those from which it is computed, and its appearance. */
#include "plots/render/shown.h"

#include <stdio.h>
#include <string.h>

#include "core/registry/registry.h"

struct known {
    const char *name, *alias; /* of a variable, or of what is computed */
    enum shown_kind kind;
    const char *label, *units; /* NULL: the file's */
    enum colour_map map;
    int from_zero, peaks;
};

/* The default is the first of these that a file has. */
static const struct known known[] = {
    {"depth", "h", SHOW_DEPTH, "water depth", "m", MAP_DEPTH, 1, 0},
    {"h_max", "h_max", SHOW_PLAIN, "largest depth", "m", MAP_DEPTH, 1, 0},
    {"speed", "speed", SHOW_SPEED, "speed", "m/s", MAP_SPEED, 1, 1},
    {"level", "w", SHOW_LEVEL, "water level", "m", MAP_LEVEL, 0, 0},
    {"w_max", "w_max", SHOW_PLAIN, "highest water level", "m", MAP_LEVEL, 0, 0},
    {"speed_max", "speed_max", SHOW_PLAIN, "largest speed", "m/s", MAP_SPEED, 1, 1},
    {"momentum_flux_max", "momentum_flux_max", SHOW_PLAIN, "largest h u²", "m³/s²", MAP_SPEED, 1,
     1},
    {"hazard_max", "hazard_max", SHOW_PLAIN, "largest hazard", "m²/s", MAP_SPEED, 1, 1},
    {"hazard_class", "hazard_class", SHOW_PLAIN, "class of the largest hazard", NULL, MAP_SPEED, 1,
     0},
    {"arrival_time", "arrival_time", SHOW_PLAIN, "arrival of the water", NULL, MAP_TIME, 1, 0},
    {"wet_duration", "wet_duration", SHOW_PLAIN, "time under water", NULL, MAP_DURATION, 1, 0},
    {"hu", "hu", SHOW_PLAIN, "discharge along x", "m²/s", MAP_SIGNED, 0, 1},
    {"hv", "hv", SHOW_PLAIN, "discharge along y", "m²/s", MAP_SIGNED, 0, 1},
    {"bed", "bed", SHOW_PLAIN, "bed level", "m", MAP_LAND, 0, 0},
};
enum { KNOWN = sizeof known / sizeof *known };

/* The variable of the file's system of equations that is the water's level, or its depth; for a
 * file without a known system, that of water. */
static const struct ncvariable *find_seen(const struct ncrecords *r, enum seen_as as,
                                          const char *of_water)
{
    char name[64];
    ncrecords_text(r, "system", name, sizeof name);
    const struct system *system = find_system(name);
    for (int k = 0; system && k < system->variables; k++)
        if (system->variable[k].as == as)
            return ncrecords_find(r, system->variable[k].name);
    return system ? NULL : ncrecords_find(r, of_water);
}

static void find_parts(struct shown *s, const struct ncrecords *r)
{
    s->h = find_seen(r, AS_DEPTH, "h");
    s->w = find_seen(r, AS_LEVEL, "w");
    s->hu = ncrecords_find(r, "hu");
    s->hv = ncrecords_find(r, "hv");
    s->bed = ncrecords_find(r, "bed");
    if (s->bed && s->bed->timed)
        s->bed = NULL;
}

static int has_depth(const struct shown *s)
{
    return s->h || (s->w && s->bed);
}

/* True if the file has it; `s` has its parts then. */
static int is_here(struct shown *s, const struct ncrecords *r, const struct known *k)
{
    switch (k->kind) {
    case SHOW_DEPTH:
        return has_depth(s);
    case SHOW_LEVEL:
        return s->w || (s->h && s->bed);
    case SHOW_SPEED:
        return s->hu && s->hv && has_depth(s);
    case SHOW_PLAIN:
        break;
    }
    s->plain = ncrecords_find(r, k->name);
    return s->plain != NULL;
}

/* "m2 s-1" as people write it: "m²/s". What has another form stays as it is. */
static void write_units(const char *from, char *to, size_t n)
{
    static const struct {
        const char *cf, *written;
    } forms[] = {{"m s-1", "m/s"},    {"m2 s-1", "m²/s"},   {"m3 s-2", "m³/s²"},
                 {"m2 s-2", "m²/s²"}, {"m3 s-1", "m³/s"},   {"1", ""},
                 {"s m-1/3", "s/m⅓"}, {"s m-0.333", "s/m⅓"}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (strcmp(from, forms[k].cf) == 0)
            from = forms[k].written;
    snprintf(to, n, "%s", from);
}

static void take_map(struct shown *s, const struct ncrecords *r, const struct known *k)
{
    s->kind = k->kind;
    s->map = k->map;
    s->from_zero = k->from_zero;
    s->peaks = k->peaks;
    snprintf(s->name, sizeof s->name, "%s", k->name);
    snprintf(s->label, sizeof s->label, "%s", k->label);
    write_units(k->units ? k->units : s->plain ? s->plain->units : "", s->units, sizeof s->units);
    if (s->kind != SHOW_PLAIN) {
        s->timed = (s->h && s->h->timed) || (s->w && s->w->timed);
        return;
    }
    s->timed = s->plain->timed;
    s->wet = s->timed ? NULL : ncrecords_find(r, "h_max");
    if (s->plain == s->bed)
        s->wet = NULL;
}

/* A variable of which only its name is known. */
static void take_other(struct shown *s, const struct ncvariable *v)
{
    *s = (struct shown){.kind = SHOW_PLAIN,
                        .map = MAP_TIME,
                        .timed = v->timed,
                        .plain = v,
                        .h = s->h,
                        .w = s->w,
                        .bed = s->bed};
    snprintf(s->name, sizeof s->name, "%s", v->name);
    snprintf(s->label, sizeof s->label, "%s", *v->title ? v->title : v->name);
    write_units(v->units, s->units, sizeof s->units);
}

static enum err none(struct shown *s, const struct ncrecords *r, const char *name)
{
    char all[2048] = "";
    size_t n = 0;
    for (int k = 0; k < KNOWN; k++)
        if (known[k].kind != SHOW_PLAIN && is_here(s, r, &known[k]))
            n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", n ? ", " : " ", known[k].name);
    for (int k = 0; k < r->variables && n < sizeof all; k++)
        n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", n ? ", " : " ", r->variable[k].name);
    for (int k = 0; k < KNOWN; k++)
        if (known[k].kind != SHOW_PLAIN && strcmp(name, known[k].name) == 0)
            FAIL(USAGE, "%s: %s needs %s: expected one of%s", r->path, name,
                 known[k].kind == SHOW_SPEED   ? "hu, hv, and h or w and bed"
                 : known[k].kind == SHOW_LEVEL ? "w, or h and bed"
                                               : "h, or w and bed",
                 all);
    FAIL(USAGE, "%s: expected one of%s, got '%s'", r->path, all, name);
}

enum err shown_choose(struct shown *s, const struct ncrecords *r, const char *name)
{
    *s = (struct shown){0};
    find_parts(s, r);
    for (int k = 0; k < KNOWN; k++) {
        const int meant = strcmp(name, known[k].name) == 0 || strcmp(name, known[k].alias) == 0;
        if ((meant || !*name) && is_here(s, r, &known[k])) {
            take_map(s, r, &known[k]);
            return ERR_OK;
        }
    }
    const struct ncvariable *v = *name ? ncrecords_find(r, name) : &r->variable[0];
    if (!v)
        return none(s, r, name);
    take_other(s, v);
    return ERR_OK;
}
