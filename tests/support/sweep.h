/* Runs a command of build/shoal with a fault at one call after another (see faults.c), and
 * checks the folder "work" afterwards; include after cmocka.h. */
#ifndef SHOAL_TEST_SWEEP_H
#define SHOAL_TEST_SWEEP_H

#include <errno.h>
#include <limits.h>
#include <signal.h>

#include "tests/support/faults.h"
#include "tests/support/program.h"
#include "tests/support/snapshot.h"

struct writer {
    const char *name, *words[MOST_WORDS + 1];
    int most;    /* faults of each kind to try, unless SHOAL_TEST_FAULTS asks for all */
    int goes_on; /* another process, such as a compiler, continues after a signal to this one */
    /* Is a file sound that is neither as before nor as after an undisturbed command? */
    int (*sound)(const struct kept *f, const struct kept *before, const struct kept *after);
};

/* What faults do, in the words of faults.c, and the allowed statuses. */
static const struct fault {
    const char *action;
    int kills, status[3], signal; /* which may end it; 0: none */
} faults[] = {{"kill", 1, {0}, SIGKILL}, {"tear", 1, {0}, SIGKILL}, {"short", 0, {0}, 0},
              {"full", 0, {0, 3}, 0},    {"28", 0, {0, 3}, 0},      {"5", 0, {0, 3}, 0},
              {"13", 0, {0, 2, 3}, 0},   {"int", 0, {0, 5}, SIGINT}};
enum { FAULTS = sizeof faults / sizeof *faults };

static char faults_library[PATH_LENGTH];
static int faults_met;

/* In the folder of the test program. */
static inline int faults_find(void)
{
    const ssize_t n = readlink("/proc/self/exe", faults_library, PATH_LENGTH - 32);
    char *slash = n > 0 ? (faults_library[n] = '\0', strrchr(faults_library, '/')) : NULL;
    if (!slash)
        return 1;
    strcpy(slash, "/libfaults.so");
    return access(faults_library, R_OK);
}

static inline struct fault_report read_report(const char *path)
{
    struct fault_report r;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(&r, sizeof r, 1, f), 1);
    fclose(f);
    return r;
}

/* Runs the command with the fault at call `number`. */
static inline struct fault_report run_with(const struct writer *w, const char *action, int number)
{
    static const struct fault_report none;
    char path[PATH_LENGTH], text[64];
    scratch_path(path, "report");
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(&none, sizeof none, 1, f), 1);
    fclose(f);
    snprintf(text, sizeof text, "%s %d", action, number);
    setenv("SHOAL_FAULT", text, 1);
    setenv("SHOAL_FAULT_REPORT", path, 1);
    setenv("LD_PRELOAD", faults_library, 1);
    const pid_t pid = program_start(-1, w->words);
    unsetenv("LD_PRELOAD");
    program_end(pid);
    return read_report(path);
}

static inline int is_temporary(const char *name)
{
    return strstr(name, ".tmp") != NULL;
}

struct sweeping {
    const struct writer *writer;
    const char *folder; /* to which it writes */
    struct snapshot before, after;
};

/* Fails, and says where in the sweep. */
#define SWEEP_FAIL(s, fault, report, ...)                                                     \
    do {                                                                                      \
        print_error("%s, %s at call '%s': status %d, signal %d: %s", (s)->writer->name,       \
                    (fault)->action, (report)->at, result.status, result.signal, result.err); \
        fail_msg(__VA_ARGS__);                                                                \
    } while (0)

