/* Every member of every table that a run relies on. */
#include "core/registry/table_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/paths.h"
#include "core/registry/registry.h"

/* What the folders and files of the lists' entries are called: make_registry writes these, too. */
extern const char *const system_files[], *const scheme_folders[], *const kernel_files[];

/* Where a table stands: the file, and what the line has that it begins with. */
struct table {
    char file[PATH_LENGTH], begins[128];
};

static int has_member(const char *line, const char *member)
{
    const size_t n = strlen(member);
    for (const char *at = strstr(line, member); at; at = strstr(at + 1, member))
        if (at > line && at[-1] == '.' && (at[n] == ' ' || at[n] == '=' || at[n] == '['))
            return 1;
    return 0;
}

/* The line of the member's initialiser; where the table has none, `written` is 0 and it is the line
 * that the table begins with. 0 if the file tells nothing, as where it was edited since. */
static int line_of(const struct table *t, const char *member, int *written)
{
    char path[PATH_LENGTH], text[1024];
    int line = 0, begins = 0;
    *written = 0;
    FILE *f = paths_file(t->file, path) ? NULL : fopen(path, "r");
    while (f && !*written && fgets(text, sizeof text, f)) {
        line++;
        if (begins && *text == '}')
            break;
        if (!begins && strstr(text, t->begins))
            begins = line;
        *written = begins && has_member(text, member);
    }
    if (f)
        fclose(f);
    return *written ? line : begins;
}

/* "schemes/rk3/rk3.c:33: .cfl is missing: `remedy`"; `what` in the place of "is missing" where the
 * member is written. */
__attribute__((format(printf, 4, 5))) static enum err
wrong(const struct table *t, const char *member, const char *what, const char *remedy, ...)
{
    char text[512], place[16] = "";
    int written;
    const int line = line_of(t, member, &written);
    va_list ap;
    va_start(ap, remedy);
    vsnprintf(text, sizeof text, remedy, ap);
    va_end(ap);
    if (line)
        snprintf(place, sizeof place, ":%d", line);
    FAIL(INPUT, "%s%s: .%s %s: %s", t->file, place, member, written ? what : "is missing", text);
}

static enum err check_text(const struct table *t, const char *member, const char *text)
{
    if (!text || !*text)
        return wrong(t, member, "is empty", "write one line in quotes, .%s = \"...\"", member);
    if (strchr(text, '\n'))
        return wrong(t, member, "has several lines", "write one line");
    return ERR_OK;
}

static enum err check_count(const struct table *t, const char *member, int value, int least,
                            int most, const char *meaning)
{
    char what[64];
    snprintf(what, sizeof what, "is %d", value);
    if (value < least || value > most)
        return wrong(t, member, what, "give %s, from %d to %d", meaning, least, most);
    return ERR_OK;
}

/* The kernel whose name was probably meant, in words; "" if none is near. */
static void suggest(const char *name, char *text, size_t n)
{
    const char *names[512];
    int count = 0;
    for (const struct kernel *const *table = kernel_tables; *table; table++)
        for (const struct kernel *k = *table; k->name && count < 512; k++)
            names[count++] = k->name;
    const char *nearest = nearest_name(name, names, count);
    snprintf(text, n, "%s%s%s", nearest ? "did you mean " : "", nearest ? nearest : "",
             nearest ? "? " : "");
}

static enum err check_launched(const struct table *t, const char *member, const char *name)
{
    char what[128], meant[128];
    if (find_kernel(name))
        return ERR_OK;
    snprintf(what, sizeof what, "names the kernel %.60s, which does not exist", name);
    suggest(name, meant, sizeof meant);
    return wrong(t, member, what,
                 "%s`shoal list kernels` has all, and a table in kernels/ adds one", meant);
}

static enum err check_kernel_list(const struct table *t, const struct scheme *s)
{
    int n = 0;
    if (!s->kernels || !s->kernels[0])
        return wrong(t, "kernels", "is empty",
                     "write .kernels = kernels, a list of the names of what the scheme launches, "
                     "with NULL behind the last");
    for (; n <= SCHEME_KERNELS && s->kernels[n]; n++)
        TRY(check_launched(t, "kernels", s->kernels[n]));
    if (n > SCHEME_KERNELS)
        return wrong(t, "kernels", "is too long", "a scheme launches %d kernels at most",
                     SCHEME_KERNELS);
    if (s->clock)
        TRY(check_launched(t, "clock", s->clock));
    return check_count(
        t, "on_demand", s->on_demand, 0, n - 1,
        "the index of the first kernel that is compiled when first wanted, 0 for none");
}

