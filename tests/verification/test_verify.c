/* `shoal verify` as people and scripts use it: options, files, and what happens when it is disturbed. */
#include "tests/support/test.h"

#include <signal.h>
#include <time.h>

#include "tests/support/need_gnuplot.h"
#include "tests/support/program.h"

#define SMALL                                                                                     \
    "verify", "--quick", "--precision", "f64", "--scheme", "rk2", "--backend", "cpu", "--output", \
        "out"
#define LONGER SMALL, "--case", "parabola-round,parabola-channel", "--workers", "2"

enum { COLUMNS = 16, SECONDS = 14 };

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    unsetenv("SHOAL_DEBUG");
    return program_find();
}

static void naps(int milliseconds)
{
    const struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&t, NULL);
}

static int lines(const char *text, const char *with)
{
    int n = 0;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        const char *at = strstr(text, with);
        n += at && at < text + strcspn(text, "\n");
    }
    return n;
}

static void wrong_usage_is_refused_before_anything_is_computed(void **state)
{
    static const struct {
        const char *words[5], *part;
    } tries[] = {
        {{"--case", "nosuch"}, "nosuch"},
        {{"--case", "stokr"}, "did you mean 'stoker'?"},
        {{"--scheme", "rk22"}, "did you mean 'rk2'?"},
        {{"--limiter", "minmud"}, "did you mean 'minmod'?"},
        {{"--flux", "hll,rusanow"}, "did you mean 'rusanov'?"},
        {{"--reconstruction", "kq"}, "--reconstruction: unknown reconstruction 'kq'"},
        {{"--precision", "f65"}, "f64"},
        {{"--backend", "gpu"}, "backend"},
        {{"--mode", "fest"}, "did you mean 'fast'?"},
        {{"--quick", "--full"}, "contradict"},
        {{"--parts", "0"}, "--parts"},
        {{"--devices", "0,x"}, "--devices"},
        {{"stoker"}, "--case stoker"},
        {{"--workers", "abc"}, "'abc'"},
        {{"--case", "stoker", "--output", "absent/out"}, "absent/out"},
        {{"--case", "stoker", "--output", "a-file"}, "a-file"},
        {{"--case", "stoker", "--output", "/proc/shoal"}, "/proc/shoal"},
    };
    (void)state;
    scratch_write("a-file", "w", "");
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        const char *words[8] = {"verify"};
        for (int n = 0; tries[k].words[n]; n++)
            words[n + 1] = tries[k].words[n];
        program_run(words);
        ASSERT_STATUS(2);
        assert_string_equal(result.out, "");
        assert_int_equal(lines(result.err, ""), 1);
        assert_int_equal(strncmp(result.err, "shoal: error: ", 14), 0);
        ASSERT_HAS(result.err, tries[k].part);
    }
}

static void a_folder_that_cannot_be_written_is_told_at_once(void **state)
{
    char path[PATH_LENGTH];
    (void)state;
    scratch_folder("closed");
    scratch_folder("closed/data");
    scratch_path(path, "closed");
    assert_int_equal(chmod(path, 0500), 0);
    if (access(path, W_OK) == 0) {
        print_message("skipped: this user may write everywhere\n");
        skip();
    }
    SHOAL("verify", "--quick", "--case", "stoker", "--output", "closed");
    ASSERT_STATUS(2);
    assert_string_equal(result.out, "");
    ASSERT_HAS(result.err, "cannot write into the folder closed");
}

static void a_list_computes_nothing(void **state)
{
    struct stat s;
    char path[PATH_LENGTH];
    (void)state;
    SHOAL(SMALL, "--case", "stoker,symmetry", "--list");
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
    assert_int_equal(lines(result.out, "rk2 minmod f64 cpu"), lines(result.out, ""));
    assert_int_equal(lines(result.out, "symmetry "), 1);
    assert_int_equal(lines(result.out, "stoker "), 2);
    scratch_path(path, "out");
    assert_int_equal(stat(path, &s), -1);
}

/* Returns the numbers of the closing line. */
static void closing(int *held, int *failed)
{
    char *last = strstr(result.out, "\nverify: held="), *end;
    assert_non_null(last);
    *held = (int)strtol(last + strlen("\nverify: held="), &end, 10);
    assert_int_equal(strncmp(end, " failed=", 8), 0);
    *failed = (int)strtol(end + 8, &end, 10);
    assert_int_equal(strncmp(end, " noted=", 7), 0);
    assert_string_equal(strchr(last + 1, '\n'), "\n");
}

/* Every line has its columns; those with the times are cut out. */
static void results_without_seconds(char text[MOST_TEXT])
{
    static char results[MOST_TEXT];
    program_read("out/results.tsv", results);
    *text = '\0';
    for (char *rest = results, *line; (line = strsep(&rest, "\n")) && *line;) {
        int n = 0;
        for (char *column; (column = strsep(&line, "\t")); n++) {
            assert_true(*column != '\0' || n == 0);
            if (n != SECONDS)
                strcat(strcat(text, column), "\t");
        }
        assert_int_equal(n, COLUMNS);
        strcat(text, "\n");
    }
}

