/* A made-up installation and database, from which the gallery is drawn. */
#ifndef SHOAL_TESTS_GALLERY_H
#define SHOAL_TESTS_GALLERY_H

#include "experiments/measure/measure_parts.h"
#include "tests/support/database.h"
#include "tests/support/need_gnuplot.h"
#include "tests/support/manifest.h"

static char path_of_the_tools[PATH_LENGTH], installation[PATH_LENGTH];

static const char figure[] =
    "title = Speed of a scheme\n"
    "chapter = Schemes\n"
    "figure = thesis 3.2\n"
    "caption = At most {best:.1f} & no <more>.\n"
    "readme = yes\n"
    "[measure]\nkind = runs\ntakes = a moment\n"
    "case = sine\nscheme = rk2\nnx = 64 128\nrepeat = 1\n"
    "[data]\nsql = SELECT * FROM measured_speed ORDER BY nx\n"
    "[draw]\nshape = series\nx = nx\ny = mcells_per_s\n"
    "x-label = cells\ny-label = speed\n"
    "[facts]\nbest = SELECT max(mcells_per_s) FROM data\nsmall = :best / 3000\n"
    "none = SELECT max(mcells_per_s) FROM data WHERE nx = 1\nword = 'dry & wet'\n"
    "[claim]\nid = speed-much\nwhere = section 3\nclaim = It is fast.\n"
    "published = 2 <or> 3\nours = {best:.1f}\nholds = :best > 1\n"
    "compares = speed with a number\nsince = 2014-05-14T08:00Z 8bb5893f\n"
    "remark = Cells do not matter.\n"
    "[claim]\nid = speed-more\nwhere = section 3\nclaim = It is faster.\n"
    "published = 200\nours = {best:.1f}\nholds = :best > 100\n"
    "compares = speed with a number\nsince = 2014-05-16T08:00Z ddf99d5b\n";
static const char table[] = "title = Speed as a table\n"
                            "chapter = Kernels\n"
                            "caption = Cells and speed.\n"
                            "[data]\nsql = SELECT * FROM measured_speed ORDER BY nx\n"
                            "[draw]\nshape = table\ncolumns = nx: Cells; mcells_per_s: Speed\n";
static const char nobody[] = "title = Never measured\nchapter = Search\n"
                             "[measure]\nkind = runs\ncase = sine\nscheme = rk2\nnx = 64\n"
                             "[data]\nsql = SELECT * FROM measured_nobody ORDER BY nx\n"
                             "[draw]\nshape = table\ncolumns = nx: Cells\n";

static inline void write_experiment(const char *name, const char *before, const char *text)
{
    char file[256];
    snprintf(file, sizeof file, "home/experiments/%s.ini", name);
    scratch_write(file, "w", before);
    scratch_write(file, "a", text);
}

/* The experiment "speed" with other facts and claims. */
static inline void write_speed_with(const char *facts)
{
    char before[sizeof figure];
    snprintf(before, sizeof before, "%.*s", (int)(strstr(figure, "[facts]") - figure), figure);
    write_experiment("speed", before, facts);
}

/* Rows of `most` points of an experiment, as if they had been measured. */
static inline void write_points(const char *name, int most)
{
    const struct measure_setup setup = {.backend = CUDA, .precision = -1};
    struct experiment x;
    struct point *point;
    char file[256], line[DB_LINE], cells[POINT_CELLS];
    int count;
    assert_fine(experiment_read(&x, name));
    assert_fine(measure_plan(&x, &setup, &point, &count));
    assert_true(count >= most);
    snprintf(file, sizeof file, "experiments/%s.tsv", name);
    measure_header(&kind_runs, measure_told(&x), line);
    scratch_write(inside(file), "w", line);
    scratch_write(inside(file), "a", "\n");
    for (int k = 0; k < most; k++) {
        measure_cells(&point[count - 1 - k], 64, cells);
        snprintf(line, sizeof line, "%s\t0000000a\tok\t-", cells);
        for (const char *c = kind_runs.columns; c; c = strchr(c + 1, '\t'))
            snprintf(line + strlen(line), sizeof line - strlen(line), "\t%d.5", k + 1);
        scratch_write(inside(file), "a", line);
        scratch_write(inside(file), "a", "\n");
    }
    free(point);
    experiment_free(&x);
}

static inline void link_part(const char *name)
{
    char from[PATH_LENGTH], to[PATH_LENGTH], local[64];
    snprintf(from, sizeof from, "%.4000s/%s", installation, name);
    snprintf(local, sizeof local, "home/%s", name);
    scratch_path(to, local);
    assert_int_equal(symlink(from, to), 0);
}

/* An installation whose experiments are ours, and a database that has rows of two of them. */
static inline int set_up(void **state)
{
    static const char *const parts[] = {"kernels", "plots", "schemes"};
    char path[PATH_LENGTH];
    const char *tools = getenv("PATH");
    snprintf(path_of_the_tools, sizeof path_of_the_tools, "%s", tools ? tools : "/usr/bin:/bin");
    assert_int_equal(build_database(state), 0);
    scratch_folder("home");
    scratch_folder("home/experiments");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        link_part(parts[k]);
    scratch_path(path, "home");
    setenv("SHOAL_HOME", path, 1);
    scratch_path(path, "db");
    setenv("SHOAL_DB", path, 1);
    write_experiment("speed", "", figure);
    write_experiment("table", "", table);
    scratch_folder(inside("experiments"));
    write_points("speed", 2);
    return 0;
}

static inline int tear_down(void **state)
{
    setenv("PATH", path_of_the_tools, 1);
    return scratch_remove(state);
}

/* Figures need gnuplot; what applies to tables as well is tested with a table. */
static inline void without_the_figure(void)
{
    static const char marker[] = "[draw]\nshape = series\nx = nx\ny = mcells_per_s\n"
                                 "x-label = cells\ny-label = speed\n";
    char text[sizeof figure + 64];
    const size_t before = (size_t)(strstr(figure, marker) - figure);
    snprintf(text, sizeof text, "%.*s[draw]\nshape = table\ncolumns = nx: Cells\n%s", (int)before,
             figure, figure + before + strlen(marker));
    write_experiment("speed", "", text);
}

static inline const char *page(void)
{
    static char text[MOST_TEXT];
    program_read("out/index.html", text);
    return text;
}

static inline const char *text_of_page(void)
{
    static char text[MOST_TEXT];
    program_read("out/index.md", text);
    return text;
}

/* The file's content, followed by zeros. */
static inline const char *generated(const char *name)
{
    static char text[MOST_TEXT];
    memset(text, 0, sizeof text);
    program_read(name, text);
    return text;
}

static inline void plot_all(void)
{
    SHOAL("plot", "--all", "--output", "out");
}

#endif
