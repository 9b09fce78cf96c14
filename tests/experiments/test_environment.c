/* Environments: what a device says about itself stays the same, is fit for a public database, and finds its place
 * there. */
#include "tests/support/test.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/device/nvml.h"
#include "core/base/provenance.h"
#include "experiments/measure/environment.h"
#include "tests/support/manifest.h"
#include "tests/support/scratch.h"

static void probe(struct environment *e, enum backend_kind backend, int threads)
{
    const struct device_options o = {.threads = threads, .march = "native"};
    environment_probe(e, backend, &o);
}

static const char *value_of(const struct environment *e, const char *key)
{
    for (int k = 0; k < e->count; k++)
        if (strcmp(e->entry[k].key, key) == 0)
            return e->entry[k].value;
    fail_msg("no %s", key);
    return "";
}

static void print_fault(void *context, const char *path, int line, const char *fault)
{
    (void)context;
    print_error("%s:%d: %s\n", path, line, fault);
}

/* `shoal db check` has no objection. */
static void assert_sound(void)
{
    char database[PATH_LENGTH];
    struct db_checked sum;
    scratch_path(database, "db");
    fine(db_check(database, print_fault, NULL, &sum));
    assert_int_equal(sum.faults, 0);
    assert_int_equal(sum.files, 1);
}

static void place(const struct environment *e, char folder[PATH_LENGTH])
{
    char database[PATH_LENGTH];
    scratch_path(database, "db");
    fine(environment_folder(e, database, folder));
}

static struct db_manifest manifest_in(const char *folder)
{
    char path[PATH_LENGTH];
    struct db_manifest m;
    fine(db_path(folder, "manifest.json", path));
    fine(db_manifest_read(path, &m));
    return m;
}

static void probe_twice_and_place(enum backend_kind backend)
{
    static struct environment first, second;
    char folder[PATH_LENGTH], again[PATH_LENGTH], hash[DB_HASH + 1];
    probe(&first, backend, 2);
    if (!first.here) {
        print_message("skipped: %s: %s\n", backends[backend]->name, first.why);
        skip();
    }
    probe(&second, backend, 2);
    assert_string_equal(first.hash, second.hash);
    for (int k = 0; k + 1 < first.count; k++)
        assert_true(strcmp(first.entry[k].key, first.entry[k + 1].key) < 0);
    place(&first, folder);
    assert_string_equal(strrchr(folder, '/') + 1, first.hash);
    place(&second, again);
    assert_string_equal(folder, again);
    struct db_manifest m = manifest_in(folder);
    db_manifest_hash(&m, hash);
    assert_string_equal(hash, first.hash);
    assert_string_equal(db_manifest_get(&m, "environment", "device"),
                        value_of(&first, "environment/device"));
    for (size_t k = 0; k < m.count; k++)
        assert_int_not_equal(strncmp(m.entry[k].key, "state/", 6), 0);
    db_manifest_free(&m);
    assert_sound();
}

static void a_cpu_has_a_place_in_the_database(void **state)
{
    (void)state;
    probe_twice_and_place(CPU);
}

static void a_gpu_has_a_place_in_the_database(void **state)
{
    (void)state;
    probe_twice_and_place(CUDA);
}

static void what_times_depend_on_is_another_environment(void **state)
{
    (void)state;
    static struct environment two, one, sanitized;
    const char *set = getenv("SHOAL_KERNEL_CFLAGS");
    char *own = set ? strdup(set) : NULL;
    probe(&two, CPU, 2);
    probe(&one, CPU, 1);
    assert_string_not_equal(two.hash, one.hash);
    assert_string_equal(value_of(&one, "environment/threads"), "1");
    /* Options that name a folder distinguish environments, but are withheld. */
    setenv("SHOAL_KERNEL_CFLAGS", "-g --sysroot=/home/somebody", 1);
    probe(&sanitized, CPU, 2);
    assert_string_not_equal(two.hash, sanitized.hash);
    assert_non_null(strstr(value_of(&sanitized, "environment/options_fast"), "withheld"));
    setenv("SHOAL_KERNEL_CFLAGS", "-g --sysroot=/home/another", 1);
    probe(&two, CPU, 2);
    assert_string_not_equal(two.hash, sanitized.hash);
    if (own)
        setenv("SHOAL_KERNEL_CFLAGS", own, 1);
    else
        unsetenv("SHOAL_KERNEL_CFLAGS");
    free(own);
}

static void what_cannot_be_used_says_why(void **state)
{
    (void)state;
    static struct environment e;
    const struct device_options o = {.device = -1, .threads = 1, .march = "native"};
    environment_probe(&e, CUDA, &o);
    assert_false(e.here);
    assert_int_not_equal(strlen(e.why), 0);
    setenv("SHOAL_CC", "/nonexistent/cc", 1);
    probe(&e, CPU, 1);
    unsetenv("SHOAL_CC");
    assert_false(e.here);
    assert_non_null(strstr(e.why, "/nonexistent/cc"));
}

/* An environment that no device has, and its folder. */
static void make_up(char folder[PATH_LENGTH])
{
    static const struct db_entry entries[] = {
        {"environment/backend", "cpu"},     {"environment/compiler", "cc 1"},
        {"environment/device", "Made Up!"}, {"environment/march", "x"},
        {"environment/threads", "2"},       {"state/sm_mhz", "1000"}};
    static struct environment e;
    struct db_manifest m = {.entry = e.entry, .count = sizeof entries / sizeof *entries};
    memcpy(e.entry, entries, sizeof entries);
    e.count = (int)m.count;
    db_manifest_hash(&m, e.hash);
    place(&e, folder);
    assert_non_null(strstr(folder, "/db/made-up/"));
}

