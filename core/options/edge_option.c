/* Parses and prints the conditions at the domain's edges. */
#include "core/options/edge_option.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const edge_names[EDGES] = {"west", "east", "south", "north"};

/* A word of the option, what it takes, and its meaning. */
struct kind {
    const char *name, *usage;
    int kind;         /* enum boundary */
    int total;        /* see struct boundary_choice */
    const char *unit; /* NULL: it takes no number */
};

static const struct kind kinds[] = {
    {"wall", "wall", WALL, 0, NULL},
    {"open", "open", OPEN, 0, NULL},
    {"periodic", "periodic[:STEP]", PERIODIC, 0, NULL},
    {"discharge", "discharge:Q", DISCHARGE, 0, "m2/s, positive into the domain"},
    {"inflow", "inflow:Q", DISCHARGE, 1, "m3/s in total, positive into the domain"},
    {"depth", "depth:H", DEPTH, 0, "metres"},
    {"level", "level:W", LEVEL, 0, "metres"},
    {"wave", "wave:E", WAVE, 0, "metres above still water; 0 lets waves out"},
    {"sand", "sand:QS[,mud:QM]", SUPPLY, 0, "m2/s that come in, 0 or more"},
    {"mud", "mud:QM[,sand:QS]", SUPPLY, 0, "m2/s that come in, 0 or more"},
    {"sediment", "sediment:Q", LOSS, 0, "m2/s of both together, below 0 because it leaves"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A name, its kind and its segment must fit into a value. */
enum { LONGEST_NAME = FILE_LENGTH - 128 };

/* The parts of a value; `length` bytes of the name of the kind, then its number or file, which
 * follows a colon, then the segment. NULL: absent. */
struct parts {
    size_t kind;
    const char *value, *segment, *tracer, *other; /* `other`: of the second sediment */
    const char *second;                           /* its name */
    size_t value_length, tracer_length, other_length;
};

/* The text after `mark` at the end of a value. */
static void cut_off(struct parts *p, const char *mark, const char **what, size_t *length)
{
    const size_t n = strlen(mark);
    for (size_t k = p->value_length; k-- > 0 && !*what;)
        if (strncmp(p->value + k, mark, n) == 0) {
            *what = p->value + k + n;
            *length = p->value_length - k - n;
            p->value_length = k;
        }
}

/* An @ begins a segment only if what follows consists of the characters of numbers, even misspelt
 * ones, because file names may contain @. For kinds that take no file it always does. */
static struct parts split_edge(const char *text)
{
    struct parts p = {.kind = strcspn(text, ":@")};
    const char *at = strrchr(text, '@');
    if (text[p.kind] == '@' || (at && at[1 + strspn(at + 1, "0123456789+-.,:;eE \t")] == '\0'))
        p.segment = (text[p.kind] == '@' ? text + p.kind : at) + 1;
    if (text[p.kind] == ':') {
        p.value = text + p.kind + 1;
        p.value_length = p.segment ? (size_t)(p.segment - 1 - p.value) : strlen(p.value);
        cut_off(&p, ",c=", &p.tracer, &p.tracer_length);
        cut_off(&p, ",mud:", &p.other, &p.other_length);
        p.second = p.other ? "mud" : "sand";
        cut_off(&p, ",sand:", &p.other, &p.other_length);
    }
    return p;
}

static int is_number(const char *text, size_t n, double *x)
{
    char copy[64], *end;
    if (n >= sizeof copy || n == 0 || isspace((unsigned char)*text))
        return 0;
    memcpy(copy, text, n);
    copy[n] = '\0';
    *x = strtod(copy, &end);
    return *end == '\0';
}

static int file_of(const char *text, int k, size_t *begin, size_t *length)
{
    const struct parts p = split_edge(text);
    const char *const name = k == 0 ? p.value : p.other;
    const size_t n = k == 0 ? p.value_length : p.other_length;
    double x;
    if (!name || n == 0 || is_number(name, n, &x))
        return 0;
    *begin = (size_t)(name - text);
    *length = n;
    return 1;
}

static enum err find_kind(const char *text, size_t n, const struct kind **found)
{
    struct catalog known = {0};
    char typed[NAME_LENGTH];
    for (int k = 0; k < KINDS; k++) {
        if (strlen(kinds[k].name) == n && strncmp(kinds[k].name, text, n) == 0) {
            *found = &kinds[k];
            return ERR_OK;
        }
        catalog_add(&known, kinds[k].usage);
    }
    snprintf(typed, sizeof typed, "%s", text);
    return catalog_unknown(&known, "value", typed, NULL);
}

static enum err parse_segment(const char *text, struct boundary_choice *b)
{
    const char *dots = strstr(text, "..");
    if (!dots || !is_number(text, (size_t)(dots - text), &b->from) ||
        !is_number(dots + 2, strlen(dots + 2), &b->to))
        FAIL(USAGE,
             "expected a segment @FROM..TO, in metres along the edge, such as @100..250, got '@%s'",
             text);
    if (!isfinite(b->from) || !isfinite(b->to) || !(b->from < b->to))
        FAIL(USAGE, "'@%s': a segment runs from a coordinate up to a higher one, in metres", text);
    return ERR_OK;
}

/* A segment is of all numbers of an edge: it follows the last, not the first. */
static enum err check_place_of_segment(const char *text, const struct parts *p)
{
    if (!p->other && !p->tracer)
        return ERR_OK;
    const char *const end = p->value + p->value_length;
    for (const char *at = p->value; (at = memchr(at, '@', (size_t)(end - at))); at++) {
        const char *const dots = strstr(at, "..");
        double x;
        if (dots && dots + 2 < end && is_number(at + 1, (size_t)(dots - at - 1), &x) &&
            is_number(dots + 2, (size_t)(end - dots - 2), &x))
            FAIL(USAGE, "'%s': expected one segment, at the end: %.*s%.*s@%.*s", text,
                 (int)(at - text), text,
                 (int)(p->segment ? p->segment - 1 - end : (ptrdiff_t)strlen(end)), end,
                 (int)(end - at - 1), at + 1);
    }
    return ERR_OK;
}

/* The names of a choice's series and their lengths; null: it has none. */
struct names {
    const char *file, *mud;
    size_t file_length, mud_length;
};

static enum err add_name(struct boundary_choices *all, const char *file, size_t n, int *at)
{
    const size_t used = (size_t)all->files_used;
    *at = -1;
    if (!file)
        return ERR_OK;
    if (used + n + 1 > sizeof all->files)
        FAIL(USAGE, "the names of the edges' files have more than %zu characters in total",
             sizeof all->files - 1);
    *at = all->files_used;
    memcpy(all->files + used, file, n);
    all->files_used += (int)n + 1;
    return ERR_OK;
}

static enum err add_edge(struct boundary_choices *all, struct boundary_choice b,
                         const struct names *names)
{
    if (all->count == EDGE_CHOICES)
        FAIL(USAGE, "expected at most %d edges and segments", EDGE_CHOICES);
    TRY(add_name(all, names->file, names->file_length, &b.file));
    TRY(add_name(all, names->mud, names->mud_length, &b.mud_file));
    all->of[all->count++] = b;
    return ERR_OK;
}

/* Packs the choices in the order of the edges, without those of one edge (-1: keep all), and drops
 * unused names. */
static void arrange_edges(struct config *c, int dropped)
{
    const struct boundary_choices old = c->boundary;
    memset(&c->boundary, 0, sizeof c->boundary);
    for (int e = 0; e < EDGES; e++)
        for (int k = 0; k < old.count; k++) {
            const struct boundary_choice *const b = &old.of[k];
            struct names n = {b->file < 0 ? NULL : old.files + b->file,
                              b->mud_file < 0 ? NULL : old.files + b->mud_file, 0, 0};
            n.file_length = n.file ? strlen(n.file) : 0;
            n.mud_length = n.mud ? strlen(n.mud) : 0;
            if (b->edge == e && e != dropped) /* they fitted before */
                (void)add_edge(&c->boundary, *b, &n);
        }
}

static enum err check_name(const char *name, size_t n)
{
    if (n > LONGEST_NAME)
        FAIL(USAGE, "the name of a file may have at most %d characters", LONGEST_NAME);
    return option_check_path(name, n);
}

/* Where sediment leaves, the state decides how much of each does. */
static enum err check_flux(const char *text, int kind, double x)
{
    if (kind == SUPPLY && x < 0)
        FAIL(USAGE,
             "'%s': expected a number from 0 on: a flux of one sediment alone cannot leave, "
             "because it may drain a cell of it; give what leaves of both together, sediment:%g",
             text, x);
    if (kind == LOSS && x > 0)
        FAIL(USAGE,
             "'%s': expected a flux below 0, because sediment leaves here; give what comes in of "
             "each, sand:Q,mud:Q",
             text);
    return ERR_OK;
}

/* The second sediment's flux: a number, or the name of a file, which stays in `p`. */
static enum err parse_other(const char *text, struct parts *p, double *x)
{
    if (!p->other)
        return ERR_OK;
    if (p->other_length == 0)
        FAIL(USAGE,
             "'%s': expected a number, or the name of a file with a series, for each sediment",
             text);
    if (!is_number(p->other, p->other_length, x))
        return check_name(p->other, p->other_length);
    p->other = NULL;
    if (!isfinite(*x))
        FAIL(USAGE, "'%s': that is not a finite number", text);
    return check_flux(text, SUPPLY, *x);
}

/* How much higher the first unknown is at the other edge. */
static enum err parse_step(const char *text, struct parts *p, double *step)
{
    if (!is_number(p->value, p->value_length, step) || !isfinite(*step))
        FAIL(USAGE,
             "'%s': after periodic: expected how much higher h is at the other edge, in metres",
             text);
    p->value = NULL;
    return ERR_OK;
}

/* A number, or else the name of a file, which stays in `p`. */
static enum err parse_value(const struct kind *kind, const char *text, struct parts *p,
                            struct boundary_choice *b)
{
    if (kind->kind == PERIODIC && p->value)
        return parse_step(text, p, &b->value);
    if (!kind->unit && p->value)
        FAIL(USAGE, "'%s': an edge that is '%s' takes no number", text, kind->name);
    if (!kind->unit)
        return ERR_OK;
    if (p->tracer &&
        (!is_number(p->tracer, p->tracer_length, &b->c) || !(b->c >= 0) || isinf(b->c)))
        FAIL(USAGE, "'%s': after ,c= expected the inflow's concentration, a number from 0 on",
             text);
    if (!p->value || p->value_length == 0)
        FAIL(USAGE, "'%s': expected a number, or the name of a file with a series: %s, %s", text,
             kind->usage, kind->unit);
    if (p->other && b->kind != SUPPLY)
        FAIL(USAGE, "'%s': %s takes one number: %s", text, kind->name, kind->usage);
    if (p->other && strcmp(kind->name, p->second) == 0)
        FAIL(USAGE, "'%s' gives %s twice: expected sand:Q,mud:Q", text, kind->name);
    TRY(parse_other(text, p, &b->mud));
    if (!is_number(p->value, p->value_length, &b->value))
        return check_name(p->value, p->value_length);
    p->value = NULL;
    if (!isfinite(b->value))
        FAIL(USAGE, "'%s': that is not a finite number", text);
    TRY(check_flux(text, b->kind, b->value));
    if (b->kind == DEPTH && !(b->value > 0))
        FAIL(USAGE, "'%s': the depth must be above 0", text);
    return ERR_OK;
}

static void reset_edge(const struct option *o, void *settings)
{
    arrange_edges(settings, o->edge);
}

static enum err set_edge(const struct option *o, void *settings, const char *text)
{
    struct config *c = settings;
    struct parts p = split_edge(text);
    const struct kind *kind;
    TRY(find_kind(text, p.kind, &kind));
    struct boundary_choice b = {.edge = o->edge,
                                .kind = kind->kind,
                                .total = kind->total,
                                .file = -1,
                                .mud_file = -1,
                                .from = (double)NAN,
                                .to = (double)NAN};
    TRY(check_place_of_segment(text, &p));
    if (p.segment)
        TRY(parse_segment(p.segment, &b));
    TRY(parse_value(kind, text, &p, &b));
    if (p.segment && b.kind == PERIODIC)
        FAIL(USAGE, "'%s': periodic applies to a whole edge, not to a segment", text);
    struct names names = {p.value, p.other, p.value_length, p.other_length};
    if (strcmp(kind->name, "mud") == 0) { /* sand comes first, in whichever order they were typed */
        const double sand = b.mud;
        names = (struct names){p.other, p.value, p.other_length, p.value_length};
        b.mud = b.value;
        b.value = sand;
    }
    arrange_edges(c, p.segment ? -1 : o->edge);
    TRY(add_edge(&c->boundary, b, &names));
    arrange_edges(c, -1);
    return ERR_OK;
}

void edge_option_print(const struct config *c, const struct boundary_choice *b, char *text,
                       size_t n)
{
    char number[64], from[64], to[64];
    const struct kind *kind = kinds;
    while (kind->kind != b->kind || kind->total != b->total)
        kind++;
    const char *value = "";
    const int steps = b->kind == PERIODIC && (b->value < 0 || b->value > 0);
    if (kind->unit && b->file >= 0) {
        value = c->boundary.files + b->file;
    } else if (kind->unit || steps) {
        option_format_real(b->value, number, sizeof number);
        value = number;
    }
    size_t used =
        (size_t)snprintf(text, n, "%s%s%s", kind->name, kind->unit || steps ? ":" : "", value);
    if (b->kind == SUPPLY && used < n) {
        option_format_real(b->mud, number, sizeof number);
        used += (size_t)snprintf(text + used, n - used, ",mud:%s",
                                 b->mud_file >= 0 ? c->boundary.files + b->mud_file : number);
    }
    if (b->c > 0 && used < n) {
        option_format_real(b->c, from, sizeof from);
        used += (size_t)snprintf(text + used, n - used, ",c=%s", from);
    }
    if (isnan(b->from) || used >= n)
        return;
    option_format_real(b->from, from, sizeof from);
    option_format_real(b->to, to, sizeof to);
    snprintf(text + used, n - used, "@%s..%s", from, to);
}

static int format_edge(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    const struct config *c = settings;
    for (int n = 0; n < c->boundary.count; n++)
        if (c->boundary.of[n].edge == o->edge && k-- == 0) {
            edge_option_print(c, &c->boundary.of[n], text, FILE_LENGTH);
            return 1;
        }
    return 0;
}

const struct option_type option_edge = {
    .reset = reset_edge, .set = set_edge, .format = format_edge, .file = file_of, .repeats = 1};
