/* Runs on stand-in GPUs whose driver fails when told to; include after cmocka.h. */
#ifndef SHOAL_TEST_DEVICE_FAULTS_H
#define SHOAL_TEST_DEVICE_FAULTS_H

#include "tests/support/stand_in.h"

#define RUN                                                                                       \
    "run", "circular-dam", "--nx", "24", "--ny", "20", "--mode", "strict", "--early-exit", "off", \
        "--steps", "6"
#define ON_GPU RUN, "--backend", "cuda"

static inline void set(const char *name, const char *value)
{
    assert_int_equal(setenv(name, value, 1), 0);
}

/* Lets every call of the driver fail from this one on. */
static inline void break_at(int number, int code)
{
    char text[64];
    snprintf(text, sizeof text, "%d %d", number, code);
    set("FAKE_FAULT", text);
}

/* How many calls of the driver the last run made. */
static inline int count_calls(void)
{
    program_read("calls", result.out);
    return (int)strtol(result.out, NULL, 10);
}

/* Every test begins with a driver and a toolkit that are both stand-ins. */
static inline int use_stand_in(void **state)
{
    static const char *const unset[] = {"FAKE_FAULT", "FAKE_CALL",    "FAKE_DRIVER", "FAKE_NVRTC",
                                        "FAKE_ARCH",  "FAKE_DEVICES", "FAKE_PEERS",  "FAKE_GROWS"};
    char path[PATH_LENGTH];
    (void)state;
    for (size_t k = 0; k < sizeof unset / sizeof *unset; k++)
        unsetenv(unset[k]);
    set("SHOAL_LIBCUDA", stand_in_library);
    scratch_path(path, "cuda");
    set("SHOAL_CUDA", path);
    return 0;
}

static inline int set_up(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    if (program_find() || stand_in_use())
        return 1;
    scratch_path(path, "calls");
    set("FAKE_CALLS", path);
    return 0;
}

#define ON_STAND_IN(test) cmocka_unit_test_setup(test, use_stand_in)

#endif