/* Also those of a channel that is one cell wide, and stays in one piece. */
static void parts_come_to_the_same_numbers(void **state)
{
    static char plain[MOST_TEXT], parts[MOST_TEXT];
    (void)state;
    SHOAL(SMALL, "--case", "parabola-channel,three-humps");
    ASSERT_STATUS(0);
    results_without_seconds(plain);
    SHOAL(SMALL, "--case", "parabola-channel,three-humps", "--parts", "3x2");
    ASSERT_STATUS(0);
    results_without_seconds(parts);
    assert_string_equal(parts, plain);
}

/* Fast mode contracts and reorders: where strict mode must be symmetric to the bit, it may miss that by rounding. */
static void symmetry_is_to_the_bit_in_strict_mode_and_to_rounding_in_fast_mode(void **state)
{
    (void)state;
    int held[2], failed[2];
    SHOAL(SMALL, "--case", "three-humps");
    ASSERT_STATUS(0);
    closing(&held[0], &failed[0]);
    SHOAL(SMALL, "--case", "three-humps", "--mode", "fast");
    ASSERT_STATUS(0);
    closing(&held[1], &failed[1]);
    assert_int_equal(held[1], held[0]);
    ASSERT_HAS(result.out, "noted=0");
}

static void what_holds_is_counted_and_written_down(void **state)
{
    static char results[MOST_TEXT];
    int held, failed;
    (void)state;
    need_gnuplot();
    SHOAL(SMALL, "--case", "stoker,ritter,symmetry");
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
    closing(&held, &failed);
    results_without_seconds(results);
    assert_int_equal(failed, 0);
    assert_int_equal(held, lines(results, "\tok\t"));
    assert_true(lines(results, "symmetry: ") >= 3 && lines(results, "stoker\t") >= 4);
}

static void the_number_of_workers_changes_no_result(void **state)
{
    static char one[MOST_TEXT], many[MOST_TEXT];
    (void)state;
    SHOAL(SMALL, "--case", "stoker,ritter,vortex-ryujin,mass", "--workers", "1");
    ASSERT_STATUS(0);
    results_without_seconds(one);
    SHOAL(SMALL, "--case", "stoker,ritter,vortex-ryujin,mass", "--workers", "3");
    ASSERT_STATUS(0);
    results_without_seconds(many);
    assert_string_equal(one, many);
}

static void junit_is_well_formed(void **state)
{
    static const char script[] =
        "import sys, xml.etree.ElementTree as t\n"
        "s = t.parse(sys.argv[1]).getroot()\n"
        "c = s.findall('.//testcase')\n"
        "assert s.tag == 'testsuites' and len(c) == int(s.get('tests')) > 5\n"
        "assert len(s.findall('.//failure')) == int(s.get('failures')) == 0\n"
        "assert all(x.get('classname') and x.get('name') and float(x.get('time')) >= 0 for x in "
        "c)\n"
        "assert len({(x.get('classname'), x.get('name')) for x in c}) == len(c)\n";
    char command[2 * PATH_LENGTH];
    (void)state;
    if (system("python3 -c 'import xml.etree' 2>/dev/null") != 0) {
        print_message("skipped: no python3\n");
        skip();
    }
    SHOAL(SMALL, "--case", "stoker,ritter,symmetry");
    ASSERT_STATUS(0);
    scratch_write("junit.py", "w", script);
    snprintf(command, sizeof command, "cd '%s' && python3 junit.py out/junit.xml", scratch);
    assert_int_equal(system(command), 0);
}

enum { MOST_CHILDREN = 8 };

/* Processes whose parent is `of`; waits until there are some. */
static int children(pid_t of, pid_t list[MOST_CHILDREN])
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)of, (int)of);
    for (int tries = 0; tries < 500; tries++, naps(10)) {
        int n = 0;
        FILE *f = fopen(path, "r");
        if (!f)
            return 0;
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        fclose(f);
        for (char *at = text, *end; n < MOST_CHILDREN; n++, at = end) {
            list[n] = (pid_t)strtol(at, &end, 10);
            if (end == at)
                break;
        }
        if (n)
            return n;
    }
    return 0;
}

/* Processor time that a process itself has used, s: fields 14 and 15, the second may have blanks in it. */
static double worked(pid_t pid)
{
    char path[64], text[1024] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    if (f)
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
    if (f)
        fclose(f);
    char *at = strrchr(text, ')');
    for (int k = 2; at && k < 14; k++)
        at = strchr(at + 1, ' ');
    const double user = at ? strtod(at, &at) : 0, kernel = at ? strtod(at, NULL) : 0;
    return (user + kernel) / (double)sysconf(_SC_CLK_TCK);
}

