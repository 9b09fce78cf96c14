/* `shoal plot`: figures and tables from the tuning database. */
#include <stdio.h>
#include <string.h>

#include "core/options/options.h"
#include "core/registry/command.h"
#include "core/base/log.h"
#include "core/base/output_file.h"
#include "core/base/input_files.h"
#include "core/picture/markdown_page.h"
#include "plots/figures/draw.h"
#include "plots/gallery/gallery.h"

struct settings {
    char device[DB_NAME + 1], output[PATH_LENGTH], format[64];
    int terminal, all;
};

enum { MOST = 64, FORMATS = 3 };

static const struct {
    const char *name;
    int bit;
} formats[FORMATS] = {{"svg", FIGURE_SVG}, {"pdf", FIGURE_PDF}, {"png", FIGURE_PNG}};
static const char *const format_words[] = {"svg", "pdf", "png", NULL};

static const struct option options[] = {
    {"device", "NAME", "only this device (its folder in the database)",
     TEXT_IN(struct settings, device)},
    {"output", "FOLDER", "where files go", PATH_IN(struct settings, output),
     .unset = "build/figures"},
    {"format", "LIST", "of svg, pdf and png, separated by commas",
     OPTION_IN(struct settings, format, words), .choices = format_words, .unset = "svg,pdf"},
    {"terminal", NULL, "draws in the terminal, and writes no files",
     FLAG_IN(struct settings, terminal)},
    {"all", NULL, "every experiment, and a page with all of them", FLAG_IN(struct settings, all)},
    {.name = NULL},
};

static enum err read_formats(const struct settings *s, int *wanted)
{
    *wanted = s->terminal ? FIGURE_TERMINAL : 0;
    if (s->terminal && *s->format)
        FAIL(USAGE, "--terminal writes no files: leave out --format");
    for (int k = 0; k < FORMATS && !s->terminal; k++)
        if (option_lists(*s->format ? s->format : "svg,pdf", formats[k].name))
            *wanted |= formats[k].bit;
    return ERR_OK;
}

struct printing {
    const struct figure *figure;
    enum table_form form;
    enum err *e;
};

static void print_table(FILE *f, const void *context)
{
    const struct printing *p = context;
    *p->e = table_print(p->figure, p->form, f);
}

static enum err print_markdown(FILE *f, const void *figure)
{
    return table_print(figure, TABLE_MARKDOWN, f);
}

static enum err write_table(const struct figure *f, const struct settings *s)
{
    static const struct {
        enum table_form form;
        const char *ending;
    } forms[] = {{TABLE_TEXT, "txt"}, {TABLE_TEX, "tex"}};
    char path[PATH_LENGTH];
    if (s->terminal)
        return table_print(f, TABLE_TEXT, stdout);
    TRY(paths_folder(s->output, "choose another for the tables"));
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        enum err e = ERR_OK;
        const struct printing p = {f, forms[k].form, &e};
        if (snprintf(path, sizeof path, "%.3500s/%.255s.%s", s->output, f->stem, forms[k].ending) >=
            PATH_LENGTH)
            FAIL(USAGE, "'%s' is too long for the name of a folder", s->output);
        TRY(outfile_print(path, print_table, &p));
        TRY(e);
        puts(path);
    }
    snprintf(path, sizeof path, "%.3500s/%.255s", s->output, f->stem);
    TRY(markdown_report(path, 0, print_markdown, f));
    printf("%s.md\n", path);
    return ERR_OK;
}

static enum err draw(struct figure *f, const struct settings *s, int wanted)
{
    TRY(figures_draw(&f, 1, s->output, wanted));
    if (s->terminal)
        return ERR_OK;
    for (int k = 0; k < FORMATS; k++)
        if (wanted & formats[k].bit)
            printf("%s/%s.%s\n", s->output, f->stem, formats[k].name);
    printf("%s/data/%s.tsv\n%s/data/%s.gp\n", s->output, f->stem, s->output, f->stem);
    return ERR_OK;
}

/* The request and its result. */
struct plotting {
    const struct settings *settings;
    struct plot_devices devices;
    int formats, drawn; /* how many figures of the current experiment were drawn */
    char missing[768];  /* why the last one was not */
};

