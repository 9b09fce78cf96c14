/* The judgement as one file: report.html, with its figures inside. */
#include "verification/judge/page.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "core/picture/html.h"
#include "core/base/output_file.h"
#include "core/base/version.h"
#include "verification/report/report_parts.h"
#include "verification/report/terminal_table.h"

void page_print(FILE *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    for (const char *s = fmt; *s; s++) {
        if (s[0] == '%' && s[1] == 's')
            html_text(f, va_arg(ap, const char *));
        else if (s[0] == '%' && s[1] == 'd')
            fprintf(f, "%d", va_arg(ap, int));
        else
            fputc(*s, f);
        s += s[0] == '%' && (s[1] == 's' || s[1] == 'd');
    }
    va_end(ap);
}

void page_number(FILE *f, double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", isfinite(x) ? x : (double)NAN);
    html_number(f, text);
}

static void write_figure(FILE *f, const struct picture *q, int number)
{
    page_print(f, "<figure>\n");
    if (!q->run.err) {
        page_print(f, "<div class=\"drawing\" role=\"img\" aria-label=\"%s\">\n", q->alt);
        gnuplot_embed(f, q->run.out, number);
        fputs("</div>\n", f);
    }
    if (q->run.message && *q->run.message)
        page_print(f, "<p class=\"bad\">What gnuplot says about %s.gp:</p>\n<pre>%s</pre>\n",
                   q->name, q->run.message);
    page_print(f, "<figcaption>%s</figcaption>\n</figure>\n", q->caption);
}

void page_figures(FILE *f, const struct pictures *p, const char *name)
{
    for (int k = 0; k < p->count; k++)
        if (strncmp(p->picture[k].name, name, strlen(name)) == 0)
            write_figure(f, &p->picture[k], k);
}

static void copy_style(FILE *f)
{
    char path[PATH_LENGTH], text[4096];
    FILE *style = paths_file("plots/judge/page.css", path) ? NULL : fopen(path, "r");
    if (!style)
        return; /* a page without a style can be read, too */
    for (size_t n; (n = fread(text, 1, sizeof text, style)) > 0;)
        fwrite(text, 1, n, f);
    fclose(style);
}

/* The first failures, each with its sentence. */
static void write_faults(FILE *f, const struct judging *j)
{
    enum { SHOWN = 6 };
    int left = judging_count(j, FAILS);
    if (!left)
        return;
    fputs("<div class=\"faults\"><ul>\n", f);
    int shown = 0;
    for (int k = 0; k < j->remarks.count && shown < SHOWN; k++) {
        const struct remark *r = &j->remarks.remark[k];
        if (r->answer != FAILS)
            continue;
        shown++;
        page_print(f, "<li><b>%s</b>: %s", r->check, r->sentence);
        if (*r->example)
            page_print(f, " <code>%s</code>", r->example);
        fputs("</li>\n", f);
    }
    for (int k = 0; k < j->verdicts.count && shown < SHOWN; k++) {
        const struct line *l = &j->verdicts.line[k];
        char value[24], limit[24];
        if (l->verdict != VERDICT_FAIL)
            continue;
        shown++;
        page_print(f, "<li><b>%s</b>, %d cells: %s", l->case_name, l->n, l->what);
        if (isnan(l->limit))
            page_print(f, ": %s</li>\n", l->why);
        else
            page_print(f, " %s, limit %s</li>\n", number_text(l->value, value),
                       number_text(l->limit, limit));
    }
    if (left > shown)
        page_print(f, "<li>and %d more, below</li>\n", left - shown);
    fputs("</ul></div>\n", f);
}

static void write_head(FILE *f, const struct judging *j)
{
    const struct subject *s = &j->subject;
    const int held = judging_count(j, HOLDS), failed = judging_count(j, FAILS);
    page_print(f,
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<title>Shoal: %s %s</title>\n<style>\n",
               subject_words[s->kind], s->name);
    copy_style(f);
    page_print(f, "</style>\n</head>\n<body>\n<h1>%s <small>%s</small></h1>\n<p>%s", s->name,
               subject_words[s->kind], s->title);
    if (s->cite && *s->cite)
        page_print(f, " <span class=\"soft\">(%s)</span>", s->cite);
    fputs("</p>\n", f);
    if (failed)
        page_print(f, "<p class=\"verdict bad\">%d of %d checks fail.</p>\n", failed,
                   held + failed);
    else
        page_print(f, "<p class=\"verdict good\">All %d checks hold.</p>\n", held);
    write_faults(f, j);
    page_glance(f, j);
    if (j->broken)
        return;
    fputs("<nav><a href=\"#contract\">What must hold</a><a href=\"#verification\">Verification</a>"
          "<a href=\"#errors\">Errors</a><a href=\"#times\">Time to an error</a>"
          "<a href=\"#speed\">Speed</a><a href=\"#pictures\">Pictures</a>"
          "<a href=\"#how\">How it was measured</a></nav>\n",
          f);
}

static void write_checks(FILE *f, const struct judging *j)
{
    page_print(f, "<h2 id=\"contract\">What must hold of every %s</h2>\n",
               subject_words[j->subject.kind]);
    if (j->subject.kind == SUBJECT_CASE)
        fputs(
            "<p>A case says where it comes from, how large it is and what its edges are, gives bed "
            "and initial water as formulas, and, to be verified, an exact solution or a computed "
            "reference, a ladder of resolutions, and checks with a limit and a reason each: "
            "<code>verification/README.md</code>, <i>Adding a case</i>.</p>\n",
            f);
    page_contract(f, j);
    fputs("<h2 id=\"verification\">Verification</h2>\n", f);
    page_verification(f, j);
}

