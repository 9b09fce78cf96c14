/* What a run says of its sparse domain: how much it stored and computed, or why its domain is full. */
#include "tests/support/test.h"

#include <math.h>

#include "tests/support/program.h"

#define DAM                                                                                     \
    "run", "circular-dam-100", "--nx", "240", "--domain", "sparse", "--tile", "20", "--scheme", \
        "rk2_fused", "--backend", "cpu", "--steps", "40"

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    return program_find();
}

/* The number after these words. */
static double number(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    if (!at)
        fail_msg("expected '%s' in: %s", words, text);
    return strtod(at + strlen(words), NULL);
}

static void the_summary_counts_what_was_stored_and_computed(void **state)
{
    (void)state;
    SHOAL(DAM);
    ASSERT_STATUS(0);
    const double tiles = number(result.out, " tiles="), most = number(result.out, " tiles_most=");
    assert_true(tiles > 0 && tiles < 144); /* 12 x 12 tiles, all of one size */
    assert_true(most >= tiles && most < 144);
    assert_true(number(result.out, " cells_stored=") == 400 * tiles);

    const char *computed = strstr(result.err, "% of a full domain's updates");
    assert_non_null(computed);
    while (computed[-1] != ':')
        computed--;
    /* As exactly as they are written: the share has three digits, the time four decimals, the rate two. */
    const double share = strtod(computed, NULL) / 100, made = share * 240 * 240 * 40 / 1e6,
                 rate = number(result.out, " mcells_per_s="), wall = number(result.out, " wall="),
                 full = number(result.err, "updates, equivalent to ");
    assert_true(share > 0 && share < 1);
    assert_true(fabs(rate * wall - made) < 0.01 * made + 0.006 * wall + 0.0001 * rate);
    assert_true(fabs(full - rate / share) < 0.01 * full + 0.006 / share + 0.6);
}

static void expect_full(const char *why)
{
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, why);
    assert_null(strstr(result.out, " tiles="));
    assert_null(strstr(result.err, "sparse domain:"));
}

static void a_domain_that_changes_everywhere_is_full(void **state)
{
    (void)state;
    SHOAL(DAM, "--rain", "10");
    expect_full("the domain is full: rain or infiltration may change any cell");
    SHOAL(DAM, "--infiltration", "10");
    expect_full("the domain is full: rain or infiltration may change any cell");
    SHOAL("run", "manufactured", "--nx", "48", "--domain", "sparse", "--backend", "cpu", "--steps",
          "4");
    expect_full("the domain is full: the flow is forced everywhere");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_summary_counts_what_was_stored_and_computed),
        cmocka_unit_test(a_domain_that_changes_everywhere_is_full),
    };
    return cmocka_run_group_tests_name("summary of sparse domains", tests, set_up, scratch_remove);
}
