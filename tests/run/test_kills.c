/* Runs that are killed at random moments, while they step and while they write, and restarted from their checkpoints
 * until they end: their results are those of undisturbed runs. SHOAL_TEST_KILLS: how many times each configuration is
 * killed. */
#include "tests/support/test.h"

#include <math.h>
#include <time.h>
#include <signal.h>

#include "core/options/run_config.h"
#include "core/netcdf/netcdf_file.h"
#include "core/registry/registry.h"
#include "core/base/monotonic_time.h"
#include "core/base/random.h"
#include "tests/support/program.h"
#include "tests/support/variables.h"

enum { FEW = 2 };

static unsigned seed;

/* The outcomes of the kills of all configurations. */
static struct {
    int kills, late, early, in_write, stopped, again;
} seen;

/* Uniform in 0..1. */
static double chance(void)
{
    return xorshift(&seed) / 4294967296.0;
}

enum { MORE = 9 };
struct variation {
    const char *scheme, *early_exit, *sweep, *const *more; /* words, then NULL */
    int threads;                                           /* runs have one to three; else one */
    char text[128]; /* steps, time and volumes of the summary */
    double takes;   /* s, with a checkpoint after every step */
};

/* Dry land and water beyond an open edge, in cells that are not square; maps, gauges, a section and volumes during
 * the run, maxima, the hazard. */
static pid_t start(const struct variation *v, int checkpoint, const char *restart)
{
    const char *words[MOST_WORDS + 1] = {"run",
                                         "circular-dam-dry",
                                         "--nx=40",
                                         "--ny=31",
                                         "--bc-east=open",
                                         "--mode=strict",
                                         "--backend=cpu",
                                         "--t-end=0.6",
                                         "--threads=1",
                                         "--output=run.nc",
                                         "--every=0.2",
                                         "--gauge=a,1,1",
                                         "--gauge-every=.1",
                                         "--maxima",
                                         "--hazard",
                                         "--quiet",
                                         "--section=s,5,-9,5,9"};
    static char choice[5][64];
    int n = find_scheme(v->scheme)->midpoint
                ? 16
                : 17; /* one whose fluxes are of mid-step has no sections */
    snprintf(choice[0], sizeof choice[0], "--early-exit=%s", v->early_exit);
    snprintf(choice[1], sizeof choice[1], "--sweep=%s", v->sweep);
    snprintf(choice[2], sizeof choice[2], "--scheme=%s", v->scheme);
    for (int k = 0; k < 3; k++)
        words[n++] = choice[k];
    for (int k = 0; v->more && v->more[k]; k++)
        words[n++] = v->more[k];
    if (checkpoint)
        words[n++] = "--checkpoint=1e-9";
    snprintf(choice[3], sizeof choice[3], "--restart=%s", restart ? restart : "");
    if (restart)
        words[n++] = choice[3];
    /* With other numbers of threads, the same bits. */
    snprintf(choice[4], sizeof choice[4], "--threads=%d", 1 + (int)(3 * chance()));
    for (int k = 0; v->threads && k < n; k++)
        if (strncmp(words[k], "--threads", strlen("--threads")) == 0)
            words[k] = choice[4];
    words[n] = NULL;
    return program_start(-1, words);
}

static void rename_to(const char *name)
{
    char from[PATH_LENGTH], to[PATH_LENGTH];
    scratch_path(from, "run.nc");
    scratch_path(to, name);
    assert_int_equal(rename(from, to), 0);
}

/* What the summary says about the flow, but not how it was computed. */
static void summary(char text[128])
{
    const char *steps = strstr(result.out, "steps="), *wall = strstr(result.out, " wall=");
    const char *mass = strstr(result.out, "mass_error="),
               *exits = strstr(result.out, " early_exit");
    if (!steps || !wall || !mass || !exits)
        fail_msg("no summary: '%s'", result.out);
    snprintf(text, 128, "%.*s %.*s", (int)(wall - steps), steps, (int)(exits - mass), mass);
}

#ifdef HAVE_NETCDF

/* Every variable is the same in both files, to the bit. */
static void compare(const struct variation *v, const char *want, const char *have)
{
    char one[PATH_LENGTH], two[PATH_LENGTH], which[NC_MAX_NAME + 1];
    scratch_path(one, want);
    scratch_path(two, have);
    if (!same_variables(one, two, which))
        fail_msg("%s, early exit %s: '%s' is not what it is in a run that was left alone",
                 v->scheme, v->early_exit, which);
}

#else

static void compare(const struct variation *v, const char *want, const char *have)
{
    (void)v, (void)want, (void)have;
}

#endif

/* A checkpoint of an earlier state, under another name. */
#define EARLY "early.nc"
#define LAST  "run.nc" CHECKPOINT_ENDING

static void forget(void)
{
    scratch_delete("run.nc");
    scratch_delete(LAST);
    scratch_delete("run.nc" RECORDS_ENDING);
    scratch_delete(EARLY);
}

/* The state after the last run, whose summary is checked if it printed one. */
static void check_result(const struct variation *v)
{
    char text[128];
    compare(v, "straight.nc", "run.nc");
    if (strstr(result.err, "HDF5"))
        fail_msg("HDF5 is heard: %s", result.err);
    if (result.status == 0) {
        summary(text);
        assert_string_equal(text, v->text);
        assert_false(scratch_has("run.nc" RECORDS_ENDING));
    }
}

static void run_straight(struct variation *v)
{
    program_end(start(v, 0, NULL));
    ASSERT_STATUS(0);
    summary(v->text);
    rename_to("straight.nc");
    const double began = seconds();
    program_end(start(v, 1, NULL));
    ASSERT_STATUS(0);
    v->takes = seconds() - began;
    check_result(v);
    forget();
}