static void equal_flags_have_one_name_and_others_another(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } flags[] = {{"mode=fast limiter=minmod", "fast"},
                 {"mode=fast limiter=mc", "fast-2"},
                 {"mode=strict", "strict"},
                 {"mode=fast", "fast-3"},
                 {"mode=fast limiter=mc", "fast-2"},
                 {"mode=strict", "strict"}};
    char folder[PATH_LENGTH], name[DB_FLAGS + 1];
    make_up(folder);
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        fine(environment_flags(folder, flags[k].text, name));
        assert_string_equal(name, flags[k].name);
    }
    struct db_manifest m = manifest_in(folder);
    assert_string_equal(db_manifest_get(&m, "flags", "fast-3"), "mode=fast");
    db_manifest_free(&m);
    assert_sound();
}

static void sessions_are_entered_and_added_to(void **state)
{
    (void)state;
    const struct db_pair first[] = {{"strategy", "guided"}, {"state", "in /home/somebody"}};
    const struct db_pair second[] = {{"strategy", "pruned"}};
    char folder[PATH_LENGTH], path[PATH_LENGTH];
    const struct db_entry early[] = {{"sessions/0000000a/commit", "abc"},
                                     {"sessions/0000000a/started", "2014-05-15T12:00:00Z"}};
    struct provenance p;
    make_up(folder);
    fine(db_path(folder, "manifest.json", path));
    fine(merge_manifest(path, early, 2));
    fine(environment_session(folder, "0000000a", first, 2));
    fine(environment_session(folder, "0000000a", second, 1));
    fine(environment_session(folder, "0000000b", NULL, 0));
    struct db_manifest m = manifest_in(folder);
    const char *a = "sessions/0000000a";
    assert_string_equal(db_manifest_get(&m, a, "started"), early[1].value);
    assert_string_equal(db_manifest_get(&m, a, "commit"), "abc");
    assert_string_equal(db_manifest_get(&m, a, "strategy"), "pruned");
    assert_null(strchr(db_manifest_get(&m, a, "state"), '/'));
    const char *b = "sessions/0000000b";
    fine(provenance_find(&p));
    assert_non_null(db_manifest_get(&m, b, "started"));
    assert_null(strchr(db_manifest_get(&m, b, "commit"), '-'));
    assert_string_equal(db_manifest_get(&m, b, "commit"), p.commit);
    assert_string_equal(db_manifest_get(&m, b, "committed"), p.committed);
    assert_string_equal(db_manifest_get(&m, b, "program"), p.program);
    assert_string_equal(db_manifest_get(&m, b, "dirty"), p.dirty);
    db_manifest_free(&m);
}

/* A GPU on bus 0000:3b:00.0 that does not report its highest memory clock. */
static const char fake_nvml[] =
    "#include <string.h>\n"
    "int nvmlInit_v2(void) { return 0; }\n"
    "const char *nvmlErrorString(int r) { return r == 6 ? \"Not Found\" : \"other\"; }\n"
    "int nvmlDeviceGetHandleByPciBusId_v2(const char *b, void **d)\n"
    "{ *d = (void *)d; return strcmp(b, \"0000:3b:00.0\") ? 6 : 0; }\n"
    "int nvmlDeviceGetMaxClockInfo(void *d, int kind, unsigned *x)\n"
    "{ *x = 1980; return !d || kind != 1; }\n"
    "int nvmlDeviceGetPowerManagementLimit(void *d, unsigned *x) { *x = 700000; return !d; }\n"
    "int nvmlSystemGetDriverVersion(char *t, unsigned n)\n"
    "{ strncpy(t, \"580.65.06\", n); return n < 80; }\n";

static int limits_are_told(const char *library)
{
    struct nvml_limits l;
    char why[2 * PATH_LENGTH] = "";
    setenv("SHOAL_LIBNVML", library, 1);
    return !nvml_read_limits("", &l, why, sizeof why) && strstr(why, "bus") &&
           !nvml_read_limits("0000:41:00.0", &l, why, sizeof why) && strstr(why, "Not Found") &&
           nvml_read_limits("0000:3b:00.0", &l, why, sizeof why) && fabs(l.sm_mhz - 1980) < 1e-9 &&
           isnan(l.memory_mhz) && fabs(l.watts - 700) < 1e-9 && strcmp(l.driver, "580.65.06") == 0;
}

/* In its own process: a library that was opened once stays open. */
static void limits_come_from_nvml_as_far_as_it_tells(void **state)
{
    (void)state;
    char command[4 * PATH_LENGTH], library[PATH_LENGTH];
    scratch_write("nvml.c", "w", fake_nvml);
    scratch_path(library, "libnvidia-ml.so.1");
    snprintf(command, sizeof command, "cc -shared -fPIC -o '%s' '%s/nvml.c'", library, scratch);
    if (system(command) != 0) {
        print_message("skipped: no C compiler called cc to build a stand-in of NVML\n");
        skip();
    }
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(!limits_are_told(library));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_remove)

/* Tests that fork come before the driver may be opened. */
int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_SCRATCH(limits_come_from_nvml_as_far_as_it_tells),
        IN_SCRATCH(a_cpu_has_a_place_in_the_database),
        IN_SCRATCH(what_times_depend_on_is_another_environment),
        IN_SCRATCH(equal_flags_have_one_name_and_others_another),
        IN_SCRATCH(sessions_are_entered_and_added_to),
        IN_SCRATCH(what_cannot_be_used_says_why),
        IN_SCRATCH(a_gpu_has_a_place_in_the_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
