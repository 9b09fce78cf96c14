/* The report's figures: which script draws what of which case. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/output_file.h"
#include "core/base/paths.h"
#include "core/registry/registry.h"
#include "verification/report/report_parts.h"

/* What a figure cannot do without. */
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

/* A figure is a row here and a script in plots/verify; the script knows what figure_data
 * (gnuplot_data.c) tells, and what `set` adds. A case that no other row names gets the last. */
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
     "Brodtkorb, S&aelig;tra and Altinakar (2012); thin line: exact. The surface should "
     "stay plane; what stands out is the shoreline, where a thin film stays behind the "
     "receding water."},
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
    {"circular-dam circular-dam-100 circular-dam-dry", "centre-line", PROFILE, "",
     "Depth and discharge along the centre line, at several resolutions; thin line: the "
     "radially symmetric reference (figures 3.4 and 3.5 of the thesis)."},
    {"circular-dam circular-dam-100 circular-dam-dry", "centre-schemes", SCHEMES, "",
     "The same by all schemes at one resolution, from the centre outwards, and the front enlarged. "
     "Schemes of the same order should lie on each other."},
    {"circular-dam circular-dam-100 circular-dam-dry", "scatter", SCATTER, "",
     "Depth and radial discharge of cells in all directions over their distance from the "
     "centre; line: the reference. The width of the cloud is how much the grid's directions "
     "show; it should be narrower than its distance to the line."},
    {"oblique-jump", "map", CELLS, "slope = 0.3853496969115921",
     "Depth at the end and the exact line of the jump. The computed jump should straddle the "
     "line, two or three cells wide, and the depth behind it should be one colour."},
    {"three-humps", "map", CELLS, "",
     "Depth at the end; brown: dry, or under a film of less than a thousandth of the greatest "
     "depth. "
     "The flow has almost come to rest: the lake is level, and water has left the tops of the "
     "humps."},
    {"vortex vortex-ryujin smooth manufactured parabola parabola-ryujin parabola-channel "
     "parabola-friction parabola-round circular-dam circular-dam-100 circular-dam-dry "
     "bump-subcritical bump-transcritical bump-shock stoker stoker-anuga ritter ritter-fan "
     "macdonald-sub macdonald-super macdonald-transcritical macdonald-jump "
     "macdonald-jump-long oblique-jump dam-friction",
     "convergence", VARIANTS, "",
     "Error over the number of cells, one line for each scheme and limiter, and one in f32; grey: "
     "slopes 1 and 2. Lines that cannot be seen lie under others."},
    {"parabola-channel parabola-friction parabola-ryujin ritter-fan vortex-ryujin", "published",
     PUBLISHED, "",
     "Our error beside that of other codes on the same problem and grid (filled: ours, open: "
     "theirs)."},
    {"parabola", "kappa", KAPPA, "",
     "Error and least time step over the desingularisation depth kappa, for the parabolic "
     "basin at one resolution. Too large a kappa brakes shallow water and ruins the basin; "
     "too small a one lets velocities at the shore run away and ruins the time step."},
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
        return r->kappa.rows > 0;
    }
    return 0;
}

static void left_out(const struct report *r, const struct figure *f, const char *name)
{
    fprintf(r->out, "<p class=\"left-out\">Left out: figure <i>%s</i>; it needs %s of <code>",
            f->script, needs[f->need]);
    html_text(r->out, name);
    fputs("</code>.</p>\n", r->out);
}

/* Scripts of an earlier report would be taken for this one's. */
static enum err delete_scripts(const struct report *r)
{
    char path[REPORT_PATH];
    for (int k = 0; cases[k]; k++)
        for (const struct figure *f = figures; f < figures + FIGURES; f++) {
            const int n = snprintf(path, sizeof path, "%s/figures/%s-%s.gp", r->folder,
                                   cases[k]->name, f->script);
            if (n < REPORT_PATH && unlink(path) != 0 && errno != ENOENT)
                FAIL(MACHINE, "cannot delete an earlier figure's script '%s': %s", path,
                     strerror(errno));
        }
    return ERR_OK;
}

/* What a script is made of, and what became of it. */
struct scripting {
    const struct report *r;
    const struct figure *f;
    const struct choice *c;
    const char *home;
    enum err *e;
};

static void print_script(FILE *script, const void *context)
{
    const struct scripting *s = context;
    char kappa[REPORT_PATH + 32];
    fputs("home = ", script);
    gnuplot_text(script, s->home);
    fprintf(script, "\nnumber = %d\nkappa_file = ", s->r->drawings);
    snprintf(kappa, sizeof kappa, "%s/data/kappa.tsv", s->r->folder);
    gnuplot_file(script, kappa);
    fputc('\n', script);
    if (s->c->lead >= 0)
        *s->e = figure_data(s->r, s->c, script);
    fprintf(script,
            "load home.'/plots/style.gp'\nload home.'/plots/verify/common.gp'\n"
            "%s\nload home.'/plots/verify/%s.gp'\n",
            s->f->set, s->f->script);
}

/* "FOLDER/figures/CASE-SCRIPT.gp": all that gnuplot needs but the data. */
static enum err write_script(const struct report *r, const struct figure *f, const struct choice *c,
                             char path[REPORT_PATH])
{
    enum err e = ERR_OK;
    struct scripting s = {.r = r, .f = f, .c = c, .e = &e};
    TRY(paths_home(&s.home));
    if (snprintf(path, REPORT_PATH, "%s/figures", r->folder) > REPORT_PATH - 256)
        FAIL(USAGE, "'%s' is too long a name for a folder", r->folder);
    TRY(paths_folder(path, "choose another with --output"));
    snprintf(path, REPORT_PATH, "%s/figures/%s-%s.gp", r->folder, c->name, f->script);
    TRY(outfile_print(path, print_script, &s));
    return e;
}

