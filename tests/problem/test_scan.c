/* The scan of all cells at the start: what a case says of its water saves work and changes nothing; a long scan
 * tells how far it is. */
#include "tests/support/test.h"

#include <math.h>
#include <omp.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/problem/initial_state.h"
#include "core/problem/problem.h"
#include "core/problem/scan.h"
#include "core/registry/registry.h"
#include "tests/support/simulate.h"

enum { SIDE = 400 }; /* several blocks of the scan */

static long evaluations, levels; /* of the water and of the bed */
static int aloud;                /* the log is not silenced */
static struct flow (*water_of_case)(const void *context, int i, int j);
static double (*bed_of_case)(const void *context, int i, int j);

static struct flow counted_water(const void *context, int i, int j)
{
#pragma omp atomic
    evaluations++;
    return water_of_case(context, i, j);
}

static double counted_bed(const void *context, int i, int j)
{
#pragma omp atomic
    levels++;
    return bed_of_case(context, i, j);
}

/* The start of a case, and how often its water and bed are evaluated for that. */
static struct initial *start_of(struct problem *p, const char *name, enum precision precision,
                                int said)
{
    struct initial *in;
    static struct config c;
    configure(&c, "rk2", precision);
    log_quiet(!aloud);
    snprintf(c.input, sizeof c.input, "%s", name);
    c.nx = c.ny = SIDE;
    fine(problem_open(p, &c));
    water_of_case = p->setup.source.water;
    p->setup.source.water = counted_water;
    bed_of_case = p->setup.source.bed;
    p->setup.source.bed = counted_bed;
    if (!said) {
        p->setup.source.is_dry = NULL;
        p->setup.source.flat = 0;
    }
    evaluations = levels = 0;
    fine(initial_create(&in, &p->setup, precision));
    return in;
}

static void expect_equal(const struct initial *a, const struct initial *b, const char *name)
{
    const double want[] = {a->lowest,    a->highest, a->datum, a->quantum, a->still,
                           a->depth_max, a->dry,     a->film,  a->kappa,   a->steepest};
    const double have[] = {b->lowest,    b->highest, b->datum, b->quantum, b->still,
                           b->depth_max, b->dry,     b->film,  b->kappa,   b->steepest};
    assert_memory_equal(want, have, sizeof want);
    assert_true(a->bed_digest == b->bed_digest && a->bed_source == b->bed_source);
    assert_int_equal(a->submerged, b->submerged);
    for (int j = 0; j < SIDE; j += 16)
        for (int i = 0; i < SIDE; i += 16) {
            const struct window w = {i, j, 16, 16};
            if (initial_is_dry(a, &w) != initial_is_dry(b, &w))
                fail_msg("%s: the cells from (%d, %d) on are dry only if it says so", name, i, j);
        }
}

static void a_start_that_knows_where_water_is_has_the_same_numbers(void **state)
{
    (void)state;
    int found = 0;
    for (int k = 0; cases[k]; k++)
        for (int p = 0; cases[k]->wet.west < cases[k]->wet.east && p < PRECISIONS; p++, found++) {
            struct problem all, said;
            struct initial *a = start_of(&all, cases[k]->name, (enum precision)p, 0);
            const long usual = evaluations, all_levels = levels;
            struct initial *b = start_of(&said, cases[k]->name, (enum precision)p, 1);
            expect_equal(a, b, cases[k]->name);
            if (2 * evaluations > usual)
                fail_msg("%s: %ld evaluations, and %ld if it says nothing", cases[k]->name,
                         evaluations, usual);
            if (cases[k]->bed == flat_bed && 2 * levels > all_levels)
                fail_msg("%s: %ld evaluations of the bed, and %ld if it says nothing",
                         cases[k]->name, levels, all_levels);
            initial_destroy(a);
            initial_destroy(b);
            problem_close(&all);
            problem_close(&said);
        }
    assert_true(found >= 2 * PRECISIONS);
}

static double slightly_high(const void *context, int i, int j)
{
    (void)context, (void)i, (void)j;
    return 0.1; /* which no float is */
}

/* Checkpoints tell beds apart by their sums, whatever they say of themselves. */
static void level_ground_has_the_same_sums_if_it_says_so(void **state)
{
    (void)state;
    for (int p = 0; p < PRECISIONS; p++)
        for (int turned = 0; turned < 2; turned++) {
            struct problem of[2];
            struct initial *in[2];
            for (int said = 0; said < 2; said++) {
                initial_destroy(start_of(&of[said], "circular-dam-dry", (enum precision)p, 1));
                of[said].setup.source.bed = slightly_high;
                of[said].setup.source.flat = said;
                of[said].setup.exchanged = turned;
                fine(initial_create(&in[said], &of[said].setup, (enum precision)p));
            }
            expect_equal(in[0], in[1], "circular-dam-dry");
            assert_int_equal(in[1]->bed_digest == in[1]->bed_source, p == F64);
            for (int said = 0; said < 2; said++) {
                initial_destroy(in[said]);
                problem_close(&of[said]);
            }
        }
}

/* Where all cells of a block have the same, and where they do not. */
static void water_that_is_known_is_not_evaluated_again(void **state)
{
    (void)state;
    static const char *const names[] = {"circular-dam", "smooth"};
    const struct window all = {0, 0, SIDE, SIDE}, corner = {0, 0, 64, 64};
    for (int n = 0; n < 2; n++) {
        struct problem p;
        struct initial *in = start_of(&p, names[n], F32, 1), *quick, *slow, *cut;
        fine(initial_cut(&quick, in, &all, INITIAL_FIELDS));
        evaluations = 0;
        fine(initial_cut(&cut, in, &corner, INITIAL_FIELDS));
        const long again = evaluations;
        initial_destroy(cut);
        for (int k = 0; k < 16; k++)
            in->alike[k].w = (double)NAN;
        evaluations = 0;
        fine(initial_cut(&slow, in, &all, INITIAL_FIELDS));
        assert_int_equal(evaluations, SIDE * SIDE);
        for (int k = 0; k < 3; k++)
            assert_memory_equal(quick->field[k], slow->field[k], slow->field_bytes);
        assert_true(n == 0 ? again == 0 : again > 0);
        initial_destroy(quick);
        initial_destroy(slow);
        initial_destroy(in);
        problem_close(&p);
    }
}

static void a_long_scan_tells_how_far_it_is(void **state)
{
    (void)state;
    char text[1 << 14] = "";
    struct problem p;
    FILE *f = tmpfile();
    assert_non_null(f);
    const int kept = dup(2), threads = omp_get_max_threads();
    assert_true(kept >= 0 && dup2(fileno(f), 2) == 2);
    omp_set_num_threads(1); /* the first thread tells */
    aloud = 1;
    scan_tells_after(0);
    initial_destroy(start_of(&p, "circular-dam-100", F32, 1));
    problem_close(&p);
    scan_tells_after(5);
    aloud = 0;
    log_quiet(1);
    omp_set_num_threads(threads);
    assert_int_equal(dup2(kept, 2), 2);
    close(kept);
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    if (!strstr(text, "looks for the bed's levels in 400 x 400 cells: ") ||
        !strstr(text, "looks for water in 400 x 400 cells: ") || !strstr(text, " s left"))
        fail_msg("%s", text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_that_knows_where_water_is_has_the_same_numbers),
        cmocka_unit_test(level_ground_has_the_same_sums_if_it_says_so),
        cmocka_unit_test(water_that_is_known_is_not_evaluated_again),
        cmocka_unit_test(a_long_scan_tells_how_far_it_is),
    };
    log_quiet(1);
    return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
