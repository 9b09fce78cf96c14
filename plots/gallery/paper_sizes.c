/* What experiments take on disk. */
#include <string.h>
#include <sys/stat.h>

#include "plots/gallery/paper.h"

static long size_of(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? (long)s.st_size : 0;
}

/* What is drawn of a showing: pictures or a table, its data and script. */
static long drawn_bytes(const struct gallery *g, const struct showing *s)
{
    static const char *const places[][2] = {{"", "svg"},      {"", "pdf"},      {"", "png"},
                                            {"", "txt"},      {"data/", "tsv"}, {"data/", "gp"},
                                            {"paper/", "tex"}};
    long bytes = 0;
    for (size_t k = 0; s->drawn && k < sizeof places / sizeof *places; k++) {
        char path[PATH_LENGTH];
        snprintf(path, sizeof path, "%.*s/%s%.*s.%s", PATH_LENGTH - 300, g->folder, places[k][0],
                 256, s->figure.stem, places[k][1]);
        bytes += size_of(path);
    }
    return bytes;
}

long paper_exhibit_bytes(const struct gallery *g, const struct exhibit *x)
{
    long bytes = 0;
    for (int k = 0; k < x->count; k++)
        bytes += drawn_bytes(g, &x->showing[k]);
    return bytes;
}

long paper_drawn_bytes(const struct gallery *g)
{
    long bytes = 0;
    for (int k = 0; k < g->count; k++)
        bytes += paper_exhibit_bytes(g, &g->exhibit[k]);
    return bytes;
}

/* Is it one of the words of a value? */
static int has_word(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *c = words; c && (c = strstr(c, word)) != NULL; c += n)
        if ((c == words || c[-1] == ' ') && (c[n] == ' ' || !c[n]))
            return 1;
    return 0;
}

/* Is it a table of an experiment's rows, or a part of one: .../NAME.tsv, .../NAME.SESSION.tsv? */
static int holds_rows(const char *file, const struct db_place *place, const struct experiment *x)
{
    const struct section *measure = experiment_section(x, "measure", 0);
    const char *name = strrchr(file, '/');
    const size_t n = strlen(x->name);
    if (place->kind == DB_EXPERIMENT)
        return name && strncmp(name + 1, x->name, n) == 0 && name[1 + n] == '.';
    return (place->kind == DB_KERNEL || place->kind == DB_KERNEL_PART) &&
           has_word(experiment_value(x, measure, "kernel"), place->kernel);
}

long paper_row_bytes(const struct gallery *g, const struct experiment *x)
{
    const struct db_list *files = &g->devices.files;
    long bytes = 0;
    for (size_t k = 0; k < files->count; k++) {
        struct db_place place;
        char path[PATH_LENGTH];
        db_place_parse(files->path[k], &place);
        if (holds_rows(files->path[k], &place, x) &&
            !db_path(g->devices.folder, files->path[k], path))
            bytes += size_of(path);
    }
    return bytes;
}
