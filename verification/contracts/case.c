/* The contract of every case: it is a sound initial value problem at any resolution. */
#include <math.h>
#include <string.h>

#include "core/registry/table_check.h"
#include "verification/contracts/case_view.h"
#include "verification/contracts/contract.h"
#include "verification/contracts/search.h"
#include "verification/run/case_check.h"
#include "verification/run/verify.h"

/* Some even, some odd, and one with one cell across; the case's own comes last. */
static const int sizes[][2] = {{6, 5}, {1, 64}, {33, 47}, {96, 80}, {0, 0}};

/* Describes an error of a view and returns 1, or returns 0. */
typedef int view_check(const struct case_view *v, struct case_fault *f);

static int has_odd_bed(const struct case_view *v, struct case_fault *f)
{
    for (int j = 0; j <= v->ny; j++)
        for (int i = 0; i <= v->nx; i++) {
            const double x = case_corner_x(v, i), y = case_corner_y(v, j), b = v->c->bed(x, y);
            if (!isfinite(b))
                return case_wrong(f, v, x, y, "the bed is %s", short_text(b));
        }
    return 0;
}

static int has_odd_water(const struct case_view *v, struct case_fault *f)
{
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++) {
            const double x = case_centre_x(v, i), y = case_centre_y(v, j);
            const struct flow q = case_start(v->c, x, y);
            if (!isfinite(q.w) || !isfinite(q.u) || !isfinite(q.v))
                return case_wrong(f, v, x, y, "the level is %s m, the velocities %s and %s m/s",
                                  short_text(q.w), short_text(q.u), short_text(q.v));
        }
    return 0;
}

static int has_odd_forcing(const struct case_view *v, struct case_fault *f)
{
    for (int j = 0; v->c->forcing && j < v->ny; j++)
        for (int i = 0; i < v->nx; i++) {
            const double x = case_centre_x(v, i), y = case_centre_y(v, j);
            const struct forcing a = v->c->forcing(x, y);
            if (!isfinite(a.w) || !isfinite(a.hu) || !isfinite(a.hv))
                return case_wrong(f, v, x, y, "the forcing is %s, %s, %s", short_text(a.w),
                                  short_text(a.hu), short_text(a.hv));
        }
    return 0;
}

/* With one cell across, its centre may lie on dry ground; and a few cells may miss a pond. */
static int is_dry(const struct case_view *v, struct case_fault *f)
{
    if (v->nx * v->ny < 400 && v->nx != v->c->nx)
        return 0;
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++)
            if (case_water(v, i, j).w > case_bed_mean(v, i, j))
                return 0;
    return case_wrong(f, v, case_centre_x(v, 0), case_centre_y(v, 0), "no cell has water");
}

/* Highest level among the cells around (i,j) whose centres are wet. */
static double level_around(const struct case_view *v, int i, int j)
{
    double level = -HUGE_VAL;
    for (int n = j - 1; n <= j + 1; n++)
        for (int m = i - 1; m <= i + 1; m++) {
            if (m < 0 || n < 0 || m >= v->nx || n >= v->ny)
                continue;
            const double w = case_water(v, m, n).w;
            const double b = v->c->bed(case_centre_x(v, m), case_centre_y(v, n));
            level = w > b ? fmax(level, w) : level;
        }
    return level;
}

/* A cell's bed is the mean of its corners, which on a bank lies below its centre's. The level given
 * for a dry centre must not fill such a cell above the water beside it. */
static int is_wet_where_dry(const struct case_view *v, struct case_fault *f)
{
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++) {
            const struct flow q = case_water(v, i, j);
            const double x = case_centre_x(v, i), y = case_centre_y(v, j),
                         mean = case_bed_mean(v, i, j);
            if (q.w > v->c->bed(x, y))
                continue;
            if (fabs(q.u) > 0 || fabs(q.v) > 0)
                return case_wrong(f, v, x, y, "a dry point has the velocity (%g, %g)", q.u, q.v);
            if (q.w > mean && q.w > level_around(v, i, j) + 1e-12 * fabs(q.w))
                return case_wrong(f, v, x, y,
                                  "a dry point's level, %g, fills its cell, whose mean bed is %g, "
                                  "above the surrounding water",
                                  q.w, mean);
        }
    return 0;
}

