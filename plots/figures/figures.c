/* Draws figures: writes data and scripts, runs gnuplot, and moves its drawings into place. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/picture/gnuplot.h"
#include "core/base/key_value.h"
#include "core/base/output_file.h"
#include "core/base/input_files.h"
#include "core/picture/terminal.h"
#include "plots/figures/script.h"

enum { FORMATS = 4, BEFORE = 128 };

static const struct format {
    int bit;
    const char *form, *ending;
} formats_known[FORMATS] = {{FIGURE_SVG, "svg", "svg"},
                            {FIGURE_PDF, "pdf", "pdf"},
                            {FIGURE_PNG, "png", "png"},
                            {FIGURE_TERMINAL, "text", NULL}};

/* A figure being drawn in a format. */
struct drawn {
    const struct figure *figure;
    int format; /* in formats_known */
    char script[PATH_LENGTH], before[BEFORE];
    struct gnuplot_run run;
};

struct writing {
    const struct figure *figure;
    const struct shape *shape;
    const char *data_name;
    char *data, *script; /* the written data, to be freed */
    size_t data_size, script_size;
};

/* The text of a file of the installation. */
static enum err copy_part(FILE *script, const char *name)
{
    char path[PATH_LENGTH], text[4096];
    size_t n;
    TRY(paths_file(name, path));
    FILE *part = fopen(path, "r");
    if (!part)
        FAIL(USAGE, "'%s' cannot be read", path);
    input_files_note(path);
    fputc('\n', script);
    while ((n = fread(text, 1, sizeof text, part)) > 0)
        fwrite(text, 1, n, script);
    fclose(part);
    return ERR_OK;
}

static void script_head(const struct figure *f, FILE *script)
{
    const char *name = f->stem;
    fprintf(script,
            "# Draws a figure of Shoal from %s.tsv beside it, as SVG to stdout: gnuplot %s.gp > "
            "%s.svg\n# or to a file that is named: gnuplot -e \"picture='%s.pdf'\" %s.gp\n\n",
            name, name, name, name, name);
}

/* The script includes the style and the template, so that it draws the same anywhere. */
static enum err write_script(struct writing *w, const struct drawing_files *files)
{
    const struct figure *f = w->figure;
    char template[SCRIPT_TEXT];
    script_head(f, files->script);
    TRY(w->shape->write(f, files));
    TRY(copy_part(files->script, "plots/style.gp"));
    TRY(copy_part(files->script, "plots/panels.gp"));
    snprintf(template, sizeof template, "plots/%.64s.gp",
             draw_value(f, "template", w->shape->template));
    const enum err e = copy_part(files->script, template);
    return e == ERR_USAGE ? draw_fault(f, "template", err_message()) : e;
}

static enum err write_texts(struct writing *w)
{
    struct drawing_files files = {.data_name = w->data_name};
    enum err e = ERR_OK;
    TRY(draw_shape(&w->figure->experiment, &w->shape));
    if (!w->shape)
        FAIL(USAGE, "%s is a table: it cannot be drawn", w->figure->experiment.name);
    files.data = open_memstream(&w->data, &w->data_size);
    files.script = open_memstream(&w->script, &w->script_size);
    if (files.data && files.script)
        e = write_script(w, &files);
    else
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for a figure");
    if (files.data)
        fclose(files.data);
    if (files.script)
        fclose(files.script);
    return e;
}

struct bytes {
    const char *text;
    size_t size;
};

static void print_bytes(FILE *f, const void *context)
{
    const struct bytes *b = context;
    fwrite(b->text, 1, b->size, f);
}

static enum err put_file(const char *folder, const char *stem, const char *ending, const char *text,
                         size_t size)
{
    char path[PATH_LENGTH];
    const struct bytes b = {text, size};
    if (snprintf(path, sizeof path, "%s/%s.%s", folder, stem, ending) >= PATH_LENGTH)
        FAIL(USAGE, "'%s' is too long for the name of a folder", folder);
    return outfile_print(path, print_bytes, &b);
}

