/* The journal: what was stored before a kill is there after it, and damage costs only what follows it. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/registry/registry.h"
#include "experiments/tuner/journal.h"
#include "tests/support/scratch.h"

enum { TRIALS = 64, ROUNDS = 5 };

static int make_cache(void **state)
{
    (void)state;
    scratch_create();
    return setenv("SHOAL_CACHE", scratch, 1);
}

static struct journal_head head_of(const char *what)
{
    struct journal_head head = {.environment = "0123456789ab"};
    snprintf(head.what, sizeof head.what, "%s", what);
    return head;
}

static struct journal *created(const char *what)
{
    struct journal *j;
    struct journal_head head = head_of(what);
    if (journal_create(&j, &head))
        fail_msg("%s", err_message());
    return j;
}

static struct journal *resumed(const char *what, struct journal_head *head)
{
    struct journal *j;
    *head = head_of(what);
    if (journal_resume(&j, head))
        fail_msg("%s", err_message());
    return j;
}

static void assert_none_to_resume(const char *what)
{
    struct journal_head head;
    assert_null(resumed(what, &head));
}

static struct trial trial_of(int number)
{
    struct trial t;
    const struct recipe r = {.kernel = find_kernel(number % 2 ? "rk0" : "flux_fgh0"),
                             .block = {8 + number, 4}};
    trial_start(&t, &r, number);
    snprintf(t.binary, sizeof t.binary, "%012x", number);
    t.compile_ms = 1. / 3;
    t.load_ms = (double)INFINITY;
    t.registers = number;
    return t;
}

/* Numbers that need all their digits. */
static void time_once_more(struct trial *t)
{
    snprintf(t->method, sizeof t->method, "clock");
    for (int k = 0; k < ROUNDS; k++)
        t->us[t->timings + k] = 1e-3f / (float)(3 + t->timings + k + t->sequence);
    t->timings += ROUNDS;
    t->measure_ms = 0.1 * t->timings;
    t->throttle = 9007199254740991.;
}

/* What was found, in the order of the journal. */
static struct trial found[TRIALS];
static int count;

static void read_back(struct journal *j)
{
    memset(found, 0, sizeof found);
    fine(journal_read(j, found, TRIALS, &count));
}

static const struct trial *found_of(int number)
{
    for (int k = 0; k < count; k++)
        if (found[k].sequence == number)
            return &found[k];
    return NULL;
}

/* All that is known, to the byte, except the recipe's other members and the path. */
static void assert_same(const struct trial *have, const struct trial *want)
{
    const size_t from = offsetof(struct trial, sequence);
    assert_non_null(have);
    assert_ptr_equal(have->recipe.kernel, want->recipe.kernel);
    assert_int_equal(have->recipe.block.w, want->recipe.block.w);
    assert_int_equal(have->recipe.block.h, want->recipe.block.h);
    assert_memory_equal((const char *)have + from, (const char *)want + from, sizeof *want - from);
}

static void what_was_kept_reads_back_as_it_was(void **state)
{
    (void)state;
    struct journal *j = created("all");
    struct trial timed = trial_of(0), failed = trial_of(1), full = trial_of(2);
    struct journal_head head;
    trial_fail(&failed, DB_LAUNCH, "made up");
    full.timings = MOST_TIMINGS;
    for (int k = 0; k < MOST_TIMINGS; k++)
        full.us[k] = 1.17549435e-38f * (float)(1 + k % 3);
    fine(journal_keep(j, &timed));
    fine(journal_keep(j, &failed));
    for (int k = 0; k < 3; k++) {
        time_once_more(&timed);
        fine(journal_keep(j, &timed));
    }
    trial_fail(&timed, DB_TIME_OUT, "slow");
    fine(journal_keep(j, &timed));
    fine(journal_keep(j, &full));
    journal_close(j, 0);
    j = resumed("all", &head);
    assert_non_null(j);
    read_back(j);
    assert_int_equal(count, 3);
    assert_same(&found[0], &timed);
    assert_same(&found[1], &failed);
    assert_same(&found[2], &full);
    /* The journal continues: what is added now is read back, too. */
    time_once_more(&timed);
    fine(journal_keep(j, &timed));
    read_back(j);
    assert_same(&found[0], &timed);
    journal_close(j, 1);
    assert_none_to_resume("all");
}

/* Stores reports until it is killed; sends through the pipe which ones are certainly stored. */
static void report_for_ever(int pipe)
{
    struct journal *j;
    struct journal_head head = head_of("killed");
    if (journal_create(&j, &head))
        _exit(1);
    for (int round = 0; round < MOST_TIMINGS / ROUNDS; round++)
        for (int n = 0; n < TRIALS; n++) {
            static struct trial t[TRIALS];
            if (round == 0)
                t[n] = trial_of(n);
            else
                time_once_more(&t[n]);
            if (journal_keep(j, &t[n]))
                _exit(1);
            if (write(pipe, &n, sizeof n) != sizeof n)
                _exit(1);
        }
    for (;;)
        pause();
}