static int is_wet_elsewhere(const struct case_view *v, struct case_fault *f)
{
    const struct flow_case *c = v->c;
    for (int j = 0; c->wet.west < c->wet.east && j < v->ny; j++)
        for (int i = 0; i < v->nx; i++) {
            const double x = case_centre_x(v, i), y = case_centre_y(v, j), bed = c->bed(x, y);
            const struct flow q = case_start(c, x, y);
            const int inside =
                x >= c->wet.west && x <= c->wet.east && y >= c->wet.south && y <= c->wet.north;
            if (!inside && !(q.w <= bed && q.u == 0 && q.v == 0))
                return case_wrong(f, v, x, y, "the level is %.6g on a bed of %.6g", q.w, bed);
        }
    return 0;
}

/* Called again in the opposite order, with others in between, the functions must not remember. */
static int remembers(const struct case_view *v, struct case_fault *f)
{
    static _Thread_local struct flow first[64 * 64];
    static _Thread_local double bed[64 * 64];
    const int nx = v->nx < 64 ? v->nx : 64, ny = v->ny < 64 ? v->ny : 64;
    for (int k = 0; k < nx * ny; k++) {
        first[k] = case_water(v, k % nx, k / nx);
        bed[k] = v->c->bed(case_corner_x(v, k % nx), case_corner_y(v, k / nx));
    }
    for (int k = nx * ny - 1; k >= 0; k--) {
        const double x = case_corner_x(v, k % nx), y = case_corner_y(v, k / nx),
                     b = v->c->bed(x, y);
        if (memcmp(&b, &bed[k], sizeof b) != 0)
            return case_wrong(f, v, x, y, "the bed is %.9g, then %.9g", bed[k], b);
        if (!case_same(first[k], case_water(v, k % nx, k / nx)))
            return case_wrong(f, v, case_centre_x(v, k % nx), case_centre_y(v, k / nx),
                              "the level is %.9g, then %.9g", first[k].w,
                              case_water(v, k % nx, k / nx).w);
    }
    return 0;
}

static int begins_elsewhere(const struct case_view *v, struct case_fault *f)
{
    for (int j = 0; v->c->exact && !v->c->tends && j < v->ny; j++)
        for (int i = 0; i < v->nx; i++) {
            const double x = case_centre_x(v, i), y = case_centre_y(v, j), bed = v->c->bed(x, y);
            const struct flow q = case_water(v, i, j), e = v->c->exact(x, y, 0);
            if ((q.w > bed) != (e.w > bed) || (q.w > bed && !case_same(q, e)))
                return case_wrong(
                    f, v, x, y,
                    "initially w %.6g, u %.6g, v %.6g, and exact at time 0 %.6g, %.6g, %.6g", q.w,
                    q.u, q.v, e.w, e.u, e.v);
        }
    return 0;
}

static const struct view_question {
    const char *check;
    view_check *breaks;
    const char *wrong, *holds;
} view_questions[] = {
    {"bed", has_odd_bed,
     "has a bed that is not finite: probably a root or a power of a negative number, or a division "
     "by a distance that is zero",
     "the bed is finite everywhere"},
    {"initial state", has_odd_water,
     "has an initial state that is not finite: probably a root or a power of a negative number, or "
     "a division by a distance or depth that is zero",
     "the initial state is finite everywhere"},
    {"forcing", has_odd_forcing, "has a forcing that is not finite", "the forcing is finite"},
    {"water", is_dry, "holds no water: the level lies below the bed everywhere",
     "there is water at any resolution"},
    {"dry points", is_wet_where_dry,
     "is not dry where it says so: give dry points a level no higher than the water nearby, and no "
     "velocity",
     "dry points stay dry in the solver's cells"},
    {"wet", is_wet_elsewhere,
     "has water outside the rectangle that it says has all of it: enlarge .wet, or leave it out",
     "there is no water outside the rectangle that it says has all of it"},
    {"pure", remembers,
     "gives different values for the same point: bed and initial must depend on x and y alone, not "
     "on earlier calls, nor on static variables",
     "bed and water depend on the position alone"},
    {"exact at time 0", begins_elsewhere,
     "has an exact solution that does not begin with its initial state: let initial call exact at "
     "time 0",
     "the exact solution begins with the initial state"},
    {"symmetric", case_is_blurred,
     "is a mirror image of itself except for rounding: write its formulas symmetrically around the "
     "origin (x * x + y * y), so that it is one to the bit",
     "an intended symmetry holds to the bit"},
};