/* FOLDER/data/STEM.tsv and STEM.gp */
static enum err write_files(const struct figure *f, const char *data_folder)
{
    char name[PATH_LENGTH];
    struct writing w = {.figure = f, .data_name = name};
    snprintf(name, sizeof name, "%.200s.tsv", f->stem);
    enum err e = write_texts(&w);
    if (!e)
        e = put_file(data_folder, f->stem, "tsv", w.data, w.data_size);
    if (!e)
        e = put_file(data_folder, f->stem, "gp", w.script, w.script_size);
    free(w.data);
    free(w.script);
    return e;
}

/* Cairo dates what it writes. Blanks instead keep every offset in the file. */
static void remove_dates(char *pdf, size_t size)
{
    static const char *const dates[] = {"/CreationDate (", "/ModDate ("};
    for (size_t k = 0; k < sizeof dates / sizeof *dates; k++) {
        const size_t n = strlen(dates[k]);
        char *s = memmem(pdf, size, dates[k], n);
        char *end = s ? memchr(s, ')', size - (size_t)(s - pdf)) : NULL;
        if (end)
            memset(s, ' ', (size_t)(end - s) + 1);
    }
}

static enum err drawing_failed(const struct drawn *d)
{
    const char *says = d->run.message ? keyvalue_trim(d->run.message) : "";
    FAIL(CHECK, "%s cannot be drawn; gnuplot says: %.1500s", d->figure->stem,
         *says ? says : "nothing, and drew nothing");
}

static enum err put_in_place(struct drawn *d, const char *folder)
{
    if (d->run.err || !d->run.out)
        return drawing_failed(d);
    if (formats_known[d->format].bit == FIGURE_PDF)
        remove_dates(d->run.out, d->run.size);
    return put_file(folder, d->figure->stem, formats_known[d->format].ending, d->run.out,
                    d->run.size);
}

/* Keeps the first error, and continues if it concerns only one figure. */
static enum err keep_going(enum err e, enum err *first, char message[2048])
{
    const int of_figure = e == ERR_INPUT || e == ERR_USAGE || e == ERR_CHECK;
    if (of_figure && !*first) {
        *first = e;
        snprintf(message, 2048, "%s", err_message());
    }
    return of_figure ? ERR_OK : e;
}

struct batch {
    struct drawn *at;
    struct gnuplot_run **runs;
    int count;
    char data_folder[PATH_LENGTH];
};

static void add_runs(struct batch *b, const struct figure *f, int formats)
{
    for (int k = 0; k < FORMATS; k++) {
        if (!(formats & formats_known[k].bit))
            continue;
        struct drawn *d = &b->at[b->count];
        *d = (struct drawn){.figure = f, .format = k};
        snprintf(d->script, sizeof d->script, "%.200s.gp", f->stem);
        snprintf(d->before, sizeof d->before, "form = '%s'", formats_known[k].form);
        d->run = (struct gnuplot_run){
            .script = d->script, .before = d->before, .folder = b->data_folder};
        b->runs[b->count++] = &d->run;
    }
}

static enum err draw_files(struct batch *b, struct figure *const figures[], int count,
                           const char *folder, int formats)
{
    char message[2048] = "";
    enum err first = ERR_OK, e = ERR_OK;
    for (int k = 0; k < count; k++) {
        e = write_files(figures[k], b->data_folder);
        if (!e)
            add_runs(b, figures[k], formats);
        TRY(keep_going(e, &first, message));
    }
    TRY(gnuplot_draw(b->runs, b->count));
    for (int k = 0; k < b->count; k++)
        TRY(keep_going(put_in_place(&b->at[k], folder), &first, message));
    return first ? err_set(first, __FILE__, __LINE__, "%s", message) : ERR_OK;
}

