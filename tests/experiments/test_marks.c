/* `shoal measure`, kind marks: a flood over terrain from a file, compared at marks, from the file to the table. */
#include "tests/support/test.h"

#include "core/problem/initial_state.h"
#include "core/netcdf/netcdf_file.h"
#include "core/problem/problem.h"
#include "core/registry/registry.h"
#include "core/sim/sim.h"
#include "tests/support/measured.h"

/* The valley of the size of Malpasset, in 110 x 44 cells. Marks: in the reservoir, two below the dam on the
 * valley's floor, one on a hill that stays dry. */
enum { NX = 110, NY = 44 };
#define HEAD "# source: made up\n# table: 1\n# page: 1\n"
#define MARKS                                                                               \
    HEAD "mark\tx\ty\tground_m\tseen\nlake\t3000\t0\t%.3f\t100\nnear\t5400\t361\t%.3f\t-\n" \
         "far\t8000\t-41\t%.3f\t-\nhill\t6000\t-3000\t%.3f\t-\n"
#define KIND "kind = marks\ninput = $VALLEY\nmarks = w/marks\nnx = 110\nt-end = 600\nrepeat = 1\n"
#define FLOW "kappa = 1.5\nmanning = 0.033\n"

static void write_marks(double shift)
{
    const struct flow_case *c = find_case("valley");
    char text[512];
    snprintf(text, sizeof text, MARKS, c->bed(3000, 0) + shift, c->bed(5400, 361) + shift,
             c->bed(8000, -41) + shift, c->bed(6000, -3000) + shift);
    scratch_write("db/published/w/marks.tsv", "w", text);
}

static int prepare_valley(void **state)
{
    char file[PATH_LENGTH];
    if (program_find() || install_experiments(state))
        return 1;
    scratch_folder("db/published");
    scratch_folder("db/published/w");
    write_marks(0);
    scratch_path(file, "valley.nc");
    setenv("VALLEY", file, 1);
    if (!ncfile_available())
        return 0;
    SHOAL("run", "valley", "--nx", "110", "--steps", "1", "--dt", "1e-9", "--output", file, ON_CPU);
    return result.status;
}

#define IN_VALLEY(test) cmocka_unit_test_setup_teardown(test, prepare_valley, remove_experiments)
#define NEEDS_NETCDF                                              \
    do {                                                          \
        if (!ncfile_available()) {                                \
            print_message("skipped: this build has no netCDF\n"); \
            skip();                                               \
        }                                                         \
    } while (0)

/* What a run whose state is looked at after every step shows in a cell. */
struct seen {
    double bed, h_max, arrival, w;
};

static void look(struct sim *s, const size_t *cell, struct seen *seen)
{
    static float w[NX * NY];
    assert_fine(sim_download(s, 0, w));
    for (int k = 0; k < 4; k++) {
        struct seen *at = &seen[k];
        at->bed = initial_bed_centre(s->initial, (int)(cell[k] % NX), (int)(cell[k] / NX));
        at->w = (double)w[cell[k]];
        const double h = (double)(float)(at->w - at->bed);
        at->h_max = fmax(at->h_max, h);
        if (h > 0.01 && isnan(at->arrival))
            at->arrival = s->now.t;
    }
}

static void step_through(const size_t *cell, struct seen *seen, unsigned long *steps)
{
    struct config c;
    static struct problem p;
    struct sim *s;
    config_case_defaults(&c);
    snprintf(c.input, sizeof c.input, "%s", getenv("VALLEY"));
    strcpy(c.backend, "cpu");
    c.threads = 1;
    c.kappa = 1.5;
    c.manning.number = 0.033;
    c.t_end = 600;
    c.early_exit = EARLY_EXIT_OFF;
    assert_fine(problem_open(&p, &c));
    assert_int_equal(p.setup.grid.nx, NX);
    assert_int_equal(p.setup.grid.ny, NY);
    assert_fine(sim_create(&s, &p.setup));
    for (look(s, cell, seen); s->now.t < 600; look(s, cell, seen))
        assert_fine(sim_run(s, s->now.t + 1e-9, NULL)); /* a step */
    *steps = s->now.steps;
    sim_destroy(s);
    problem_close(&p);
}