/* Deletes the temporary files of killed processes. */
static int sweep_up(void)
{
    char command[2 * PATH_LENGTH];
    snprintf(command, sizeof command, "ls %s | grep -q 'checkpoint.*tmp$'", scratch);
    const int some = system(command) == 0;
    snprintf(command, sizeof command, "rm -f %s/*.tmp", scratch);
    assert_int_equal(system(command), 0);
    return some;
}

/* The checkpoint to continue from; null: nothing. */
static const char *last_or_early(void)
{
    if (scratch_has(EARLY) && chance() < 0.4)
        return EARLY;
    return scratch_has(LAST) ? LAST : NULL;
}

static void keep_early(void)
{
    char command[3 * PATH_LENGTH];
    if (!scratch_has(LAST) || scratch_has(EARLY))
        return;
    snprintf(command, sizeof command, "cd '%s' && cp " LAST " " EARLY, scratch);
    assert_int_equal(system(command), 0);
}

/* Ends a run by SIGKILL, or by one of the signals that stop it with a checkpoint. */
static void check_end(const struct variation *v, int number)
{
    if (result.signal != number && result.status != 0 && (result.status != 5 || number == SIGKILL))
        fail_msg("%s: signal %d ended it with status %d, signal %d: %s", v->scheme, number,
                 result.status, result.signal, result.err);
    if (strstr(result.err, "begins at"))
        fail_msg("%s: records are lost: %s", v->scheme, result.err);
    if (result.status == 5 && !scratch_has(LAST))
        fail_msg("%s: no checkpoint: %s", v->scheme, result.err);
}

/* Kills a run that continues from a checkpoint, if there is one, even one of a run that has ended. */
static void kill_one(const struct variation *v)
{
    static const int stops[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM};
    const int number = chance() < 0.7 ? SIGKILL : stops[(int)(chance() * 7)];
    const int ended = scratch_has("run.nc");
    const struct timespec delay = {0, (long)(1e9 * fmin(chance() * v->takes, 0.99))};
    const pid_t pid = start(v, 1, last_or_early());
    nanosleep(&delay, NULL);
    assert_int_equal(kill(pid, number), 0);
    program_end(pid);
    seen.kills++;
    seen.again += ended;
    seen.in_write += sweep_up();
    seen.stopped += result.status == 5;
    seen.early += !scratch_has(LAST);
    check_end(v, number);
    keep_early();
    if (ended && !scratch_has("run.nc"))
        fail_msg("%s: a complete result is lost", v->scheme);
    if (!scratch_has("run.nc"))
        return;
    seen.late += !ended; /* complete, otherwise it would not exist */
    check_result(v);
    if (chance() < 0.3)
        forget();
}

static void check(struct variation *v)
{
    const char *wanted = getenv("SHOAL_TEST_KILLS");
    const int kills = wanted ? (int)strtol(wanted, NULL, 10) : FEW;
    run_straight(v);
    for (int k = 0; k < kills; k++)
        kill_one(v);
    program_end(start(v, 1, last_or_early()));
    ASSERT_STATUS(0);
    check_result(v);
    forget();
}

static void tell(void)
{
    print_message("%d kills: %d before the first checkpoint, %d while one was written, %d that "
                  "stopped with one, %d that came too late, %d of runs that had ended before\n",
                  seen.kills, seen.early, seen.in_write, seen.stopped, seen.late, seen.again);
}

static void a_run_that_is_killed_and_restarted_ends_like_one_that_was_left_alone(void **state)
{
    (void)state;
    if (!ncfile_available())
        skip();
    FOR_SCHEMES_OF_WATER (k) {
        const char *sweep = k % 3 == 2 ? "yx" : "xy";
        check(&(struct variation){.scheme = schemes[k]->name, .early_exit = "off", .sweep = sweep});
        if (schemes[k]->on_demand)
            check(&(struct variation){
                .scheme = schemes[k]->name, .early_exit = "on", .sweep = sweep});
    }
    tell();
}

/* The last configuration, which has most in it, suffices where time is short. */
static void so_does_one_in_pieces_with_water_from_above_and_below(void **state)
{
    static const char *const more[][MORE] = {
        {"--parts=2x2"},
        {"--tile=14x9"},
        {"--domain=sparse", "--tile=8"},
        {"--parts=3", "--balance-every=.05", "--region=-10,-10,10,10", "--variables=h,hu"},
        {"--parts=2", "--tile=14", "--tracer=1", "--source=a,1,2,30,c=2", "--rain=500",
         "--infiltration=100", "--suction=50", "--deficit=.3"},
    };
    enum { WAYS = sizeof more / sizeof *more };
    (void)state;
    if (!ncfile_available())
        skip();
    for (int k = getenv("SHOAL_TEST_KILLS") ? 0 : WAYS - 1; k < WAYS; k++)
        check(&(struct variation){.scheme = k % 2 ? "rk2_fused" : "rk2",
                                  .early_exit = strstr(more[k][0], "sparse") ? "on" : "off",
                                  .sweep = "xy",
                                  .threads = strstr(more[k][0], "sparse") != NULL,
                                  .more = more[k]});
    tell();
}

static int set_up(void **state)
{
    (void)state;
    seed = (unsigned)time(NULL) | 1;
    scratch_create();
    return program_find();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_run_that_is_killed_and_restarted_ends_like_one_that_was_left_alone, set_up,
            scratch_remove),
        cmocka_unit_test_setup_teardown(so_does_one_in_pieces_with_water_from_above_and_below,
                                        set_up, scratch_remove),
    };
    return cmocka_run_group_tests_name("kills", tests, NULL, NULL);
}