static enum err draw_to_folder(struct figure *const figures[], int count, const char *folder,
                               int formats)
{
    struct batch b = {.count = 0};
    enum err e = ERR_OK;
    TRY(paths_folder(folder, "choose another for the figures"));
    if (snprintf(b.data_folder, sizeof b.data_folder, "%s/data", folder) >= PATH_LENGTH - 300)
        FAIL(USAGE, "'%s' is too long for the name of a folder", folder);
    TRY(paths_folder(b.data_folder, "choose another for the figures"));
    b.at = calloc((size_t)count * FORMATS + 1, sizeof *b.at);
    b.runs = calloc((size_t)count * FORMATS + 1, sizeof(struct gnuplot_run *));
    if (b.at && b.runs)
        e = draw_files(&b, figures, count, folder, formats);
    else
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %d figures", count);
    for (int k = 0; k < b.count; k++)
        gnuplot_free(&b.at[k].run);
    free(b.at);
    free(b.runs);
    return e;
}

/* An in-memory file with a text, which gnuplot opens by name. */
static enum err hold(const char *text, size_t size, int *file, char name[64])
{
    *file = memfd_create("figure", MFD_CLOEXEC);
    if (*file < 0 || write(*file, text, size) != (ssize_t)size)
        FAIL(MACHINE, "no temporary file for gnuplot");
    snprintf(name, 64, "/proc/%ld/fd/%d", (long)getpid(), *file);
    return ERR_OK;
}

static void terminal_settings(char before[BEFORE])
{
    enum { COLUMNS = 79, ROWS = 24 };
    struct winsize size = {.ws_col = 0};
    if (!isatty(1) || ioctl(1, TIOCGWINSZ, &size) != 0 || size.ws_col < 40 || size.ws_row < 12)
        size = (struct winsize){.ws_col = COLUMNS + 1, .ws_row = ROWS + 1};
    snprintf(before, BEFORE, "form = 'text'; columns = %d; rows = %d; ansi = %d", size.ws_col - 1,
             size.ws_row - 1, terminal_in_colour());
}

static enum err draw_here(const struct figure *f)
{
    char data[64], script[64], before[BEFORE];
    int data_file = -1, script_file = -1;
    struct writing w = {.figure = f, .data_name = data};
    struct drawn d = {.figure = f, .run = {.script = script, .before = before}};
    struct gnuplot_run *run = &d.run;
    enum err e = ERR_OK;
    TRY_OUT(hold("", 0, &data_file, data));
    TRY_OUT(write_texts(&w));
    if (write(data_file, w.data, w.data_size) != (ssize_t)w.data_size)
        e = err_set(ERR_MACHINE, __FILE__, __LINE__, "no temporary file for gnuplot");
    if (e)
        goto out;
    TRY_OUT(hold(w.script, w.script_size, &script_file, script));
    terminal_settings(before);
    TRY_OUT(gnuplot_draw(&run, 1));
    if (d.run.err)
        TRY_OUT(drawing_failed(&d));
    fwrite(d.run.out, 1, d.run.size, stdout);
out:
    gnuplot_free(&d.run);
    free(w.data);
    free(w.script);
    if (data_file >= 0)
        close(data_file);
    if (script_file >= 0)
        close(script_file);
    return e;
}

static enum err draw_to_terminal(const struct figure *f)
{
    const struct experiment *x = &f->experiment;
    const struct shape *shape;
    TRY(draw_shape(x, &shape));
    printf("%s\n", experiment_value(x, experiment_section(x, "", 0), "title"));
    if (shape && shape->print)
        TRY(shape->print(f, stdout, terminal_in_colour()));
    else
        TRY(draw_here(f));
    printf("%s\n", f->foot);
    return ERR_OK;
}

enum err figures_draw(struct figure *const figures[], int count, const char *folder, int formats)
{
    if (formats & FIGURE_TERMINAL)
        for (int k = 0; k < count; k++)
            TRY(draw_to_terminal(figures[k]));
    if (formats & ~FIGURE_TERMINAL)
        return draw_to_folder(figures, count, folder, formats & ~FIGURE_TERMINAL);
    return ERR_OK;
}
