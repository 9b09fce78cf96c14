/* An experiment from text, and tables that it has rows in; include after cmocka.h. */
#ifndef SHOAL_TEST_TABLES_H
#define SHOAL_TEST_TABLES_H

#include "tests/support/test.h"
#include "plots/data/source.h"
#include "tests/support/scratch.h"

static inline void assert_said(const char *message)
{
    if (!strstr(err_message(), message))
        fail_msg("no '%s' in '%s'", message, err_message());
}

/* An installation in the scratch folder. */
static inline int install(void **state)
{
    (void)state;
    scratch_create();
    scratch_folder("kernels");
    scratch_folder("experiments");
    scratch_write("kernels/tile.h", "w", "");
    return setenv("SHOAL_HOME", scratch, 1);
}

static inline int uninstall(void **state)
{
    unsetenv("SHOAL_HOME");
    return scratch_remove(state);
}

#define INSTALLED(test) cmocka_unit_test_setup_teardown(test, install, uninstall)

/* Sections follow the four lines that every experiment has. */
static inline struct experiment experiment_of(const char *sections)
{
    struct experiment read;
    scratch_write("experiments/text.ini", "w",
                  "title = A title\nchapter = A chapter\n[draw]\nshape = table\n");
    scratch_write("experiments/text.ini", "a", sections);
    fine(experiment_read(&read, "text"));
    return read;
}

/* Columns and rows as text: cells separated by commas, rows ended by line ends. */
static inline void fill_frame(struct frame *f, const char *text)
{
    char *copy = strdup(text), *next = copy;
    assert_non_null(copy);
    *f = (struct frame){0};
    char *names = strsep(&next, "\n");
    for (char *name = strsep(&names, ","); name; name = strsep(&names, ","))
        fine(frame_add_column(f, name, "-", NULL));
    for (char *line = strsep(&next, "\n"); line && *line; line = strsep(&next, "\n")) {
        fine(frame_add_row(f));
        for (int k = 0; k < f->columns; k++)
            fine(frame_set(f, f->rows - 1, k, strsep(&line, ",")));
    }
    free(copy);
}

enum { TEST_TABLES = 8 };

static inline void add_table(struct plot_tables *t, const char *name, const char *text)
{
    if (!t->at)
        t->at = calloc(TEST_TABLES, sizeof *t->at);
    assert_true(t->at && t->count < TEST_TABLES);
    snprintf(t->at[t->count].name, sizeof t->at->name, "%s", name);
    fill_frame(&t->at[t->count++].frame, text);
}

static inline void remove_tables(struct plot_tables *t)
{
    for (int k = 0; k < t->count; k++)
        frame_free(&t->at[k].frame);
    free(t->at);
    *t = (struct plot_tables){0};
}

#endif