static inline void check_files(const struct sweeping *s, const struct fault *f,
                               const struct fault_report *r, int ended)
{
    static struct snapshot now;
    snapshot_free(&now);
    snapshot_take(&now, s->folder);
    for (int k = 0; k < s->before.count; k++)
        if (!snapshot_find(&now, s->before.file[k].name))
            SWEEP_FAIL(s, f, r, "%s is lost", s->before.file[k].name);
    for (int k = 0; k < now.count; k++) {
        const struct kept *file = &now.file[k];
        const struct kept *before = snapshot_find(&s->before, file->name),
                          *after = snapshot_find(&s->after, file->name);
        if (snapshot_same(file, before) || snapshot_same(file, after))
            continue;
        if (is_temporary(file->name) && ended)
            continue;
        if (is_temporary(file->name))
            SWEEP_FAIL(s, f, r, "%s is left", file->name);
        if (!s->writer->sound || !s->writer->sound(file, before, after))
            SWEEP_FAIL(s, f, r, "%s is neither the old file nor a whole new one", file->name);
    }
    for (int k = 0; k < s->after.count && !ended && result.status == 0; k++) {
        const struct kept *after = &s->after.file[k], *file = snapshot_find(&now, after->name);
        if (!file || (snapshot_same(file, snapshot_find(&s->before, after->name)) &&
                      !snapshot_same(file, after)))
            SWEEP_FAIL(s, f, r, "%s was not written, and the status is 0", after->name);
    }
}

/* Does an error say what to do? */
static inline int has_remedy(const char *text)
{
    static const char *const words[] = {"choose", "free some", "SHOAL_DB", "SHOAL_CACHE"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strstr(text, words[k]))
            return 1;
    return 0;
}

static inline void check_end(const struct sweeping *s, const struct fault *f,
                             const struct fault_report *r)
{
    int fine = f->signal && result.signal == f->signal;
    for (int k = 0; !f->kills && !result.signal && k < 3; k++)
        fine |= result.status == f->status[k];
    if (!fine)
        SWEEP_FAIL(s, f, r, "that is not how it should end");
    if (result.status > 0 && result.status != 5 && !has_remedy(result.err))
        SWEEP_FAIL(s, f, r, "the error does not say what to do");
}

/* The first and the last call, and up to the requested number in between. */
static inline void sweep_fault(const struct sweeping *s, const struct fault *f)
{
    snapshot_restore(&s->before);
    const struct fault_report alone = run_with(s->writer, f->action, INT_MAX);
    const int calls = alone.calls;
    if (alone.unsynced)
        SWEEP_FAIL(s, f, &alone, "%d files were renamed before the disk had them", alone.unsynced);
    const int most =
        getenv("SHOAL_TEST_FAULTS") || calls < s->writer->most ? calls : s->writer->most;
    int met = 0, crashes = 0;
    for (int k = 0; k < most; k++) {
        const int n = most > 1 ? 1 + (int)((long)k * (calls - 1) / (most - 1)) : 1;
        snapshot_restore(&s->before);
        const struct fault_report r = run_with(s->writer, f->action, n);
        if (!*r.at) /* the number of calls varies by a few */
            continue;
        check_end(s, f, &r);
        check_files(s, f, &r, f->kills || (f->signal && s->writer->goes_on));
        met++;
        crashes += strstr(result.err, "HDF5 crashed") != NULL;
    }
    print_message("%s, %s: %d faults, %d calls, %d crashes of HDF5\n", s->writer->name, f->action,
                  met, calls, crashes);
    if (met < most - 1)
        SWEEP_FAIL(s, f, &(struct fault_report){0}, "faults did not meet it");
    faults_met += met;
}

/* Sets the folder up for the command. */
static inline void sweep_prepare(struct sweeping *s, const struct writer *w, const char *folder)
{
    snapshot_free(&s->before); /* left by a test that failed */
    snapshot_free(&s->after);
    s->writer = w;
    s->folder = folder;
    snapshot_take(&s->before, folder);
    program_run(w->words);
    ASSERT_STATUS(0);
    snapshot_take(&s->after, folder);
}

/* All faults, for a command that writes to the folder "work". */
static inline void sweep(const struct writer *w)
{
    static struct sweeping s;
    sweep_prepare(&s, w, "work");
    for (int k = 0; k < FAULTS; k++)
        sweep_fault(&s, &faults[k]);
}

#endif