static void marks_tell_how_high_the_water_came_and_when(void **state)
{
    static const char *const name[] = {"lake", "near", "far", "hill"};
    static const double x[] = {3000, 5400, 8000, 6000}, y[] = {0, 361, -41, -3000};
    const struct flow_case *f = find_case("valley");
    struct seen seen[4];
    size_t cell_of[4];
    unsigned long steps;
    (void)state;
    NEEDS_NETCDF;
    for (int k = 0; k < 4; k++) {
        const int i = (int)(x[k] / (f->lx / NX)), j = (int)((y[k] - f->y0) / (f->ly / NY));
        cell_of[k] = (size_t)j * NX + (size_t)i;
        seen[k] = (struct seen){.arrival = (double)NAN};
    }
    step_through(cell_of, seen, &steps);
    struct db_cells all = measured(KIND FLOW "maxima-every = 1\n");
    assert_int_equal(all.rows, 1 + 4);
    for (int k = 0; k < 4; k++) {
        const size_t row = row_with(&all, "mark", name[k]);
        assert_string_equal(cell(&all, row, "case"), "it");
        assert_int_equal(number_of(&all, row, "ny"), NY);
        assert_int_equal(number_of(&all, row, "steps"), steps);
        ASSERT_NEAR(number_of(&all, row, "t"), 600, 0);
        ASSERT_NEAR(number_of(&all, row, "bed"), seen[k].bed, 1e-3);
        ASSERT_NEAR(number_of(&all, row, "w"), seen[k].w, 1e-3);
        ASSERT_NEAR(number_of(&all, row, "h_max"), seen[k].h_max, 1e-3);
        if (k == 3)
            continue;
        ASSERT_NEAR(number_of(&all, row, "w_max"), seen[k].bed + seen[k].h_max, 2e-3);
        ASSERT_NEAR(number_of(&all, row, "arrival_s"), seen[k].arrival, 1e-3);
        assert_true(k == 0 ? seen[k].arrival <= 0 : seen[k].arrival > seen[k - 1].arrival);
    }
    const size_t hill = row_with(&all, "mark", "hill");
    assert_string_equal(cell(&all, hill, "w_max"), "-");
    assert_string_equal(cell(&all, hill, "arrival_s"), "-");
    db_cells_free(&all);
}

static void the_whole_run_is_told_as_shoal_run_tells_it(void **state)
{
    char said[96];
    (void)state;
    NEEDS_NETCDF;
    write_experiment(KIND FLOW);
    MEASURE_IT(ON_CPU);
    ASSERT_STATUS(0);
    assert_int_equal(count_rows(), 4 + 4); /* including those that were published */
    struct db_cells all = rows_of("it");
    SHOAL("run", getenv("VALLEY"), "--kappa", "1.5", "--manning", "0.033", "--t-end", "600",
          "--reconstruction=kp", ON_CPU);
    ASSERT_STATUS(0);
    snprintf(said, sizeof said, " steps=%s redone=0 t=600 ", cell(&all, 1, "steps"));
    ASSERT_HAS(result.out, said);
    snprintf(said, sizeof said, " mass_error=%s clipped=%s ", cell(&all, 1, "mass_error"),
             cell(&all, 1, "clipped"));
    ASSERT_HAS(result.out, said);
    /* 48 million m3 in the reservoir, and some in the sea. */
    assert_true(number_of(&all, 1, "volume") > 4.8e7 && number_of(&all, 1, "volume") < 5e7);
    db_cells_free(&all);
}

static void a_figure_shows_marks_beside_what_was_observed(void **state)
{
    (void)state;
    NEEDS_NETCDF;
    scratch_write("home/experiments/it.ini", "w",
                  "title = t\nchapter = c\n[measure]\n" KIND FLOW
                  "[data]\nsql = SELECT *, round(w_max - seen) AS off\n"
                  "  FROM measured_it LEFT JOIN w_marks USING (mark) WHERE seen > 0 ORDER BY mark\n"
                  "[draw]\nshape = table\ncolumns = mark; seen; off\n");
    MEASURE_IT(ON_CPU);
    ASSERT_STATUS(0);
    SHOAL("plot", "it", "--terminal");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "\nlake   100    0\n");
}

