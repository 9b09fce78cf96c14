/* Writes the scripts of figures, runs gnuplot on them, and puts figures into a report. */
#include "verification/report/drawings.h"

#include <stdlib.h>

#include "core/base/log.h"
#include "core/picture/markdown.h"

void drawings_open(struct drawings *d, const char *folder)
{
    *d = (struct drawings){.folder = folder, .no_gnuplot = !gnuplot_present()};
    if (d->no_gnuplot)
        log_warning("no figures in the report: gnuplot was not found, or does not run; on Debian "
                    "or Ubuntu install gnuplot-nox");
}

void drawings_free(struct drawings *d)
{
    for (int k = 0; k < d->count; k++)
        gnuplot_free(&d->at[k].run);
    free(d->at);
    *d = (struct drawings){0};
}

static enum err path_of(const struct drawings *d, const char *name, const char *ending,
                        char path[PATH_LENGTH])
{
    if (snprintf(path, PATH_LENGTH, "%s/figures", d->folder) > PATH_LENGTH - 256)
        FAIL(USAGE, "'%s' is too long for the name of a folder", d->folder);
    TRY(paths_folder(path, "choose another with --output"));
    snprintf(path, PATH_LENGTH, "%.3800s/figures/%.150s.%s", d->folder, name, ending);
    return ERR_OK;
}

enum err drawing_begin(struct drawings *d, const char *name, FILE **script)
{
    const char *home;
    struct drawing *more = realloc(d->at, ((size_t)d->count + 1) * sizeof *more);
    if (!more)
        FAIL(MEMORY, "no memory for %d figures", d->count + 1);
    d->at = more;
    struct drawing *one = &more[d->count];
    *one = (struct drawing){.run = {.script = NULL}};
    snprintf(one->name, sizeof one->name, "%s", name);
    TRY(paths_home(&home));
    TRY(path_of(d, name, "gp", one->script));
    TRY(outfile_open(&d->file, one->script, script));
    fputs("home = ", *script);
    gnuplot_text(*script, home);
    fprintf(*script, "\nnumber = %d\n", d->count++);
    return ERR_OK;
}

enum err drawing_end(struct drawings *d, FILE *script, const char *set, const char *template,
                     const char *caption)
{
    struct drawing *one = &d->at[d->count - 1];
    snprintf(one->caption, sizeof one->caption, "%s", caption);
    fprintf(script,
            "load home.'/plots/style.gp'\nload home.'/plots/verify/common.gp'\n%s\n"
            "load home.'/plots/verify/%s.gp'\n",
            set, template);
    return outfile_close(&d->file, script);
}

static void print_drawing(FILE *f, const void *context)
{
    const struct gnuplot_run *run = context;
    fwrite(run->out, 1, run->size, f);
}

/* One line for all failures. */
static enum err keep(struct drawings *d)
{
    int failed = 0;
    char path[PATH_LENGTH];
    const struct drawing *first = NULL;
    for (int k = d->count - 1; k >= 0; k--) {
        struct drawing *one = &d->at[k];
        if (one->run.err) {
            first = one;
            failed++;
            continue;
        }
        TRY(path_of(d, one->name, "svg", path));
        TRY(outfile_print(path, print_drawing, &one->run));
    }
    if (first)
        log_warning("%d of %d figures are missing in the report, which has gnuplot's messages; "
                    "try: gnuplot %s",
                    failed, d->count, first->script);
    return ERR_OK;
}

enum err drawings_make(struct drawings *d)
{
    struct gnuplot_run **runs = calloc((size_t)d->count + 1, sizeof(struct gnuplot_run *));
    if (!runs)
        FAIL(MEMORY, "no memory for %d figures", d->count);
    for (int k = 0; k < d->count; k++) {
        d->at[k].run.script = d->at[k].script;
        runs[k] = &d->at[k].run;
    }
    const enum err e = gnuplot_draw(runs, d->count);
    free(runs);
    return e ? e : keep(d);
}

void drawing_show(const struct drawing *d, FILE *f)
{
    char file[200];
    snprintf(file, sizeof file, "figures/%s.svg", d->name);
    if (!d->run.err)
        markdown_image(f, file, "%s", d->name);
    if (d->run.message && *d->run.message) {
        markdown_print(f, "gnuplot's message about %s.gp:\n\n", d->name);
        markdown_block(f, d->run.message);
    }
    markdown_print(f, "%s\n\n", d->caption);
}

void drawings_missing(const struct drawings *d, FILE *f)
{
    if (d->no_gnuplot)
        fputs("**There is no gnuplot on this machine**, so the figures are missing: install it (on "
              "Debian or Ubuntu the package gnuplot-nox), and run this again.\n\n",
              f);
}