static void write_comparison(FILE *f, const struct judging *j, const struct pictures *p)
{
    const char *rival = subject_rivals(&j->subject), *standard = j->entry[j->standard].name;
    if (j->broken) {
        fputs("<p>It does not compile, so nothing was computed with it and nothing compared.</p>\n",
              f);
        return;
    }
    page_print(
        f,
        "<h2 id=\"errors\">Errors beside every other %s</h2>\n<p>The same flow on the same "
        "grids in f64, all other choices being the defaults, each scheme at the Courant number "
        "that it claims. The least error on the finest grid comes first; the order is that "
        "between the last two grids.</p>\n",
        rival);
    page_figures(f, p, "errors");
    page_errors(f, j);
    page_print(
        f,
        "<h2 id=\"times\">Time to a given error</h2>\n<p>How long each %s computes until its "
        "error is the one that %s has on the grid named: interpolated between its own grids, "
        "in logarithms. &gt;: not reached on the finest grid, which takes so long; &lt;: "
        "reached on the coarsest one already. The time is the number of steps times the "
        "median time of one, in strict mode on one thread, as the errors were computed.</p>\n",
        rival, standard);
    page_figures(f, p, "times");
    page_times(f, j);
}

static void write_gpu(FILE *f, const struct judging *j)
{
    int equal, all;
    study_gpu_runs(j, &equal, &all);
    page_print(f,
               "<p>CPU and GPU in strict mode gave the same bits in %d of %d runs, in both "
               "precisions (%s).</p>\n",
               equal, all, j->gpu.name);
}

static void write_speed(FILE *f, const struct judging *j, const struct pictures *p)
{
    static const char *const pictures[BACKENDS] = {[CPU] = "speed-cpu", [CUDA] = "speed-cuda"};
    const struct timings *t = j->timings;
    if (j->broken)
        return;
    fputs("<h2 id=\"speed\">Speed on this machine</h2>\n", f);
    if (*t->message)
        page_print(f, "<p class=\"bad\">Not timed: %s</p>\n", t->message);
    for (int on = 0; on < BACKENDS; on++) {
        if (!t->cells[on])
            continue;
        page_print(
            f,
            "<p>Whole steps, boundaries and the choice of the time step included, on the %s: "
            "%d cells across, f32, fast mode, early exit off, default blocks, the same for "
            "all. ",
            on == CPU ? "CPU" : "GPU", t->cells[on]);
        if (on == CPU && j->threads == 1)
            fputs("One thread, processor time. ", f);
        else if (on == CPU)
            page_print(f, "%d threads. ", j->threads);
        page_print(f,
                   "All are timed in turn in %d rounds; the ratio is the median of the ratios in "
                   "each round, with their quartiles.%s</p>\n",
                   t->rounds,
                   j->subject.kind >= SUBJECT_SCHEME
                       ? " Steps of schemes differ in length, so times to an error say more."
                       : "");
        page_figures(f, p, pictures[on]);
        page_speed(f, j, (enum backend_kind)on);
    }
    if (!j->on_cuda)
        page_print(f, "<p>No GPU was judged: %s.</p>\n",
                   j->gpu.here ? "--backend cpu" : j->gpu.why);
    else
        write_gpu(f, j);
}

static void write_tail(FILE *f, const struct judging *j, const struct pictures *p)
{
    char date[40];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime(&now));
    if (!j->broken)
        fputs("<h2 id=\"pictures\">Pictures</h2>\n", f);
    if (p->no_gnuplot)
        fputs("<p class=\"bad\">There is no gnuplot on this machine, so the figures are missing: "
              "install it (on Debian or Ubuntu the package gnuplot-nox).</p>\n",
              f);
    page_figures(f, p, "profile");
    page_figures(f, p, "map");
    page_print(
        f,
        "<h2 id=\"how\">How it was measured</h2>\n<dl><dt>command</dt><dd><code>%s</code></dd>"
        "<dt>Shoal</dt><dd>%s, commit %s</dd><dt>date</dt><dd>%s</dd><dt>CPU</dt><dd>%s</dd>"
        "<dt>kernels by</dt><dd>%s</dd><dt>GPU</dt><dd>%s</dd></dl>\n",
        j->command, shoal_version, shoal_commit, date, j->cpu, j->compiler,
        j->on_cuda ? j->gpu.name : "none");
    fputs(
        "<p class=\"soft\">Errors are the same on every machine: strict mode, f64, early exit off. "
        "Times are this machine's. Beside this page lie <code>errors.tsv</code>, "
        "<code>checks.tsv</code> and <code>speed.tsv</code>; <code>figures/</code> has the scripts "
        "of the figures: <code>gnuplot -e \"picture='a.pdf'\" figures/NAME.gp</code> draws one for "
        "a paper.</p>\n</body>\n</html>\n",
        f);
}

enum err page_write(const struct judging *j, const struct pictures *p)
{
    char path[PATH_LENGTH];
    struct outfile out;
    snprintf(path, sizeof path, "%.4000s/report.html", j->output);
    TRY(outfile_create(&out, path));
    FILE *f = fopen(out.temporary, "w");
    if (f) {
        write_head(f, j);
        write_checks(f, j);
        write_comparison(f, j, p);
        write_speed(f, j, p);
        write_tail(f, j, p);
    }
    if (!f || ferror(f) | fclose(f)) {
        const enum err e = outfile_failed(&out, errno, "writing failed");
        outfile_discard(&out);
        return e;
    }
    return outfile_publish(&out);
}