/* Measures nothing, and ends with that status and message. */
static void assert_refused(int status, const char *why)
{
    MEASURE_IT(ON_CPU);
    ASSERT_STATUS(status);
    ASSERT_HAS(result.err, why);
    assert_int_equal(count_rows(), 4);
}

static void without_its_file_an_experiment_says_what_it_needs(void **state)
{
    (void)state;
    write_experiment(KIND "needs = the terrain of a valley\n");
    unsetenv("VALLEY");
    assert_refused(3, "it: the variable VALLEY is not set; it needs the terrain of a valley");
    setenv("VALLEY", "/nowhere/valley.nc", 1);
    assert_refused(3, "'/nowhere/valley.nc' ($VALLEY) cannot be read: No such file");
    write_experiment("kind = marks\ninput = none.nc\nmarks = w/marks\nnx = 110\nt-end = 1\n");
    assert_refused(3, "home/experiments/none.nc' (none.nc) cannot be read: No such file");
}

static void another_terrain_is_refused_before_anything_is_measured(void **state)
{
    (void)state;
    NEEDS_NETCDF;
    write_experiment(KIND);
    MEASURE_IT(ON_CPU, "--nx", "111");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err,
               "valley.nc: expected the grid of it, 111 cells from west to east, got 110");
    write_experiment(KIND "spacing = 15\n");
    assert_refused(2, "expected square cells of 15 m, got 149.864 m by 149.659 m");
    write_experiment(KIND "volume = 4.7e7\nvolume-above = 50\nvolume-within = 0.01\n");
    assert_refused(2, "the water above 50 m has a volume of ");
    write_marks(20);
    write_experiment(KIND "bed-within = 10\n");
    assert_refused(2, "at mark lake (3000, 0) the bed is ");
    scratch_write("db/published/w/marks.tsv", "w",
                  HEAD "mark\tx\ty\na\t1\t2\nb\t3\t4\nsea\t20000\t0\nd\t1\t1\n");
    write_experiment(KIND);
    assert_refused(2, "mark sea (20000, 0) lies outside: x is from 0 to 16485");
}

static void keys_that_make_no_sense_with_a_file_are_refused(void **state)
{
    static const struct {
        const char *wanted, *why;
    } faults[] = {
        {"kind = marks\nmarks = w/marks\ncase = sine\nnx = 110\n", "needs terrain from a file"},
        {"kind = marks\ninput = $VALLEY\nnx = 110\nt-end = 1\n", "marks = WORK/TABLE"},
        {"kind = marks\ninput = $VALLEY\nmarks = w/marks\nnx = 110\n", "add t-end"},
        {KIND "case = sine\n", "the flow comes from the file"},
        {KIND "unit-cells = yes\n", "leave out unit-cells"},
        {KIND "kappa = no\n", "expected a number, got 'no'"},
        {"kind = runs\ninput = $VALLEY\nnx = 110\nt-end = 1\n", "has no such key"},
        {"kind = marks\ninput = $VALLEY\nmarks = marks\nnx = 110\nt-end = 1\n",
         "expected WORK/TABLE"},
    };
    (void)state;
    NEEDS_NETCDF;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        write_experiment(faults[k].wanted);
        assert_refused(2, faults[k].why);
    }
    scratch_write("db/published/w/marks.tsv", "w",
                  HEAD "mark\tx\ty\na\t1\tnorth\nb\t3\t4\nc\t2\t0\nd\t1\t1\n");
    write_experiment(KIND);
    assert_refused(2, "mark a: x and y must be numbers");
}

int main(void)
{
    unsetenv("SHOAL_KERNEL_CFLAGS"); /* slow ceilings cost more than compiling */
    const struct CMUnitTest tests[] = {
        IN_VALLEY(marks_tell_how_high_the_water_came_and_when),
        IN_VALLEY(the_whole_run_is_told_as_shoal_run_tells_it),
        IN_VALLEY(a_figure_shows_marks_beside_what_was_observed),
        IN_VALLEY(without_its_file_an_experiment_says_what_it_needs),
        IN_VALLEY(another_terrain_is_refused_before_anything_is_measured),
        IN_VALLEY(keys_that_make_no_sense_with_a_file_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
