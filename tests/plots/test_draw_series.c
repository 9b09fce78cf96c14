/* Figures of series of points: what each key of [draw] does to them. */
#include <math.h>
#include "tests/support/test.h"

#include "tests/support/drawing.h"

/* A table db/published/work/NAME.tsv. */
static void publish(const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "db/published/work/%s.tsv", name);
    scratch_folder("db/published");
    scratch_folder("db/published/work");
    scratch_write(path, "w", text);
}

static int count_in(const char *file, const char *part)
{
    size_t size;
    int count = 0;
    char *text = scratch_read(file, &size);
    for (const char *s = text; (s = strstr(s, part)) != NULL; s += strlen(part))
        count++;
    free(text);
    return count;
}

/* Two curves, the exact solution, and a share of something else; the front is at x = 8. */
static void write_profile(void)
{
    char text[4096] = "# source: made up\nx\th\ttrue\tdry\tkind\n";
    for (int k = 0; k < 24; k++) {
        const size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%d\t%g\t%g\t%d\t%s\n", k / 2,
                 k / 2 < 8 ? 2.0 + k % 2 : 1, k / 2 < 8 ? 2.5 : 1, 5 * k / 2,
                 k % 2 ? "fine" : "coarse");
    }
    publish("profile", text);
}

#define PROFILE                                                                                    \
    "[data]\nsql = SELECT * FROM work_profile ORDER BY rowid\n[draw]\nshape = series\nx = x\ny = " \
    "h\nseries = "                                                                                 \
    "kind\n" AXES

/* Several rows of one point become their median and range; a panel and a series are texts of columns. */
static void a_series_has_the_median_and_the_range_of_equal_points(void **state)
{
    (void)state;
    need_gnuplot();
    publish("speeds", "# source: made up\nn\tspeed\tkind\twhere\n"
                      "2\t7\tb\there\n1\t5\ta\there\n1\t3\ta\there\n1\t4\ta\there\n2\t9\ta\tthere\n"
                      "3\t-\ta\there\n");
    draw_fine("[data]\nsql = SELECT * FROM work_speeds ORDER BY rowid\n"
              "[draw]\nshape = series\nx = n\ny = speed\npanel = where\nseries = kind\n" AXES);
    size_t size;
    char *text = scratch_read("out/data/made-up.tsv", &size);
    assert_string_equal(text, "panel\tseries\tx\ty\tlow\thigh\n"
                              "here\tb\t2\t7\t-\t-\n\n\n"
                              "here\ta\t1\t4\t3\t5\n\n\n"
                              "there\ta\t2\t9\t-\t-\n");
    free(text);
    assert_file_has("out/made-up.svg", "</svg>");
    assert_file_has("out/made-up.svg", "time (us)");
}

static void shares_add_up_to_one(void **state)
{
    (void)state;
    need_gnuplot();
    draw_fine("[data]\nsql = SELECT *, cume_dist() OVER (ORDER BY loss) AS share FROM blocks\n"
              "  WHERE outcome = 'ok' ORDER BY loss\n"
              "[draw]\nshape = series\ntemplate = steps\nx = loss\ny = share\n" AXES);
    assert_file_has("out/data/made-up-made-up-9.tsv", "-\t-\t0\t0.5\t-\t-\n-\t-\t20\t1\t-\t-\n");
}

static void what_is_exact_and_what_has_an_axis_of_its_own_are_one_curve_each(void **state)
{
    (void)state;
    need_gnuplot();
    write_profile();
    draw_fine(PROFILE "exact = true\ny2 = dry\ny2-label = dry (%)\nstyle = band lines\n");
    assert_file_has("out/data/made-up.tsv", "-\ttrue\t7\t2.5\t-\t-\n-\ttrue\t8\t1\t-\t-\n");
    assert_file_has("out/data/made-up.tsv", "-\tdry\t0\t");
    assert_file_has("out/data/made-up.gp", "curve_style[3] = 'exact'");
    assert_file_has("out/data/made-up.gp", "curve_style[4] = 'second'");
    /* It reaches 57; the left axis belongs to the others. */
    assert_file_has("out/data/made-up.gp", "second_end = 60");
    assert_file_has("out/data/made-up.gp", "y_range[1] = '[0:3]'");
    assert_file_has("out/made-up.svg", "dry (%)");
    fails_with(PROFILE "y2 = dry\n", "[draw] y2-label: every axis has one");
}

static void the_front_is_found_and_enlarged(void **state)
{
    (void)state;
    need_gnuplot();
    write_profile();
    draw_fine(PROFILE "exact = true\nzoom = front\n");
    assert_file_has("out/made-up.svg", "the front");
    assert_file_has("out/data/made-up.gp", "x_range[2] = '[5.68:7.88]'");
    draw_fine(PROFILE "zoom = 2 3\n");
    assert_file_has("out/data/made-up.gp", "x_range[2] = '[2:3]'");
    fails_with(PROFILE "zoom = 3 2\n", "zoom: is 'front', or two values of x");
}