/* Starts two workers, and waits until one is well within a run: it becomes the first. A worker itself spends little
 * time on finding or compiling kernels, and most runs need all of them. */
static pid_t started(int out, pid_t worker[MOST_CHILDREN], int *workers)
{
    static const double runs = 0.05; /* s */
    const pid_t pid = program_start(out, (const char *const[]){LONGER, NULL});
    for (int tries = 0; tries < 10000; tries++, naps(10)) {
        *workers = children(pid, worker);
        for (int k = 0; k < *workers; k++)
            if (worked(worker[k]) > runs) {
                const pid_t first = worker[k];
                worker[k] = worker[0];
                worker[0] = first;
                return pid;
            }
        if (!*workers)
            break;
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    if (*workers)
        fail_msg("no worker has worked for %g s", runs);
    print_message("skipped: this system does not tell a process's children\n");
    skip();
    return 0;
}

static int alive(const pid_t *list, int n)
{
    int count = 0;
    for (int k = 0; k < n; k++)
        count += kill(list[k], 0) == 0;
    return count;
}

static void assert_gone(const pid_t *list, int n)
{
    for (int tries = 0; tries < 300 && alive(list, n); tries++)
        naps(10);
    assert_int_equal(alive(list, n), 0);
}

static void a_worker_that_dies_fails_its_job_only(void **state)
{
    static char results[MOST_TEXT];
    pid_t worker[MOST_CHILDREN];
    int n, held, failed;
    (void)state;
    const pid_t pid = started(-1, worker, &n);
    kill(worker[0], SIGKILL);
    program_end(pid);
    ASSERT_STATUS(1);
    closing(&held, &failed);
    assert_int_equal(failed, 1);
    assert_true(held > 4);
    results_without_seconds(results);
    assert_int_equal(lines(results, "runs to its end"), 1);
    assert_int_equal(lines(results, "was killed by signal 9"), 1);
    ASSERT_HAS(result.out, "\n## Failed: 1\n");
    assert_gone(worker, n);
}

static void a_signal_ends_it_with_what_was_done(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM};
    static char results[MOST_TEXT];
    (void)state;
    for (int k = 0; k < 2; k++) {
        pid_t worker[MOST_CHILDREN];
        int n;
        const pid_t pid = started(-1, worker, &n);
        kill(pid, signals[k]);
        program_end(pid);
        ASSERT_STATUS(5);
        ASSERT_HAS(result.err, "stopped by a signal");
        assert_int_equal(lines(result.out, "verify: held="), 1);
        results_without_seconds(results);
        assert_int_equal(lines(results, "\tFAIL\t"), 0);
        assert_gone(worker, n);
    }
}

/* As `| head -1` does. */
static void nobody_listening_leaves_nothing_behind(void **state)
{
    pid_t worker[MOST_CHILDREN];
    int ends[2], n;
    char line[16];
    (void)state;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    const pid_t pid = started(ends[1], worker, &n);
    close(ends[1]);
    assert_true(read(ends[0], line, sizeof line) > 0);
    close(ends[0]);
    program_end(pid);
    assert_int_equal(result.signal, 0);
    ASSERT_STATUS(3);
    assert_int_equal(lines(result.err, "shoal: error: "), 1);
    assert_gone(worker, n);
}

static void a_parent_that_is_killed_takes_its_workers_along(void **state)
{
    pid_t worker[MOST_CHILDREN];
    int n;
    (void)state;
    const pid_t pid = started(-1, worker, &n);
    kill(pid, SIGKILL);
    program_end(pid);
    assert_gone(worker, n);
}

static void schemes_without_draining_are_refused(void **state)
{
    (void)state;
    SHOAL("verify", "--positivity", "draining", "--scheme", "rk2,euler", "--list");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "scheme euler does not offer it; choose --scheme rk2, rk2_fused");
    SHOAL("verify", "--positivity", "draining", "--scheme", "rk2", "--list");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, "rk2 minmod draining f64 cpu");
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, scratch_remove)
    const struct CMUnitTest tests[] = {
        FRESH(wrong_usage_is_refused_before_anything_is_computed),
        FRESH(a_folder_that_cannot_be_written_is_told_at_once),
        FRESH(a_list_computes_nothing),
        FRESH(schemes_without_draining_are_refused),
        FRESH(parts_come_to_the_same_numbers),
        FRESH(symmetry_is_to_the_bit_in_strict_mode_and_to_rounding_in_fast_mode),
        FRESH(what_holds_is_counted_and_written_down),
        FRESH(the_number_of_workers_changes_no_result),
        FRESH(junit_is_well_formed),
        FRESH(a_worker_that_dies_fails_its_job_only),
        FRESH(a_signal_ends_it_with_what_was_done),
        FRESH(nobody_listening_leaves_nothing_behind),
        FRESH(a_parent_that_is_killed_takes_its_workers_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
