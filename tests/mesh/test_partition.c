/* Dividing a domain into parts, and which part fills which ghost cells. */
#include "tests/support/test.h"

#include "core/mesh/plan.h"

enum { GHOST_CELLS = 2, MOST = 40 };

static struct partition cut(const char *text, int nx, int ny)
{
    struct shares s;
    struct partition c;
    fine(shares_read(text, &s));
    fine(cut_domain(&s, nx, ny, GHOST_CELLS, &c));
    return c;
}

static void parts_are_asked_for_by_number_by_columns_and_rows_and_by_shares(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
        int columns, rows;
    } cases[] = {{"1", "1", 1, 1},         {"4", "4", 1, 4},   {"2x3", "2x3", 2, 3},
                 {"1:2:1", "1:2:1", 1, 3}, {"1:1", "2", 1, 2}, {"3x1:4", "3x1:4", 3, 2},
                 {"2:1x1", "2:1x1", 2, 1}, {"64", "64", 1, 64}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[256];
        struct shares s;
        fine(shares_read(cases[k].text, &s));
        assert_int_equal(s.count[0], cases[k].columns);
        assert_int_equal(s.count[1], cases[k].rows);
        assert_int_equal(shares_parts(&s), cases[k].columns * cases[k].rows);
        shares_print(&s, text, sizeof text);
        assert_string_equal(text, cases[k].printed);
    }
}

static void what_names_no_parts_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",    "0",    "-1", "2x", "x2", "1:0:2", "1:",  "2x2x2", "a",
        "1.5", "1::2", " 2", "2 ", "65", "64x5",  "1e3", ":1",    "99999999999999999999"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct shares s = {{7, 7}, {{0}, {0}}};
        char quoted[32];
        snprintf(quoted, sizeof quoted, "'%s'", wrong[k]);
        if (shares_read(wrong[k], &s) != ERR_USAGE)
            fail_msg("'%s' is taken for %d x %d parts", wrong[k], s.count[0], s.count[1]);
        if (!strstr(err_message(), quoted))
            fail_msg("%s is not in: %s", quoted, err_message());
        assert_int_equal(s.count[0], 7);
    }
}

static void too_many_parts_are_refused_with_the_most_that_would_do(void **state)
{
    (void)state;
    struct shares s;
    struct partition c;
    fine(shares_read("6", &s));
    assert_int_equal(cut_domain(&s, 100, 11, GHOST_CELLS, &c), ERR_USAGE);
    assert_non_null(strstr(err_message(), "at most 5 equal parts"));
    fine(shares_read("5", &s));
    fine(cut_domain(&s, 100, 11, GHOST_CELLS, &c));
    fine(shares_read("1:30", &s));
    assert_int_equal(cut_domain(&s, 100, 31, GHOST_CELLS, &c), ERR_USAGE);
    assert_non_null(strstr(err_message(), "part 1 of the 2 rows would have 1 of the domain's 31"));
    fine(shares_read("2", &s));
    assert_int_equal(cut_domain(&s, 100, 3, GHOST_CELLS, &c), ERR_USAGE);
    assert_non_null(strstr(err_message(), "choose 1 part there"));
    fine(shares_read("1", &s));
    fine(cut_domain(&s, 1, 1, GHOST_CELLS, &c));
}

static void parts_have_every_cell_once_and_sizes_by_their_shares(void **state)
{
    (void)state;
    static const char *const texts[] = {"1", "2", "7", "3x2", "1:2:1", "2:3x1:4:2"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const struct partition c = cut(texts[k], 33, 29);
        int owners[29][33] = {{0}};
        for (int p = 0; p < c.columns * c.rows; p++) {
            const struct window w = cut_part(&c, p);
            for (int j = 0; j < w.ny; j++)
                for (int i = 0; i < w.nx; i++)
                    owners[w.j0 + j][w.i0 + i]++;
        }
        for (int j = 0; j < 29; j++)
            for (int i = 0; i < 33; i++)
                assert_int_equal(owners[j][i], 1);
    }
    const struct partition c = cut("1:2:1", 8, 40);
    assert_int_equal(c.y[1], 10);
    assert_int_equal(c.y[2], 30);
}

/* The number of a cell of the domain or of a ghost cell outside it; across a periodic edge it is that of the cell
 * there. */
static int number_of(int i, int j, int nx, int ny, const int periodic[2])
{
    i = periodic[0] ? (i + nx) % nx : i;
    j = periodic[1] ? (j + ny) % ny : j;
    return (j + GHOST_CELLS) * MOST + i + GHOST_CELLS + 1;
}

static int is_inside(int k, int n, int periodic)
{
    return periodic || (k >= 0 && k < n);
}

/* A wider margin of neighbours' cells than ghost cells at an edge of the domain. */
enum { DEEP = 3 };
static const struct depths depths[] = {{GHOST_CELLS, GHOST_CELLS}, {DEEP, GHOST_CELLS}};

struct cells {
    int at[MOST + 2 * DEEP][MOST + 2 * DEEP];
};