/* Draws figures with rows; missing rows are not an error here. */
static enum err plot_one(struct plotting *p, const char *name, const struct plot_device *device)
{
    struct figure f;
    TRY(figure_open(&f, name, &p->devices, device));
    enum err e = ERR_OK;
    const int present = f.tables.present;
    snprintf(p->missing, sizeof p->missing, "%s: %s", name, present ? "" : f.tables.missing);
    if (present && figure_is_table(&f.experiment))
        e = write_table(&f, p->settings);
    else if (present)
        e = draw(&f, p->settings, p->formats);
    p->drawn += present;
    figure_close(&f);
    return e;
}

static enum err plot_on_device(struct plotting *p, const char *name, const struct plot_device *d)
{
    const int before = p->drawn;
    TRY(plot_one(p, name, d));
    if (p->drawn > before)
        return ERR_OK;
    if (*p->settings->device)
        FAIL(CHECK, "%s", p->missing);
    log_info("%s", p->missing);
    return ERR_OK;
}

static enum err plot_on_devices(struct plotting *p, const char *name)
{
    const struct plot_devices *all = &p->devices;
    for (int k = 0; k < all->count; k += plot_device_environments(all, k))
        if (!*p->settings->device || strcmp(all->at[k].device, p->settings->device) == 0)
            TRY(plot_on_device(p, name, &all->at[k]));
    return ERR_OK;
}

static enum err plot(struct plotting *p, const char *name)
{
    struct experiment x;
    TRY(experiment_read(&x, name));
    const int common = figure_is_common(&x);
    experiment_free(&x);
    p->drawn = 0;
    *p->missing = '\0';
    if (common)
        TRY(plot_one(p, name, NULL));
    else
        TRY(plot_on_devices(p, name));
    if (p->drawn)
        return ERR_OK;
    if (common && *p->missing)
        FAIL(CHECK, "%s", p->missing);
    FAIL(CHECK, "no device has rows of '%s'%s", name,
         *p->missing ? "; the lines above name the commands that measure them"
                     : ": the tuning database has no device yet; `shoal tune` and `shoal measure` "
                       "add this one");
}

static enum err note_what_is_read(void)
{
    char path[PATH_LENGTH];
    TRY(paths_database(path));
    input_files_note(path);
    TRY(paths_file("experiments", path));
    input_files_note(path);
    return ERR_OK;
}

static enum err cmd_plot(const struct call *call)
{
    struct settings *s = call->settings;
    struct plotting p = {.settings = s};
    enum err e = ERR_OK;
    TRY(read_formats(s, &p.formats));
    if (!*s->output)
        TRY(paths_written("figures", "choose another with --output", s->output));
    TRY_OUT(note_what_is_read());
    e = s->all == (call->words > 0) ? err_set(ERR_USAGE, __FILE__, __LINE__,
                                              "plot takes names of experiments, or --all; "
                                              "`shoal list experiments` lists them")
                                    : ERR_OK;
    if (!e && s->all && (s->terminal || *s->format))
        e = err_set(ERR_USAGE, __FILE__, __LINE__, "--all takes --device and --output only");
    if (!e && s->all)
        e = gallery_write(s->output, s->device);
    if (e || s->all)
        goto out;
    TRY_OUT(plot_devices_read(&p.devices, ""));
    if (*s->device)
        TRY_OUT(plot_devices_check(&p.devices, s->device));
    for (int k = 0; k < call->words; k++)
        TRY_OUT(plot(&p, call->word[k]));
out:
    plot_devices_free(&p.devices);
    input_files_forget();
    return e;
}

const struct command command_plot = {
    .name = "plot",
    .arguments = "EXPERIMENT...",
    .title = "draws figures from the database",
    .place = 9,
    .about = "Draws experiments from the tuning database (tuning_db/, or SHOAL_DB), a figure\n"
             "for each device that has rows of it, and prints the files it wrote: EXPERIMENT-\n"
             "DEVICE.svg and .pdf, and in data/ the numbers (.tsv) and gnuplot's script (.gp).\n"
             "A table is written as text, HTML and LaTeX. `shoal list experiments` lists\n"
             "all of them.",
    .examples = "  shoal plot dt-factor\n"
                "  shoal plot dt-factor --device nvidia-h200 --terminal\n"
                "  shoal plot dt-factor schemes --format svg,png --output /tmp/figures\n"
                "  shoal plot --all",
    .options = options,
    .settings = sizeof(struct settings),
    .most = MOST,
    .run = cmd_plot,
};