/* Names are what options choose by; they are told apart by folders and files. */
static enum err check_name(const struct table *t, const char *name, const char *wanted)
{
    char what[128];
    snprintf(what, sizeof what, "is \"%.80s\"", name ? name : "");
    if (!name || strcmp(name, wanted) != 0)
        return wrong(t, "name", what, "it is that of the folder or file, .name = \"%s\"", wanted);
    return ERR_OK;
}

static enum err check_system(const struct table *t, const char *name)
{
    char what[128], all[256] = "";
    size_t used = 0;
    if (name && find_system(name))
        return ERR_OK;
    for (int k = 0; systems[k] && used < sizeof all; k++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "",
                                 systems[k]->name);
    snprintf(what, sizeof what, "is \"%.80s\"", name ? name : "");
    return wrong(t, "system", what, "name the equations that it solves: %s", all);
}

enum err registry_check_scheme(const struct scheme *s, const char *folder)
{
    struct table t;
    char what[64];
    snprintf(t.file, sizeof t.file, "schemes/%s/%s.c", folder, folder);
    snprintf(t.begins, sizeof t.begins, "struct scheme scheme_%s = ", folder);
    TRY(check_name(&t, s->name, folder));
    snprintf(what, sizeof what, "is %g", s->cfl);
    TRY(check_text(&t, "title", s->title));
    TRY(check_text(&t, "cite", s->cite));
    TRY(check_system(&t, s->system));
    TRY(check_count(&t, "order_space", s->order_space, 1, 9, "the order of accuracy it claims"));
    TRY(check_count(&t, "order_time", s->order_time, 1, 9, "the order of accuracy it claims"));
    TRY(check_count(&t, "ghost", s->ghost, 1, GHOSTS,
                    "how many ghost cells its stencil reads on each side"));
    if (!(s->cfl > 0 && s->cfl <= 1))
        return wrong(&t, "cfl", what,
                     "give the largest Courant number it claims to be stable at, over 0 and up to "
                     "1; that of rk2 is 0.25");
    snprintf(what, sizeof what, "is %g", s->usual_cfl);
    if (!(s->usual_cfl >= 0 && s->usual_cfl <= s->cfl))
        return wrong(&t, "usual_cfl", what,
                     "a run without --cfl takes it: give one up to .cfl, or leave it out for 0.25");
    TRY(check_count(&t, "stages", s->stages, 0, STATES - 1, "how many states it keeps besides Q"));
    TRY(check_count(&t, "rates", s->rates, 0, RATES, "how many rates of change it keeps"));
    TRY(check_count(&t, "steps", s->steps, 1, 2, "how many steps one call of step() makes"));
    TRY(check_count(&t, "fills", s->fills, 0, MOST_FILLS,
                    "how often one call of step() fills ghost cells, or leave it out"));
    if (!s->step)
        return wrong(&t, "step", "is NULL",
                     "write .step = step, the function that enqueues one pass");
    return check_kernel_list(&t, s);
}

static enum err check_block(const struct table *t, const struct kernel *k, enum backend_kind b)
{
    static const char *const names[] = {[CPU] = "CPU", [CUDA] = "CUDA"};
    char what[96];
    snprintf(what, sizeof what, "is %dx%d for %s", k->block[b].w, k->block[b].h, names[b]);
    if (k->block[b].w < 1 || k->block[b].h < 1)
        return wrong(
            t, "block", what,
            "give a default block for both, .block = {[CPU] = {256, 8}, [CUDA] = {32, 8}}");
    if (b == CUDA && block_threads(k, k->block[b]) > 1024)
        return wrong(t, "block", what, "a block on a GPU has 1024 threads at most");
    return ERR_OK;
}

enum err registry_check_kernel(const struct kernel *k, const char *file)
{
    struct table t;
    snprintf(t.file, sizeof t.file, "kernels/%s.c", file);
    snprintf(t.begins, sizeof t.begins, "\"%s\"", k->name);
    if (!k->stem || strncmp(k->name, k->stem, strlen(k->stem)) != 0)
        return wrong(&t, "stem", "does not begin the name",
                     "give what the names of all its variants begin with; for %s alone, \"%s\"",
                     k->name, k->name);
    TRY(check_text(&t, "file", k->file));
    TRY(check_block(&t, k, CPU));
    TRY(check_block(&t, k, CUDA));
    const struct kernel *first = find_kernel(k->name);
    if (first && first != k && find_kernel(k->name)->file)
        return wrong(&t, "name", "is taken", "kernels/%s has a kernel %s, too: rename one",
                     first->file, k->name);
    return ERR_OK;
}

/* A checkpoint has every unknown to the bit, under its own name. */
static int is_shown(const struct system *s, int unknown)
{
    for (int k = 0; k < s->variables; k++)
        if (s->variable[k].of == unknown && s->variable[k].as == AS_STORED &&
            strcmp(s->variable[k].name, s->unknown[unknown].name) == 0)
            return 1;
    return 0;
}