static void rows_that_agree_in_a_column_are_one_point_and_joined_in_its_order(void **state)
{
    (void)state;
    need_gnuplot();
    publish("runs", "# source: made up\nn\tname\ttime\terror\n"
                    "100\tc\t5\t1\n20\ta\t3\t6\n20\ta\t1\t4\n20\ta\t2\t5\n9\tb\t4\t7\n");
    draw_fine("[data]\nsql = SELECT * FROM work_runs ORDER BY rowid\n"
              "[draw]\nshape = series\nx = time\ny = error\nby = n\n" AXES);
    assert_file_has("out/data/made-up.tsv",
                    "-\t-\t4\t7\t-\t-\n-\t-\t2\t5\t4\t6\n-\t-\t5\t1\t-\t-\n");
    draw_fine("[data]\nsql = SELECT * FROM work_runs ORDER BY rowid\n"
              "[draw]\nshape = series\nx = time\ny = error\nby = name\n" AXES);
    assert_file_has("out/data/made-up.tsv",
                    "-\t-\t2\t5\t4\t6\n-\t-\t4\t7\t-\t-\n-\t-\t5\t1\t-\t-\n");
}

static void bars_can_stand_on_one_another(void **state)
{
    (void)state;
    need_gnuplot();
    write_profile();
    draw_fine(PROFILE "template = bars\nstack = yes\n");
    assert_file_has("out/data/made-up.tsv", "-\tcoarse\t3\t2\t0\t2\n");
    assert_file_has("out/data/made-up.tsv", "-\tfine\t3\t3\t2\t5\n");
    fails_with(PROFILE "stack = yes\n", "only bars can be stacked");
}

/* The exact solution's front is at x = 8, that of the first series at 4. */
static void the_exact_solution_says_where_the_front_is(void **state)
{
    char text[1024] = "# source: made up\nx\th\ttrue\tkind\n";
    (void)state;
    need_gnuplot();
    for (int k = 0; k < 12; k++) {
        const size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%d\t%d\t%d\tfine\n", k, k < 4 ? 2 : 1, k < 8 ? 2 : 1);
    }
    publish("profile", text);
    draw_fine(PROFILE "zoom = front\n");
    assert_file_has("out/data/made-up.gp", "x_range[2] = '[1.68:3.88]'");
    draw_fine(PROFILE "exact = true\nzoom = front\n");
    assert_file_has("out/data/made-up.gp", "x_range[2] = '[5.68:7.88]'");
}

/* y goes from 1 to 3, in the zoom from 2 to 3. */
static void a_zoom_shows_what_lies_within_it_and_where_the_cells_are(void **state)
{
    (void)state;
    need_gnuplot();
    write_profile();
    draw_fine(PROFILE "zoom = 2 3\nstyle = lines\n");
    assert_file_has("out/data/made-up.gp", "y_range[1] = '[0:3]'");
    assert_file_has("out/data/made-up.gp", "y_range[2] = '[1.94:3.12]'");
    const int lines = count_in("out/made-up.svg", "<use ");
    draw_fine(PROFILE "zoom = 2 3\nstyle = cells\n");
    assert_int_equal(count_in("out/made-up.svg", "<use ") - lines, 4);
    draw_fine(PROFILE "style = cells\n");
    assert_int_equal(count_in("out/made-up.svg", "<use "), lines);
}

static void a_second_quantity_stands_in_panels_below(void **state)
{
    (void)state;
    need_gnuplot();
    publish("steps", "# source: made up\nr\ttime\tshare\tcase\tscheme\n1\t2\t12\tdam\tds1\n"
                     "2\t3\t14\tdam\tds1\n1\t4\t13\tsine\tds1\n1\t5\t17\tsine\tds2\n");
#define STEPS                                                                                    \
    "[data]\nsql = SELECT * FROM work_steps ORDER BY rowid\n[draw]\nshape = series\nx = r\ny = " \
    "time\npanel = "                                                                             \
    "case\nseries = scheme\ny-low = 1\nmark = six | - | 6\n" AXES
    draw_fine(STEPS "below = share\nbelow-label = redone (%)\n");
    assert_file_has("out/data/made-up.tsv", "dam share\tds1\t1\t12\t-\t-\n"
                                            "dam share\tds1\t2\t14\t-\t-\n\n\n"
                                            "sine share\tds1\t1\t13\t-\t-\n\n\n"
                                            "sine share\tds2\t1\t17\t-\t-\n");
    const char *script = "out/data/made-up.gp";
    assert_file_has(script, "\nbelow = 2\n");
    assert_file_has(script, "\nacross = 2\n");
    assert_file_has(script, "panel_title[2] = 'sine'\npanel_title[3] = ''\npanel_title[4] = ''");
    assert_file_has(script, "y_range[1] = '[1:6]'");
    assert_file_has(script, "y_range[3] = '[0:14]'");
    assert_file_has(script, "y_range[4] = '[0:20]'");
    assert_file_has("out/made-up.svg", "redone (%)");
    assert_int_equal(count_in("out/made-up.svg", ">six<"), 2); /* not below */
    fails_with(STEPS "below = share\n", "[draw] below-label: every axis has one");
    fails_with(STEPS "below = share\nbelow-label = a\nzoom = front\n", "cannot go with zoom");
}