/* Kills a process while it stores reports. `reported` gets how many records of each trial it had written by then. */
static void kill_a_writer(int after, int reported[TRIALS])
{
    int ends[2], status, n;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        report_for_ever(ends[1]);
    }
    close(ends[1]);
    memset(reported, 0, TRIALS * sizeof *reported);
    for (int k = 0; read(ends[0], &n, sizeof n) == sizeof n; k++) {
        reported[n]++;
        if (k != after)
            continue;
        assert_none_to_resume("killed");
        kill(child, SIGKILL);
    }
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void a_killed_tuning_loses_nothing_that_was_kept(void **state)
{
    (void)state;
    static const int moments[] = {1, 70, 300, 1111};
    int reported[TRIALS];
    for (size_t k = 0; k < sizeof moments / sizeof *moments; k++) {
        struct journal_head head;
        kill_a_writer(moments[k], reported);
        struct journal *j = resumed("killed", &head);
        assert_non_null(j);
        read_back(j);
        for (int n = 0; n < TRIALS; n++) {
            struct trial want = trial_of(n);
            const struct trial *have = found_of(n);
            assert_true(have || !reported[n]);
            if (!have)
                continue;
            /* The file may have one record more than the pipe reported. */
            assert_in_range(have->timings, ROUNDS * (reported[n] ? reported[n] - 1 : 0),
                            ROUNDS * reported[n]);
            while (want.timings < have->timings)
                time_once_more(&want);
            assert_same(have, &want);
        }
        journal_close(j, 1);
    }
}

static void only_one_process_has_a_journal(void **state)
{
    (void)state;
    struct journal *j = created("mine");
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct journal *other;
        struct journal_head head = head_of("mine");
        _exit(journal_resume(&other, &head) != ERR_OK || other != NULL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    journal_close(j, 0);
    struct journal_head head;
    j = resumed("mine", &head);
    assert_non_null(j);
    journal_close(j, 1);
}

static void path_of(const struct journal_head *head, char path[PATH_LENGTH])
{
    char name[64];
    snprintf(name, sizeof name, "tune-%s.journal", head->session);
    scratch_path(path, name);
}

static void the_latest_of_those_that_fit_is_resumed(void **state)
{
    (void)state;
    struct journal_head heads[3], head;
    for (int k = 0; k < 3; k++) {
        struct journal *j;
        char path[PATH_LENGTH];
        heads[k] = head_of("one of three");
        fine(journal_create(&j, &heads[k]));
        assert_int_equal(strspn(heads[k].session, "0123456789abcdef"), DB_SESSION);
        journal_close(j, 0);
        const struct timespec times[2] = {{.tv_sec = 1000 + 10 * (k == 1)},
                                          {.tv_sec = 1000 + 10 * (k == 1)}};
        path_of(&heads[k], path);
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    struct journal *latest = resumed("one of three", &head);
    assert_string_equal(head.session, heads[1].session);
    struct journal *next = resumed("one of three", &head);
    assert_non_null(next);
    assert_string_not_equal(head.session, heads[1].session);
    assert_none_to_resume("one of thre");
    journal_close(next, 1);
    journal_close(latest, 1);
    struct journal *j;
    head = head_of("one of three");
    strcpy(head.environment, "ffffffffffff");
    fine(journal_resume(&j, &head));
    assert_null(j);
    head = head_of("two\nlines");
    assert_int_equal(journal_create(&j, &head), ERR_INPUT);
    assert_null(j);
}

/* A journal of TRIALS trials with one round each; its path. */
static void write_sound(char path[PATH_LENGTH])
{
    struct journal *j;
    struct journal_head head = head_of("damaged");
    fine(journal_create(&j, &head));
    for (int n = 0; n < TRIALS; n++) {
        struct trial t = trial_of(n);
        time_once_more(&t);
        fine(journal_keep(j, &t));
    }
    journal_close(j, 0);
    path_of(&head, path);
}

/* How many trials are found, each as it was stored; -1 if there is no journal. */
static int count_sound(void)
{
    struct journal_head head;
    struct journal *j = resumed("damaged", &head);
    if (!j)
        return -1;
    read_back(j);
    for (int n = 0; n < count; n++) {
        struct trial want = trial_of(n);
        time_once_more(&want);
        assert_same(&found[n], &want);
    }
    journal_close(j, 0);
    return count;
}

static off_t size_of(const char *path)
{
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return s.st_size;
}

static void a_record_that_was_cut_off_is_dropped(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    write_sound(path);
    assert_int_equal(truncate(path, size_of(path) - 1), 0);
    assert_int_equal(count_sound(), TRIALS - 1);
    assert_int_equal(truncate(path, size_of(path) - 60), 0);
    assert_int_equal(count_sound(), TRIALS - 2);
    /* Records stored afterwards follow the sound ones. */
    struct journal_head head;
    struct journal *j = resumed("damaged", &head);
    struct trial t = trial_of(TRIALS - 2);
    read_back(j);
    time_once_more(&t);
    fine(journal_keep(j, &t));
    journal_close(j, 0);
    assert_int_equal(count_sound(), TRIALS - 1);
}

/* One byte is damaged at a time, from the end to the start: what follows it is lost, and nothing wrong is read. */
static void damage_costs_what_follows_it(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    unsigned char byte;
    write_sound(path);
    const int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    for (int sound = TRIALS; sound > 4;) {
        const off_t size = size_of(path), each = size / sound, at = size - each - each / 2;
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte ^= 0x10;
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        const int now = count_sound();
        assert_in_range(now, sound - 3, sound - 1);
        sound = now;
    }
    close(fd);
    /* Without its head it is no journal. */
    scratch_write(strrchr(path, '/') + 1, "w", "garbage\n\n\n");
    assert_int_equal(count_sound(), -1);
    scratch_write(strrchr(path, '/') + 1, "w", "");
    assert_int_equal(count_sound(), -1);
}

#define IN_CACHE(test) cmocka_unit_test_setup_teardown(test, make_cache, scratch_remove)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_CACHE(what_was_kept_reads_back_as_it_was),
        IN_CACHE(a_killed_tuning_loses_nothing_that_was_kept),
        IN_CACHE(only_one_process_has_a_journal),
        IN_CACHE(the_latest_of_those_that_fit_is_resumed),
        IN_CACHE(a_record_that_was_cut_off_is_dropped),
        IN_CACHE(damage_costs_what_follows_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
