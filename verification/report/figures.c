/* The report's figures: which script draws which data of which case. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/registry/registry.h"
#include "verification/report/report_parts.h"

/* The data that a figure needs. */
enum need { PROFILE, HISTORY, SCHEMES, VARIANTS, CELLS, SCATTER, PUBLISHED, KAPPA };

static const char *const needs[] = {
    [PROFILE] = "one run",
    [HISTORY] = "norms at two times or more",
    [SCHEMES] = "two schemes at one resolution",
    [VARIANTS] = "norms at two resolutions of one scheme",
    [CELLS] = "a run that keeps all its cells",
    [SCATTER] = "all cells at a time that checks look at",
    [PUBLISHED] = "a resolution for which another code's value is known",
    [KAPPA] = "the sweep over kappa (data/kappa.tsv)",
};

/* A figure is a row here and a script in plots/verify; the script has the variables of figure_data
 * (gnuplot_data.c), and those that `set` adds. A case that no other row names gets the last. */
struct figure {
    const char *cases; /* separated by spaces */
    const char *script;
    enum need need;
    const char *set; /* gnuplot statements, or "" */
    const char *caption;
};

static const struct figure figures[] = {
    {"parabola", "surface", PROFILE, "period = 11107.207345395915",
     "Water level along the middle row at four times of a period, as in figure 7 of "
     "Brodtkorb, Sætra and Altinakar (2012); thin line: exact. The surface should stay plane; the "
     "largest errors are at the shoreline, where a thin film stays behind the receding water."},
    {"parabola parabola-ryujin parabola-channel parabola-friction parabola-round", "error-time",
     HISTORY, "",
     "Error over time, one line for each scheme at the same resolution. It grows with every "
     "passage of the shoreline, whose error outweighs the schemes' own: all should lie close "
     "together."},
    {"parabola-ryujin parabola-channel parabola-friction parabola-round three-humps", "surface",
     PROFILE, "",
     "Water level along the middle row at four times; thin line: exact, where there is an "
     "exact solution."},
    {"bump-subcritical bump-transcritical bump-shock macdonald-sub macdonald-super "
     "macdonald-transcritical macdonald-jump macdonald-jump-long bump-lake bump-shore lake",
     "profile", PROFILE, "",
     "Top: water level over the bed; thin line: exact. Bottom: discharge, which in the "
     "exact steady flow is constant: it shows errors, at kinks of the bed and in a jump's "
     "cell, that the level hides."},
    {"stoker stoker-anuga ritter ritter-fan dam-friction", "profile", PROFILE, "",
     "Depth and discharge at the end, at up to three resolutions; thin line: the reference. "
     "Fronts should sharpen and stay in place as cells get smaller."},
    {"circular-dam circular-dam-100 circular-dam-dry water-column", "centre-line", PROFILE, "",
     "Depth and discharge along the centre line, at several resolutions; thin line: the "
     "radially symmetric reference (figures 3.4 and 3.5 of the thesis)."},
    {"circular-dam circular-dam-100 circular-dam-dry water-column", "centre-schemes", SCHEMES, "",
     "The same by all schemes at one resolution, from the centre outwards, and the front enlarged. "
     "Schemes of the same order should lie on each other."},
    {"circular-dam circular-dam-100 circular-dam-dry water-column", "scatter", SCATTER, "",
     "Depth and radial discharge of cells in all directions over their distance from the "
     "centre; line: the reference. The width of the cloud shows the influence of the grid's "
     "directions; it should be narrower than its distance to the line."},
    {"oblique-jump", "map", CELLS, "slope = 0.3853496969115921",
     "Depth at the end and the exact line of the jump. The computed jump should straddle the "
     "line, two or three cells wide, and the depth behind it should be one colour."},
    {"three-humps", "map", CELLS, "",
     "Depth at the end; brown: dry, or under a film of less than a thousandth of the greatest "
     "depth. "
     "The flow has almost come to rest: the lake is level, and water has left the tops of the "
     "humps."},
    {"vortex vortex-ryujin smooth manufactured parabola parabola-ryujin parabola-channel "
     "parabola-friction parabola-round circular-dam circular-dam-100 circular-dam-dry water-column "
     "bump-subcritical bump-transcritical bump-shock stoker stoker-anuga ritter ritter-fan "
     "macdonald-sub macdonald-super macdonald-transcritical macdonald-jump "
     "macdonald-jump-long oblique-jump dam-friction",
     "convergence", VARIANTS, "",
     "Error over the number of cells, one line for each scheme and limiter, and one in f32; grey: "
     "slopes 1 and 2. Hidden lines lie under others."},
    {"parabola-channel parabola-friction parabola-ryujin ritter-fan vortex-ryujin", "published",
     PUBLISHED, "",
     "Our error beside that of other codes on the same problem and grid (filled: ours, open: "
     "theirs)."},
    {"parabola", "kappa", KAPPA, "",
     "Error and least time step over the desingularisation depth kappa, for the parabolic "
     "basin at one resolution. Too large a kappa slows shallow water down and ruins the basin; too "
     "small a one lets velocities at the shore explode and ruins the time step."},
    {"*", "profile", PROFILE, "",
     "The middle row at the end; thin line: the reference, where there is one."},
};

enum { FIGURES = sizeof figures / sizeof *figures };

static int names(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *s = list; (s = strstr(s, name)); s += n)
        if ((s == list || s[-1] == ' ') && (s[n] == ' ' || s[n] == '\0'))
            return 1;
    return 0;
}

static int belongs(const struct figure *f, const char *name)
{
    if (strcmp(f->cases, "*") != 0)
        return names(f->cases, name);
    for (int k = 0; k < FIGURES; k++)
        if (names(figures[k].cases, name))
            return 0;
    return 1;
}