static enum err check_unknown(const struct table *t, const struct system *s, int k)
{
    const struct unknown *u = &s->unknown[k];
    char what[128];
    snprintf(what, sizeof what, "has number %d", k);
    if (!u->name || !*u->name)
        return wrong(t, "unknown", what, "without a name: write .name, as of the others");
    snprintf(what, sizeof what, "has %s", u->name);
    if (abs(u->mirror_x) != 1 || abs(u->mirror_y) != 1)
        return wrong(t, "unknown", what,
                     "with no sign in a mirror: give .mirror_x and .mirror_y, 1 or -1");
    if (u->exchanged < 0 || u->exchanged >= s->unknowns || s->unknown[u->exchanged].exchanged != k)
        return wrong(t, "unknown", what,
                     "which exchanging x and y twice does not give back: correct .exchanged");
    if (!is_shown(s, k))
        return wrong(t, "variable", "lacks an unknown",
                     "add %s as it is stored, by that name: a checkpoint must have it", u->name);
    return ERR_OK;
}

static enum err check_variable(const struct table *t, const struct system *s, int k)
{
    const struct system_variable *v = &s->variable[k];
    char what[128];
    snprintf(what, sizeof what, "has %.60s", v->name ? v->name : "one without a name");
    if (!v->name || !v->title || !v->units)
        return wrong(t, "variable", what, "give each a .name, a .title and .units");
    if (v->of < 0 || v->of >= s->unknowns)
        return wrong(t, "variable", what, ".of is the number of an unknown, 0 to %d",
                     s->unknowns - 1);
    return ERR_OK;
}

/* Fields, kernels and files of the one are the other's. */
static enum err check_extended(const struct table *t, const struct system *s)
{
    const struct system *base = s->extends ? find_system(s->extends) : NULL;
    char what[128];
    if (!s->extends)
        return ERR_OK;
    snprintf(what, sizeof what, "is \"%.80s\"", s->extends);
    if (!base)
        return wrong(t, "extends", what, "name a system of kernels/systems");
    for (int k = 0; k < base->unknowns; k++)
        if (strcmp(base->unknown[k].name, s->unknown[k].name ? s->unknown[k].name : "") != 0)
            return wrong(t, "extends", what, "its unknowns come first: number %d is %s", k,
                         base->unknown[k].name);
    for (int k = 0; k < base->variables; k++)
        if (strcmp(base->variable[k].name, s->variable[k].name ? s->variable[k].name : "") != 0)
            return wrong(t, "extends", what, "its variables come first: number %d is %s", k,
                         base->variable[k].name);
    return ERR_OK;
}

/* A scheme of its own or one of what it extends. */
static enum err check_usual_scheme(const struct table *t, const struct system *s)
{
    char what[128];
    const struct scheme *usual = s->scheme ? find_scheme(s->scheme) : NULL;
    snprintf(what, sizeof what, "is \"%.80s\"", s->scheme ? s->scheme : "");
    if (!usual || !scheme_solves(usual, s))
        return wrong(t, "scheme", what,
                     "name one of schemes/ that solves it: its .system or .also is %s", s->name);
    return ERR_OK;
}

static enum err check_conserved(const struct table *t, const struct system *s, int k)
{
    const struct conserved *q = &s->conserved[k];
    char what[128];
    snprintf(what, sizeof what, "has %.60s", q->name ? q->name : "one without a name");
    if (!q->name || !q->title || !q->units)
        return wrong(t, "conserved", what, "give each a .name, a title and .units");
    if (q->booked < 0 || q->booked > s->constants)
        return wrong(t, "conserved", what,
                     ".booked is the number of a constant and 1, 0 for none: 0 to %d",
                     s->constants);
    if (q->times < 0 || q->times >= s->unknowns)
        return wrong(t, "conserved", what, ".times is the number of an unknown, 0 to %d",
                     s->unknowns - 1);
    return ERR_OK;
}