static void ask_views(const struct flow_case *c, struct remarks *r)
{
    for (size_t k = 0; k < sizeof view_questions / sizeof *view_questions; k++) {
        const struct view_question *q = &view_questions[k];
        struct case_fault fault;
        int broken = 0;
        for (size_t n = 0; n < sizeof sizes / sizeof *sizes && !broken; n++) {
            struct case_view v = {c, sizes[n][0], c->ny == 1 ? 1 : sizes[n][1]};
            if (!v.nx)
                v = (struct case_view){c, c->nx, c->ny};
            if (v.nx > 1 || c->ny > 1)
                broken = q->breaks(&v, &fault);
        }
        if (broken)
            remark(r, FAILS, q->check, fault.text, "%s %s", c->name, q->wrong);
        else
            remark(r, HOLDS, q->check, "", "%s", q->holds);
        if (broken && k < 3) /* non-finite values fail all others, too */
            return;
    }
    case_ask_exact(c, r);
}

/* Describes a number that no run can use, or null. */
static const char *number_fault(const struct flow_case *c)
{
    if (!(c->manning >= 0) || !(c->drag >= 0))
        return ".manning and .drag must not be negative";
    if (!(c->kappa >= 0))
        return ".kappa must be a depth in m, or 0 for the rule";
    if (c->ny > 1 && fabs(c->lx / c->nx - c->ly / c->ny) > 1e-9 * c->lx / c->nx)
        return "its cells are not square: lx / nx must be ly / ny";
    if (c->ny == 1 && c->ly < (1 - 1e-9) * c->lx / (c->verify ? c->verify->ladder[0] : c->nx))
        return "its row is lower than its coarsest cells are wide, and would limit the time step: "
               "raise .ly";
    return NULL;
}

/* An imposed depth must be positive; a discharge may be 0. */
static int is_valid_edge(enum boundary kind, const struct edge_state *s)
{
    switch (kind) {
    case WALL:
    case OPEN:
    case PERIODIC:
        return 1;
    case DISCHARGE:
        return isfinite(s->hu) && isfinite(s->hv);
    case DEPTH:
        return isfinite(s->h) && s->h > 0;
    case LEVEL:
        return isfinite(s->h);
    case STATE:
        return isfinite(s->h) && s->h > 0 && isfinite(s->hu) && isfinite(s->hv);
    case SUPPLY:
        return s->in[0] >= 0 && s->in[1] >= 0 && isfinite(s->in[0] + s->in[1]);
    case LOSS:
        return s->in[0] <= 0 && isfinite(s->in[0]);
    case NEIGHBOUR: /* of parts alone */
    case WAVE:      /* of options alone: still water is found for these */
        break;
    }
    return 0;
}

static void ask_edges(const struct flow_case *c, struct remarks *r)
{
    static const char *const names[EDGES] = {"west", "east", "south", "north"};
    for (int e = 0; e < EDGES; e++)
        if (!is_valid_edge(c->boundary[e], &c->edge[e])) {
            remark(
                r, FAILS, "edges", names[e],
                "%s has no valid boundary at its %s edge: what .edge imposes there must be finite, "
                "and a depth positive",
                c->name, names[e]);
            return;
        }
    remark(r, HOLDS, "edges", "", "what its edges impose is valid");
}

static int case_has_table(const struct flow_case *c, struct remarks *r)
{
    const char *file = c->name ? c->name : "";
    const int ok = !registry_check_case(c, file) && !verification_check_case(c, file);
    if (ok)
        remark(r, HOLDS, "table", "", "its table is complete");
    else
        remark(r, FAILS, "table", "", "%s has a table that cannot work: %s", c->name,
               err_message());
    return ok;
}

enum err contract_case(const struct flow_case *c, struct remarks *r)
{
    if (!case_has_table(c, r))
        return ERR_OK;
    const char *wrong = number_fault(c);
    if (wrong)
        remark(r, FAILS, "numbers", "", "%s: %s", c->name, wrong);
    else
        remark(r, HOLDS, "numbers", "", "its numbers are plausible");
    ask_edges(c, r);
    if (!case_system(c)->over_bed) {
        remark(r, NOT_ASKED, "water", "", "%s is of the system %s, which has none", c->name,
               case_system(c)->name);
        return ERR_OK;
    }
    ask_views(c, r);
    return remarks_failed(r) ? ERR_OK : case_ask_scales(c, r);
}