static void parts_of_bars_have_their_names_in_them_and_relatives_share_a_colour(void **state)
{
    (void)state;
    need_gnuplot();
    publish("shares", "# source: made up\nscheme\tpart\tpercent\neuler\tflux0\t60\n"
                      "euler\tflux1\t20\neuler\trk0\t18\neuler\tclock\t2\n");
#define SHARES                                                                                    \
    "[data]\nsql = SELECT * FROM work_shares ORDER BY rowid\n[draw]\nshape = series\ntemplate = " \
    "bars\nx = "                                                                                  \
    "scheme\ny = percent\nseries = part\nstack = yes\ny-high = 100\n" AXES
    draw_fine(SHARES "label = part\n");
    const char *svg = "out/made-up.svg";
    assert_file_has(svg, ">flux0  60 %<");
    assert_file_has(svg, ">flux1  20 %<");
    assert_file_has(svg, ">rk0  18 %<");
    assert_int_equal(count_in(svg, "clock"), 0); /* too thin */
    assert_int_equal(count_in(svg, "<polygon fill = 'rgb( 86, 180, 233)'"), 2);
    assert_int_equal(count_in(svg, "<polygon fill = 'rgb(127, 127, 127)'"), 1);
    draw_fine(SHARES);
    assert_int_equal(count_in(svg, "60 %"), 0);
    assert_file_has(svg, ">clock<"); /* in the key */
}

/* The corners of the n-th path of a colour, "M x,y L x,y ...". */
static int read_path(const char *text, const char *colour, int n, double corner[][2], int room)
{
    char begin[64];
    int count = 0;
    snprintf(begin, sizeof begin, "<path stroke='rgb(%s)'  d='", colour);
    const char *s = text;
    for (; n >= 0 && s; n--) {
        s = strstr(s, begin);
        s = s ? s + strlen(begin) : NULL;
    }
    if (!s)
        fail_msg("no such path of %s", colour);
    for (; s && *s != '\'' && count < room; s += strcspn(s, "ML'")) {
        s += *s == 'M' || *s == 'L';
        char *comma, *end = NULL;
        const double x = strtod(s, &comma);
        corner[count][0] = x;
        corner[count][1] = *comma == ',' ? strtod(comma + 1, &end) : 0;
        count += comma > s && *comma == ',' && end && end > comma + 1;
    }
    return count;
}

