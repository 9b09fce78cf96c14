/* Every registered flux keeps what it declares: its contract says how that is tested. */
#include "tests/support/test.h"

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/contracts.h"
#include "verification/contracts/plugin_loader.h"

static void every_flux_keeps_its_contract(void **state)
{
    (void)state;
    static const char *const checks[] = {"cited",
                                         "compiles",
                                         "finite",
                                         "dry",
                                         "consistent",
                                         "downhill",
                                         "symmetric",
                                         "takes nothing from dry ground",
                                         "tangential momentum",
                                         "no unit",
                                         "no datum",
                                         "positive",
                                         "dam break",
                                         "runs",
                                         "volume",
                                         "mirrored run",
                                         "lake at rest",
                                         NULL};
    static struct contract_tally t;
    ASK_ALL(&t, fluxes, contract_flux);
    assert_kept(&t, checks);
}

/* Between sides at rest HLL's mass flux is sl sr (hr - hl) / (sr - sl), where sl = -c of the deeper side if the wave
 * speeds are well estimated: it reveals sr. */
static double hll_right_wave(flux_call *hll, double hl, double hr)
{
    struct plain_side l = {hl, 0, 0, 0}, r = {hr, 0, 0, 0};
    struct plain_flux f;
    hll(&l, &r, 1, &f, 1);
    double sl = -sqrt(hl);
    return f.h * sl / (f.h - sl * (hr - hl));
}

static void hll_takes_the_speed_of_two_rarefactions_and_of_a_front_on_dry_ground(void **state)
{
    (void)state;
    struct plugin_library lib;
    if (plugin_load(&lib, FLUX_PLUGIN, "hll", F64))
        fail_msg("%s", err_message());
    double onto_wet = hll_right_wave(lib.flux, 10, 1), cl = sqrt(10);
    double onto_dry = hll_right_wave(lib.flux, 10, 0);
    /* Two streams of depth 1 and velocity 1 meet: the waves have speed c + 1/2, and this is the flux. */
    struct plain_side l = {1, 1, 0, 0}, r = {1, -1, 0, 0};
    struct plain_flux meeting;
    lib.flux(&l, &r, 1, &meeting, 1);
    plugin_unload(&lib);
    assert_true(fabs(onto_wet - ((cl - 1) + 0.5 * (cl + 1))) < 1e-13 * onto_wet);
    assert_true(meeting.h == 0 && fabs(meeting.n - 3) < 1e-14);
    assert_true(fabs(onto_dry - 2 * cl) < 1e-13 * onto_dry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flux_keeps_its_contract),
        cmocka_unit_test(hll_takes_the_speed_of_two_rarefactions_and_of_a_front_on_dry_ground),
    };
    return cmocka_run_group_tests_name("fluxes", tests, NULL, NULL);
}
