/* Draws an experiment that a test writes, on the made-up device; include after cmocka.h. */
#ifndef SHOAL_TEST_DRAWING_H
#define SHOAL_TEST_DRAWING_H

#include "plots/figures/draw.h"
#include "tests/support/figures.h"

#define WORKING "[data]\nsql = SELECT * FROM blocks WHERE outcome = 'ok' ORDER BY width, height\n"
#define BLOCKS  "[data]\nsql = SELECT * FROM blocks ORDER BY width, height\n"
#define AXES    "x-label = width (threads)\ny-label = time (us)\n"

static inline void write_experiment(const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text, HEAD "%s", rest);
    scratch_write("experiments/made-up.ini", "w", text);
}

/* Draws the experiment on the made-up device, or on all if it has one figure for all. */
static inline enum err draw(int formats)
{
    struct plot_devices all;
    struct figure f, *list[] = {&f};
    char folder[PATH_LENGTH];
    scratch_path(folder, "out");
    assert_fine(plot_devices_read(&all, ""));
    assert_int_equal(all.count, 1);
    enum err e = figure_open(&f, "made-up", &all, &all.at[0]);
    if (!e) {
        assert_true(f.tables.present);
        e = figures_draw(list, 1, folder, formats);
        figure_close(&f);
    }
    plot_devices_free(&all);
    return e;
}

static inline void draw_fine(const char *rest)
{
    write_experiment(rest);
    assert_fine(draw(FIGURE_SVG));
}

static inline void fails_with(const char *rest, const char *part)
{
    write_experiment(rest);
    if (!draw(FIGURE_SVG))
        fail_msg("no error with: %s", rest);
    ASSERT_HAS(err_message(), part);
}

#endif