static double side_of(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int lines_cross(const double a[2], const double b[2], const double c[2], const double d[2])
{
    return side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0;
}

/* In the order of their heights the line to the name of d, which is far away, would cross that of e. */
static void a_roofs_ceilings_meet_and_lines_to_names_do_not_cross(void **state)
{
    enum { ROOM = 2000, POINTS = 6 };
    static double slope[ROOM][2], level[ROOM][2], leader[2 * POINTS + 1][2];
    size_t size;
    (void)state;
    need_gnuplot();
    publish("roof", "# source: made up\nx\ty\tkernel\n9\t5.3\ta\n9\t5.2\tb\n9\t5.1\tc\n0.2\t5\td\n"
                    "9\t4.95\te\n0.2\t4.9\tf\n");
    draw_fine("[data]\nsql = SELECT * FROM work_roof ORDER BY rowid\n[draw]\nshape = "
              "series\ntemplate = roofline\n"
              "x = x\ny = y\nseries = kernel\nmark = memory | slope | 2\nmark = peak | - | 7\n"
              "x-low = 0.1\nx-high = 10\ny-low = 0.1\ny-high = 10\n" AXES);
    char *text = scratch_read("out/made-up.svg", &size);
    const int last = read_path(text, " 51,  51,  51", 0, slope, ROOM) - 1;
    assert_true(last > 0 && read_path(text, " 51,  51,  51", 1, level, ROOM) > 1);
    if (fabs(slope[last][0] - level[0][0]) > 1.5 || fabs(slope[last][1] - level[0][1]) > 1.5)
        fail_msg("the slope ends at %g,%g, the level begins at %g,%g", slope[last][0],
                 slope[last][1], level[0][0], level[0][1]);
    assert_int_equal(read_path(text, "176, 176, 176", 0, leader, 2 * POINTS + 1), 2 * POINTS);
    free(text);
    for (size_t k = 0; k < POINTS; k++)
        for (size_t m = 0; m < k; m++)
            if (lines_cross(leader[2 * k], leader[2 * k + 1], leader[2 * m], leader[2 * m + 1]))
                fail_msg("lines to names cross");
}

/* Beside each line a name fits at one end only: at the other one curves are in its way. */
static void the_name_of_a_line_upwards_keeps_out_of_the_curves(void **state)
{
    (void)state;
    need_gnuplot();
    publish("way", "# source: made up\nx\ty\n0\t0\n4\t1\n6\t9\n10\t10\n");
    draw_fine("[data]\nsql = SELECT * FROM work_way ORDER BY rowid\n[draw]\nshape = series\nx = "
              "x\ny = y\n"
              "mark = early | 2 | -\nmark = late | 8 | -\n" AXES);
    size_t size;
    char *text = scratch_read("out/made-up.svg", &size);
    static const char *const names[] = {">early<", ">late<"};
    double place[2];
    for (int k = 0; k < 2; k++) {
        const char *s = strstr(text, names[k]), *at = text;
        assert_non_null(s);
        for (const char *g = text; (g = strstr(g, "translate(")) != NULL && g < s; g++)
            at = g;
        at = strchr(at, ',');
        assert_non_null(at);
        place[k] = at ? strtod(at + 1, NULL) : 0;
    }
    free(text);
    if (place[0] > 205 || place[1] < 205)
        fail_msg("names stand at %g and %g pixels from above", place[0], place[1]);
}

/* Cells are 1 m wide, so their edge jumps to and fro by as much; the circle's radius is 2.5 m. */
static void a_mound_has_a_smooth_edge(void **state)
{
    enum { RAYS = 160 };
    size_t size;
    int rims = 0;
    double before = 0, most = 0;
    (void)state;
    need_gnuplot();
#define SURFACE "shape = surface\nx-label = x (m)\ny-label = y (m)\nz-label = level (m)\n"
    draw_fine("[data]\nsql = SELECT * FROM case_circular_dam_40 ORDER BY y, x\n[draw]\n" SURFACE);
    assert_file_has("out/data/made-up.gp", "mound[1] = 1");
    char *text = scratch_read("out/data/made-up.tsv", &size);
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
        char *next = line + strlen("data");
        if (strncmp(line, "data\t", 5) != 0)
            continue;
        const double x = strtod(next, &next), y = strtod(next, &next), z = strtod(next, &next);
        double radius;
        if (z < 2 || hypot(x, y) > 10)
            continue;
        if (rims++ >= RAYS + 1) /* the wall comes first */
            continue;
        radius = hypot(x, y);
        assert_true(fabs(radius - 2.5) < 0.5);
        most = rims > 1 ? fmax(most, fabs(radius - before)) : 0;
        before = radius;
    }
    free(text);
    assert_true(rims >= 2 * (RAYS + 1));
    if (most > 0.12)
        fail_msg("the edge jumps by %g m", most);
    draw_fine("[data]\nsql = SELECT * FROM case_parabola_12 ORDER BY y, x\n[draw]\n" SURFACE);
    assert_file_has("out/data/made-up.gp", "mound[1] = 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIGURES(a_series_has_the_median_and_the_range_of_equal_points),
        WITH_FIGURES(shares_add_up_to_one),
        WITH_FIGURES(what_is_exact_and_what_has_an_axis_of_its_own_are_one_curve_each),
        WITH_FIGURES(the_front_is_found_and_enlarged),
        WITH_FIGURES(the_exact_solution_says_where_the_front_is),
        WITH_FIGURES(a_zoom_shows_what_lies_within_it_and_where_the_cells_are),
        WITH_FIGURES(a_second_quantity_stands_in_panels_below),
        WITH_FIGURES(rows_that_agree_in_a_column_are_one_point_and_joined_in_its_order),
        WITH_FIGURES(bars_can_stand_on_one_another),
        WITH_FIGURES(parts_of_bars_have_their_names_in_them_and_relatives_share_a_colour),
        WITH_FIGURES(a_roofs_ceilings_meet_and_lines_to_names_do_not_cross),
        WITH_FIGURES(the_name_of_a_line_upwards_keeps_out_of_the_curves),
        WITH_FIGURES(a_mound_has_a_smooth_edge),
    };
    if (installation_find())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
