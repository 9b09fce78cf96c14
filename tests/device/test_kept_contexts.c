/* Who holds the contexts of GPUs, by the count of a stand-in for NVIDIA's driver. */
#include "tests/support/test.h"

#include <dlfcn.h>

#include "core/device/backend.h"
#include "tests/support/device_faults.h"

enum { SYNC_FAILS = 719 };

static int holders(int device)
{
    void *const library = dlopen(stand_in_library, RTLD_LAZY | RTLD_NOLOAD);
    int (*count)(int) = NULL;
    assert_non_null(library);
    *(void **)&count = dlsym(library, "stand_in_holders");
    assert_non_null(count);
    const int n = count(device);
    dlclose(library);
    return n;
}

static struct device *opened(int device)
{
    const struct device_options o = {.device = device};
    struct device *dev = NULL;
    if (backend_cuda.open(&dev, &o))
        fail_msg("%s", err_message());
    return dev;
}

static void closed(struct device *dev, int device, int left)
{
    backend_cuda.close(dev);
    assert_int_equal(holders(device), left);
}

static void a_process_gives_contexts_back(void **state)
{
    (void)state;
    set("FAKE_DEVICES", "2");
    struct device *one = opened(0), *two = opened(0), *other = opened(1);
    assert_int_equal(holders(0), 2);
    closed(one, 0, 1);
    closed(two, 0, 0);
    closed(other, 1, 0);
}

/* Of each GPU once, however often it is opened. */
static void a_process_that_keeps_them_holds_each_once(void **state)
{
    (void)state;
    set("FAKE_DEVICES", "2");
    cuda_keep_contexts();
    for (int k = 0; k < 3; k++) {
        struct device *one = opened(0), *two = opened(0);
        assert_int_equal(holders(0), 3);
        closed(one, 0, 2);
        closed(two, 0, 1);
    }
    closed(opened(1), 1, 1);
    assert_int_equal(holders(0), 1);
}

/* Even while another device still uses it: it keeps the one that is opened after both are closed. */
static void a_broken_one_is_not_kept(void **state)
{
    (void)state;
    cuda_keep_contexts();
    struct device *one = opened(0), *two = opened(0);
    set("FAKE_CALL", "cuStreamSynchronize");
    break_at(1, SYNC_FAILS);
    closed(one, 0, 1);
    closed(two, 0, 0);
    unsetenv("FAKE_FAULT");
    closed(opened(0), 0, 1);
}

static void one_that_cannot_be_used_is_not_kept(void **state)
{
    const struct device_options o = {.device = 0};
    struct device *dev = NULL;
    (void)state;
    cuda_keep_contexts();
    set("FAKE_CALL", "cuStreamCreate");
    break_at(1, SYNC_FAILS);
    assert_int_not_equal(backend_cuda.open(&dev, &o), ERR_OK);
    assert_null(dev);
    assert_int_equal(holders(0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_STAND_IN(a_process_gives_contexts_back),
        ON_STAND_IN(a_process_that_keeps_them_holds_each_once),
        ON_STAND_IN(a_broken_one_is_not_kept),
        ON_STAND_IN(one_that_cannot_be_used_is_not_kept),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_remove);
}