static int *cell(struct cells *c, int i, int j)
{
    return &c->at[j + DEEP][i + DEEP];
}

/* A part's values before the exchange: its own cells, and ghost cells where the domain ends or, where it is as wide
 * as that, is periodic; 0 elsewhere. */
static void fill_own(struct cells *c, const struct partition *cut, const int periodic[2], int part)
{
    const int nx = cut->x[cut->columns], ny = cut->y[cut->rows];
    const struct plan plan = plan_part(cut, periodic, part, &depths[0]);
    const struct window w = cut_part(cut, part);
    memset(c, 0, sizeof *c);
    for (int j = -GHOST_CELLS; j < w.ny + GHOST_CELLS; j++)
        for (int i = -GHOST_CELLS; i < w.nx + GHOST_CELLS; i++) {
            const int across_x = i < 0 ? 0 : i >= w.nx ? 1 : -1;
            const int across_y = j < 0 ? 2 : j >= w.ny ? 3 : -1;
            const int corner = across_x >= 0 && across_y >= 0;
            const int side = across_x >= 0 ? across_x : across_y;
            if (!corner && (side < 0 || plan.neighbour[side] < 0))
                *cell(c, i, j) = number_of(w.i0 + i, w.j0 + j, nx, ny, periodic);
        }
}

/* After the exchange each ghost cell has the number of its place; those outside two edges at once, which no stencil
 * reads, have none. */
static void check_part(const struct partition *cut, const int periodic[2], int part,
                       const struct depths *deep, struct cells *all, const char *text)
{
    const int nx = cut->x[cut->columns], ny = cut->y[cut->rows];
    const struct plan plan = plan_part(cut, periodic, part, deep);
    const struct window w = cut_part(cut, part);
    struct cells got = all[part];
    for (int k = 0; k < plan.copies; k++) {
        const struct plan_copy *c = &plan.copy[k];
        assert_int_equal(c->to.nx, c->from.nx);
        assert_int_equal(c->to.ny, c->from.ny);
        for (int j = 0; j < c->to.ny; j++)
            for (int i = 0; i < c->to.nx; i++) {
                int *to = cell(&got, c->to.i0 + i, c->to.j0 + j);
                if (*to)
                    fail_msg("%s, part %d: cell (%d, %d) is filled twice", text, part, c->to.i0 + i,
                             c->to.j0 + j);
                *to = *cell(&all[c->part], c->from.i0 + i, c->from.j0 + j);
            }
    }
    int far[PLAN_SIDES];
    for (int e = 0; e < PLAN_SIDES; e++)
        far[e] = plan.neighbour[e] < 0 ? deep->edge : deep->beside;
    for (int j = -far[2]; j < w.ny + far[3]; j++)
        for (int i = -far[0]; i < w.nx + far[1]; i++) {
            const int x = w.i0 + i, y = w.j0 + j, here = *cell(&got, i, j);
            const int two_edges = !is_inside(x, nx, periodic[0] && cut->columns > 1) &&
                                  !is_inside(y, ny, periodic[1] && cut->rows > 1);
            const int expected = two_edges ? 0 : number_of(x, y, nx, ny, periodic);
            if (here != expected)
                fail_msg("%s, part %d: cell (%d, %d) has number %d, not %d", text, part, i, j, here,
                         expected);
        }
}

static void every_ghost_cell_is_filled_once_from_the_right_cell(void **state)
{
    (void)state;
    static const char *const texts[] = {"2", "3", "5", "2x1", "2x2", "3x2", "4x3", "1:2:1"};
    static struct cells all[12];
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (int edges = 0; edges < 4; edges++) {
            const int periodic[2] = {edges & 1, edges >> 1};
            const struct partition c = cut(texts[k], 13, 15);
            for (int p = 0; p < c.columns * c.rows; p++)
                fill_own(&all[p], &c, periodic, p);
            for (int p = 0; p < 2 * c.columns * c.rows; p++)
                check_part(&c, periodic, p / 2, &depths[p % 2], all, texts[k]);
        }
}

static void windows_overlap_in_what_they_share(void **state)
{
    (void)state;
    const struct window a = {2, 3, 10, 5}, b = {8, 0, 9, 4}, c = {12, 3, 1, 1}, d = {8, 8, 3, 3};
    struct window w = window_overlap(&a, &b);
    assert_memory_equal(&w, (&(struct window){8, 3, 4, 1}), sizeof w);
    w = window_overlap(&a, &c);
    assert_int_equal(w.nx * w.ny, 0);
    w = window_overlap(&a, &d);
    assert_int_equal(w.nx + w.ny, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_asked_for_by_number_by_columns_and_rows_and_by_shares),
        cmocka_unit_test(what_names_no_parts_is_refused),
        cmocka_unit_test(too_many_parts_are_refused_with_the_most_that_would_do),
        cmocka_unit_test(parts_have_every_cell_once_and_sizes_by_their_shares),
        cmocka_unit_test(every_ghost_cell_is_filled_once_from_the_right_cell),
        cmocka_unit_test(windows_overlap_in_what_they_share),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