static enum err add_drawing(struct report *r, const struct figure *f, const struct choice *c,
                            const char *of)
{
    struct drawing *more = realloc(r->drawing, (size_t)(r->drawings + 1) * sizeof *r->drawing), *d;
    if (!more)
        FAIL(MEMORY, "no memory for %d figures", r->drawings + 1);
    r->drawing = more;
    d = &r->drawing[r->drawings++];
    *d = (struct drawing){.figure = f, .of = of};
    return write_script(r, f, c, d->script);
}

static enum err add_case(struct report *r, const char *name)
{
    struct choice c;
    choose_runs(r, name, &c);
    for (const struct figure *f = figures; f < figures + FIGURES; f++)
        if (belongs(f, name) && has(r, &c, f->need))
            TRY(add_drawing(r, f, &c, name));
    return ERR_OK;
}

/* One line, however many there are. */
static void warn_of_failures(const struct report *r)
{
    const struct drawing *first = NULL;
    int failed = 0;
    for (int k = r->drawings - 1; k >= 0; k--)
        if (r->drawing[k].run.err) {
            first = &r->drawing[k];
            failed++;
        }
    if (first)
        log_warning("%d of %d figures are missing in the report, which shows what gnuplot says; "
                    "try: gnuplot %s",
                    failed, r->drawings, first->script);
}

static enum err draw_all(struct report *r)
{
    struct gnuplot_run **runs = calloc((size_t)r->drawings + 1, sizeof(struct gnuplot_run *));
    if (!runs)
        FAIL(MEMORY, "no memory for %d figures", r->drawings);
    for (int k = 0; k < r->drawings; k++) {
        r->drawing[k].run.script = r->drawing[k].script;
        runs[k] = &r->drawing[k].run;
    }
    const enum err e = gnuplot_draw(runs, r->drawings);
    free(runs);
    return e;
}

enum err report_figures_draw(struct report *r)
{
    TRY(delete_scripts(r));
    if (r->no_gnuplot)
        return ERR_OK;
    for (int k = 0; k < r->results.rows;) {
        const char *name = table_at(&r->results, k, RESULT_CASE);
        TRY(add_case(r, name));
        k = rows_with(&r->results, RESULT_CASE, name).end;
    }
    TRY(draw_all(r));
    warn_of_failures(r);
    return ERR_OK;
}

void report_figures_free(struct report *r)
{
    for (int k = 0; k < r->drawings; k++)
        gnuplot_free(&r->drawing[k].run);
    free(r->drawing);
}

static void write_figure(const struct report *r, int number)
{
    const struct drawing *d = &r->drawing[number];
    fputs("<figure>\n", r->out);
    if (!d->run.err)
        gnuplot_embed(r->out, d->run.out, number);
    if (*d->run.message) {
        fprintf(r->out, "<p class=\"bad\">What gnuplot says about %s.gp:</p>\n<pre>",
                d->figure->script);
        html_text(r->out, d->run.message);
        fputs("</pre>\n", r->out);
    }
    fprintf(r->out, "<figcaption>%s</figcaption>\n</figure>\n", d->figure->caption);
}

static void write_or_leave_out(const struct report *r, const struct figure *f, const char *name)
{
    struct choice c;
    for (int k = 0; k < r->drawings; k++)
        if (r->drawing[k].figure == f && strcmp(r->drawing[k].of, name) == 0) {
            write_figure(r, k);
            return;
        }
    choose_runs(r, name, &c);
    if (has(r, &c, f->need))
        fprintf(r->out,
                "<p class=\"left-out\">Left out: figure <i>%s</i>; it needs gnuplot (package "
                "gnuplot-nox).</p>\n",
                f->script);
    else
        left_out(r, f, name);
}

void figures_of_case(const struct report *r, const char *name)
{
    for (const struct figure *f = figures; f < figures + FIGURES; f++)
        if (f->need != KAPPA && belongs(f, name))
            write_or_leave_out(r, f, name);
}

void figures_of_kappa(const struct report *r)
{
    for (const struct figure *f = figures; f < figures + FIGURES; f++)
        if (f->need == KAPPA)
            write_or_leave_out(r, f, f->cases);
}

static int was_run(const struct report *r, const char *name)
{
    for (int k = 0; k < r->results.rows; k++)
        if (strcmp(table_at(&r->results, k, RESULT_CASE), name) == 0)
            return 1;
    return 0;
}

void figures_left_out(const struct report *r)
{
    int any = 0;
    for (const struct figure *f = figures; f < figures + FIGURES; f++) {
        char list[2048], *rest = NULL;
        snprintf(list, sizeof list, "%s", f->need == KAPPA ? "" : f->cases);
        for (char *name = strtok_r(list, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
            if (strcmp(name, "*") == 0 || was_run(r, name))
                continue;
            if (!any++)
                fputs("<h2 id=\"left-out\">Figures left out</h2>\n<details><summary>This run was "
                      "narrowed or stopped; <code>make verify</code> draws them all.</summary>\n",
                      r->out);
            left_out(r, f, name);
        }
    }
    fputs(any ? "</details>\n" : "", r->out);
}