static int sweeps(const struct report *r)
{
    for (int k = 0; k < r->of->plan->count; k++)
        if (r->of->plan->job[k].sweep && r->of->outcome[k].state == DONE && !r->of->outcome[k].err)
            return 1;
    return 0;
}

static int has(const struct report *r, const struct choice *c, enum need need)
{
    switch (need) {
    case PROFILE:
        return c->lead >= 0;
    case HISTORY:
        return c->norms > 0 && c->snapshots > 1;
    case SCHEMES:
        return c->scheme_count > 1;
    case VARIANTS:
        return c->variant_count > 0 && c->norms > 0;
    case CELLS:
        return c->cells >= 0;
    case SCATTER:
        return c->cells >= 0 && c->cells_judged;
    case PUBLISHED:
        return c->lead >= 0 && c->published > 0;
    case KAPPA:
        return sweeps(r);
    }
    return 0;
}

static void left_out(const char *script, const char *what, FILE *f)
{
    markdown_print(f, "- Left out: figure *%s*; it needs %s", script, what);
}

/* Figures of an earlier report would be mistaken for this one's. */
static enum err delete_earlier(const struct report *r)
{
    static const char *const endings[] = {"gp", "svg"};
    char path[PATH_LENGTH];
    for (int k = 0; cases[k]; k++)
        for (int m = 0; m < 2 * FIGURES; m++) {
            const int n = snprintf(path, sizeof path, "%s/figures/%s-%s.%s", r->of->folder,
                                   cases[k]->name, figures[m / 2].script, endings[m % 2]);
            if (n < PATH_LENGTH && unlink(path) != 0 && errno != ENOENT)
                FAIL(MACHINE, "cannot delete an earlier figure '%s': %s", path, strerror(errno));
        }
    return ERR_OK;
}

static void figure_name(const struct figure *f, const char *case_name, char name[160])
{
    snprintf(name, 160, "%.100s-%.50s", case_name, f->script);
}

/* FOLDER/figures/CASE-SCRIPT.gp: all that gnuplot needs but the data. */
static enum err add_drawing(struct report *r, const struct figure *f, const struct choice *c)
{
    FILE *script;
    char name[160], kappa[PATH_LENGTH];
    figure_name(f, c->name, name);
    TRY(drawing_begin(&r->drawings, name, &script));
    snprintf(kappa, sizeof kappa, "%.4000s/data/kappa.tsv", r->of->folder);
    fputs("kappa_file = ", script);
    gnuplot_file(script, kappa);
    fputc('\n', script);
    if (c->lead >= 0)
        figure_data(r, c, script);
    return drawing_end(&r->drawings, script, f->set, f->script, f->caption);
}

enum err report_figures_open(struct report *r)
{
    TRY(delete_earlier(r));
    drawings_open(&r->drawings, r->of->folder);
    return ERR_OK;
}

enum err report_figures_add(struct report *r, const char *case_name)
{
    struct choice c;
    choose_runs(r, case_name, &c);
    for (const struct figure *f = figures; f < figures + FIGURES; f++)
        if (!r->drawings.no_gnuplot && belongs(f, case_name) && has(r, &c, f->need))
            TRY(add_drawing(r, f, &c));
    return ERR_OK;
}

enum err report_figures_draw(struct report *r)
{
    return drawings_make(&r->drawings);
}

/* CASE-SCRIPT */
static int is_of_case(const struct drawing *d, const struct figure *f, const char *case_name)
{
    char name[160];
    figure_name(f, case_name, name);
    return strcmp(d->name, name) == 0;
}

void figures_drawn(const struct report *r, const char *name, FILE *f)
{
    for (int k = 0; k < r->drawings.count; k++)
        for (const struct figure *of = figures; of < figures + FIGURES; of++)
            if (is_of_case(&r->drawings.at[k], of, name))
                drawing_show(&r->drawings.at[k], f);
}

static void write_or_leave_out(const struct report *r, const struct figure *figure,
                               const char *case_name, FILE *f)
{
    struct choice c;
    for (int k = 0; k < r->drawings.count; k++)
        if (is_of_case(&r->drawings.at[k], figure, case_name)) {
            drawing_show(&r->drawings.at[k], f);
            return;
        }
    choose_runs(r, case_name, &c);
    if (has(r, &c, figure->need)) {
        left_out(figure->script, "gnuplot (package gnuplot-nox).\n\n", f);
    } else {
        left_out(figure->script, needs[figure->need], f);
        markdown_print(f, " of `%s`.\n\n", case_name);
    }
}

void figures_of_case(const struct report *r, const char *name, FILE *f)
{
    for (const struct figure *k = figures; k < figures + FIGURES; k++)
        if (belongs(k, name))
            write_or_leave_out(r, k, name, f);
}

void figures_left_out(const struct report *r, FILE *f)
{
    int any = 0;
    for (const struct figure *k = figures; k < figures + FIGURES; k++) {
        char list[2048], *rest = NULL;
        snprintf(list, sizeof list, "%s", k->cases);
        for (char *name = strtok_r(list, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
            if (strcmp(name, "*") == 0 || rows_of(r, name).end)
                continue;
            if (!any++) {
                markdown_heading(f, 2, "Figures left out");
                markdown_heading(f, 4, "This run was narrowed or stopped; `%s` draws them all",
                                 "make verify");
            }
            left_out(k->script, needs[k->need], f);
            markdown_print(f, " of `%s`.\n", name);
        }
    }
    fputs(any ? "\n" : "", f);
}
