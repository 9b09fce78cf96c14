/* What every scheme of sediment must keep: it does, and the invariants see what would break it. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>

#include "core/base/log.h"
#include "core/registry/registry.h"
#include "tests/support/kernel_copy.h"
#include "verification/run/invariant.h"
#include "verification/run/plan.h"

/* What is beyond its limit, in f64 with little effort, of an invariant or (NULL) of any: "" where nothing is. */
static const char *broken(const char *scheme, const char *only)
{
    static char text[256];
    struct variant v = {.precision = F64, .backend = CPU, .mode = STRICT};
    snprintf(v.scheme, sizeof v.scheme, "%s", scheme);
    log_quiet(1);
    *text = '\0';
    for (int k = 0; invariants[k] && !*text; k++) {
        const struct invariant *i = invariants[k];
        struct findings f = {0};
        if (!i->quick || (only && strcmp(i->name, only) != 0) ||
            !invariant_is_of(i, find_scheme(scheme)) || (i->applies && !i->applies(&v)))
            continue;
        fine(invariant_measure(i, &v, 0, &f));
        assert_true(f.count > 0);
        for (int n = 0; n < f.count && !*text; n++)
            if (!(f.finding[n].value <= f.finding[n].most) && !isnan(f.finding[n].most))
                snprintf(text, sizeof text, "%s", f.finding[n].what);
    }
    return text;
}

static void both_schemes_keep_them(void **state)
{
    (void)state;
    assert_string_equal(broken("basin_cons", NULL), "");
    assert_string_equal(broken("basin", NULL), "");
}

static void planted_mistakes_are_found_by_name(void **state)
{
    static const struct {
        const char *file, *right, *wrong, *scheme, *by, *found;
    } plants[] = {
        {"systems/sediment_limits.h", "return max2(of_sand, of_mud)",
         "return REAL(0.4) * max2(of_sand, of_mud)", "basin_cons", "basin-bounds",
         "by how much shares leave"},
        {"systems/sediment.cu", "- share * mud)", "- REAL(0.9) * share * mud)", "basin_cons",
         "basin-mass", "sand gained between walls"},
        {"systems/sediment.cu", "real mud = net_inflow(of_mud, old, x, y) + (in - in_sand)",
         "real mud = net_inflow(of_mud, old, x, y) + in", "basin_cons", "basin-mass",
         "volume gained with flow through"},
        {"systems/sediment.cu", "h.west - h.here) + through",
         "h.west - REAL(0.99) * h.here) + through", "basin_cons", "basin-rest",
         "values that change on a level floor"},
        {"systems/sediment.cu", "return (through(d.here, d.west, h.west - h.here) + through(",
         "return through(d.here, d.west, h.west - h.here) * x + (through(", "basin_cons",
         "symmetry", "x and y exchanged"},
        {"systems/sediment.cu", "REAL(0.5) * (a + b)", "root(a * b)", "basin", "basin-slope",
         "height of an even slope"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof plants / sizeof *plants; k++) {
        scratch_create();
        kernel_copy(scratch);
        kernel_plant(plants[k].file, plants[k].right, plants[k].wrong);
        const char *found = broken(plants[k].scheme, plants[k].by);
        kernel_copy_leave();
        scratch_remove(NULL);
        if (strncmp(found, plants[k].found, strlen(plants[k].found)) != 0)
            fail_msg("with '%s': expected that %s finds '%s', got '%s'", plants[k].wrong,
                     plants[k].by, plants[k].found, found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_schemes_keep_them),
        cmocka_unit_test(planted_mistakes_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, kernel_home_keep, NULL);
}