enum err registry_check_system(const struct system *s, const char *file)
{
    struct table t;
    snprintf(t.file, sizeof t.file, "kernels/systems/%s.c", file);
    snprintf(t.begins, sizeof t.begins, "struct system system_%s = ", file);
    TRY(check_name(&t, s->name, file));
    TRY(check_text(&t, "title", s->title));
    TRY(check_text(&t, "cite", s->cite));
    TRY(check_count(&t, "unknowns", s->unknowns, 1, UNKNOWNS, "how many unknowns there are"));
    TRY(check_count(&t, "variables", s->variables, 1, SYSTEM_VARIABLES,
                    "how many variables users see"));
    for (int k = 0; k < s->variables; k++)
        TRY(check_variable(&t, s, k));
    for (int k = 0; k < s->unknowns; k++)
        TRY(check_unknown(&t, s, k));
    TRY(check_extended(&t, s));
    TRY(check_count(&t, "conserveds", s->conserveds, 0, CONSERVED,
                    "how many quantities are conserved"));
    for (int k = 0; k < s->conserveds; k++)
        TRY(check_conserved(&t, s, k));
    TRY(check_count(&t, "givens", s->givens, 0, GIVEN_FIELDS, "how many fields a run is given"));
    TRY(check_count(&t, "constants", s->constants, 0, CONSTANTS,
                    "how many numbers a run is given"));
    TRY(check_count(&t, "carried", s->carried, 0, s->unknowns - 1,
                    "the number of the unknown that the water carries, 0 for none"));
    return check_usual_scheme(&t, s);
}

static int is_of_water(const struct flow_case *c)
{
    return !c->system || !find_system(c->system) || find_system(c->system)->over_bed;
}

static enum err check_extent(const struct table *t, const struct flow_case *c)
{
    static const char *const members[] = {"lx", "ly", "t_end", "gravity"};
    static const char *const meanings[] = {"the extent in x, m", "the extent in y, m",
                                           "when it ends, s", "9.81, m/s2"};
    const double values[] = {c->lx, c->ly, c->t_end, c->gravity};
    char what[64];
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        snprintf(what, sizeof what, "is %g", values[k]);
        if (!(values[k] > 0) && (&values[k] != &values[3] || is_of_water(c)))
            return wrong(t, members[k], what, "give %s", meanings[k]);
    }
    return ERR_OK;
}

static struct table table_of_case(const char *file)
{
    struct table t;
    snprintf(t.file, sizeof t.file, "verification/cases/%s.c", file);
    snprintf(t.begins, sizeof t.begins, "struct flow_case case_%s = ", file);
    for (char *hyphen = t.begins; (hyphen = strchr(hyphen, '-'));)
        *hyphen = '_';
    return t;
}

enum err registry_wrong_case(const char *file, const char *member, const char *what,
                             const char *remedy)
{
    const struct table t = table_of_case(file);
    return wrong(&t, member, what, "%s", remedy);
}

enum err registry_check_case(const struct flow_case *c, const char *file)
{
    const struct table t = table_of_case(file);
    TRY(check_name(&t, c->name, file));
    TRY(check_text(&t, "title", c->title));
    TRY(check_text(&t, "cite", c->cite));
    TRY(check_count(&t, "nx", c->nx, 1, 1 << 20, "the usual number of cells in x"));
    TRY(check_count(&t, "ny", c->ny, 1, 1 << 20,
                    "the usual number of cells in y, 1 for a channel"));
    TRY(check_extent(&t, c));
    for (int e = 0; e < EDGES; e += 2)
        if ((c->boundary[e] == PERIODIC) != (c->boundary[e + 1] == PERIODIC))
            return wrong(&t, "boundary",
                         e == WEST ? "is PERIODIC in the west or east only"
                                   : "is PERIODIC in the south or north only",
                         "opposite edges are both PERIODIC, or neither; they stand in the order "
                         "west, east, south, north");
    if (!is_of_water(c) && find_system(c->system)->givens > 0 && !c->given)
        return wrong(&t, "given", "is NULL",
                     "write .given = given, each field that the system is given, at a point");
    for (int k = 0; !is_of_water(c) && k < find_system(c->system)->constants; k++)
        if (!(c->constant[k] > 0))
            return wrong(&t, "constant", "has a number that is not above 0",
                         "give all %d of the system, in the order of its table",
                         find_system(c->system)->constants);
    if (!is_of_water(c))
        return c->value ? ERR_OK
                        : wrong(&t, "value", "is NULL",
                                "write .value = value, each unknown at a point at time 0");
    if (!c->bed)
        return wrong(&t, "bed", "is NULL", "write .bed = bed, the level of the bed at a point");
    if (!c->initial && (!c->exact || c->tends))
        return wrong(&t, "initial", "is NULL",
                     "write .initial = initial, the water at a point at time 0");
    return ERR_OK;
}

enum err registry_check(void)
{
    for (int n = 0; kernel_tables[n]; n++)
        for (const struct kernel *k = kernel_tables[n]; k->name; k++)
            TRY(registry_check_kernel(k, kernel_files[n]));
    for (int n = 0; systems[n]; n++)
        TRY(registry_check_system(systems[n], system_files[n]));
    for (int n = 0; schemes[n]; n++)
        TRY(registry_check_scheme(schemes[n], scheme_folders[n]));
    for (int n = 0; cases[n]; n++)
        TRY(registry_check_case(cases[n], case_files[n]));
    return ERR_OK;
}
