/* GPUs that are lost during a run, tried on a stand-in for NVIDIA's driver: the message, the status, and what
 * remains. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include "core/options/run_config.h"
#include "core/netcdf/netcdf_file.h"
#include "core/base/file_checksum.h"
#include "tests/support/device_faults.h"
#include "tests/support/variables.h"

/* The number of the last call that a result needs: those after it only give back what the run had. */
static int last_needed_call(void)
{
    char *copy;
    program_read("calls", result.out);
    (void)strtol(result.out, &copy, 10);
    return (int)strtol(copy, NULL, 10);
}

static const char checkpoint[] = "r.nc" CHECKPOINT_ENDING;

#define KEEPING ON_GPU, "--output", "r.nc", "--checkpoint", "0.1"

static void assert_no_temporaries(void)
{
    char command[PATH_LENGTH + 64];
    snprintf(command, sizeof command, "ls '%s' '%s/cache' | grep -q '[.]tmp$'", scratch, scratch);
    if (system(command) == 0)
        fail_msg("temporary files are left: %s", result.err);
}

/* The run was stopped by this error: what it prints, once, and leaves behind. */
static void check_lost(int number, const char *name)
{
    static const char begins[] = "shoal: error: ";
    char path[PATH_LENGTH];
    const char *error = strstr(result.err, begins);
    if (result.status != 3 || !error || !strstr(error, name) || strstr(error + 1, begins))
        fail_msg("call %d: status %d (signal %d): %s", number, result.status, result.signal,
                 result.err);
    if (scratch_has("r.nc"))
        fail_msg("call %d: a result is there: %s", number, result.err);
    assert_no_temporaries();
    const int kept = scratch_has(checkpoint), told = strstr(result.err, checkpoint) != NULL;
    scratch_path(path, checkpoint);
    if (kept != told || (kept && checksum_check(path, "") != CHECKSUM_GOOD))
        fail_msg("call %d: checkpoint %d, told of %d: %s", number, kept, told, result.err);
}

/* A run that is left alone, for comparison. */
static void keep_straight(void)
{
    char from[PATH_LENGTH], to[PATH_LENGTH];
    SHOAL(KEEPING);
    ASSERT_STATUS(0);
    scratch_path(from, "r.nc");
    scratch_path(to, "straight.nc");
    assert_int_equal(rename(from, to), 0);
}

/* A run whose calls fail from this one on. */
static void lose_at(int number, int code, const char *text)
{
    scratch_delete(checkpoint);
    scratch_delete("r.nc" RECORDS_ENDING);
    break_at(number, code);
    SHOAL(KEEPING);
    check_lost(number, text);
}

/* Continues from the last checkpoint, on a device that works again. */
static void go_on(const char *straight)
{
    char one[PATH_LENGTH], two[PATH_LENGTH], which[NC_MAX_NAME + 1];
    unsetenv("FAKE_FAULT");
    SHOAL(KEEPING, "--restart", checkpoint);
    ASSERT_STATUS(0);
    scratch_path(one, straight);
    scratch_path(two, "r.nc");
    if (!same_variables(one, two, which))
        fail_msg("'%s' is not what it is in a run that was left alone", which);
}

static void a_device_that_is_lost_ends_the_run_and_the_checkpoint_goes_on(void **state)
{
    enum { TRIES = 8, ERRORS = 4 };
    static const struct {
        int code;
        const char *text;
    } errors[ERRORS] = {
        {999, "CUDA_ERROR_UNKNOWN (unknown error, CUDA error 999); the GPU may be lost"},
        {719, "CUDA error 719); a kernel failed, and this process can no longer"},
        {214, "CUDA error 214); the GPU may be lost: see nvidia-smi"},
        {46, "CUDA error 46); the GPU may be lost"}};
    int kept = 0;
    (void)state;
    keep_straight();
    const int last = last_needed_call(), first = last / 8;
    assert_in_range(last, 100, count_calls());
    for (int k = 0; k < TRIES; k++) {
        /* The device is open by the first. */
        const int number = first + k * (last - first) / (TRIES - 1), n = k % ERRORS;
        lose_at(number, errors[n].code, errors[n].text);
        kept += scratch_has(checkpoint);
    }
    assert_in_range(kept, 2, TRIES - 2);
    go_on("straight.nc");
}

/* Copies to the host fail one after the other: as many as there are from one checkpoint to the next. */
static void a_checkpoint_that_cannot_be_fetched_leaves_the_last_one(void **state)
{
    enum { CYCLE = 8 };
    (void)state;
    set("FAKE_CALL", "cuMemcpyDtoH");
    keep_straight();
    const int copies = count_calls();
    assert_true(copies > 4 * CYCLE);
    for (int k = 0; k < CYCLE; k++) {
        lose_at(copies / 2 + k, 719, "cuMemcpyDtoHAsync: ");
        assert_true(scratch_has(checkpoint));
    }
    go_on("straight.nc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_STAND_IN(a_device_that_is_lost_ends_the_run_and_the_checkpoint_goes_on),
        ON_STAND_IN(a_checkpoint_that_cannot_be_fetched_leaves_the_last_one),
    };
    return cmocka_run_group_tests_name("device_lost", tests, set_up, scratch_remove);
}

#else

int main(void)
{
    return 0;
}

#endif
