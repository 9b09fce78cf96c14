/* Replays the fuzzer's seeds and its findings (tests/fuzz): every reader accepts an input or refuses it with a
 * message. A seed whose name begins with `good` must be accepted, one with `bad` refused. */
#include "tests/support/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include "core/base/forked_child.h"
#include "core/base/log.h"
#include "core/netcdf/netcdf_file.h"
#include "tests/fuzz/fuzz.h"

enum { PATH = 512, LARGEST = 1 << 20 };

/* Discards what commands print while `quiet`. */
static void silence(int quiet)
{
    static int kept = -1;
    fflush(stdout);
    if (kept < 0)
        kept = dup(STDOUT_FILENO);
    const int to = quiet ? open("/dev/null", O_WRONLY) : dup(kept);
    assert_true(to >= 0 && dup2(to, STDOUT_FILENO) >= 0);
    close(to);
}

/* What a target did with a file; a build with sanitizers ends the process with 1. */
enum verdict { WELL, WITHOUT_MESSAGE = 10, REFUSED, TAKEN };

struct replayed {
    const struct fuzz_target *target;
    const char *path, *name;
};

static int replay(void *context)
{
    static uint8_t data[LARGEST];
    const struct replayed *r = context;
    FILE *f = fopen(r->path, "rb");
    assert_non_null(f);
    const size_t size = fread(data, 1, sizeof data, f);
    assert_true(size < sizeof data);
    fclose(f);
    /* At its exact size, so that a sanitizer sees a read beyond it. */
    uint8_t *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, data, size);
    err_keep(ERR_OK, "", 0, "%s", "");
    silence(1);
    const enum err e = r->target->take(exact, size);
    silence(0);
    free(exact);
    if (e && !err_message()[0])
        return WITHOUT_MESSAGE;
    if (strncmp(r->name, "good", 4) == 0 && e) {
        fprintf(stderr, "%s\n", err_message());
        return REFUSED;
    }
    return strncmp(r->name, "bad", 3) == 0 && !e ? TAKEN : WELL;
}

static int needs_netcdf(const struct fuzz_target *t)
{
    static const char *const names[] = {"netcdf", "rain", "hdf5", "checkpoint", "result"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(t->name, names[k]) == 0)
            return 1;
    return 0;
}

/* HDF5 keeps memory of one file for the next, which may hide what the first one did: each has its own process. */
static void judge(struct replayed r)
{
    const int verdict = needs_netcdf(r.target) ? forked_child_ask(replay, &r) : replay(&r);
    switch (verdict) {
    case WELL:
        return;
    case WITHOUT_MESSAGE:
        fail_msg("%s: refused without a message", r.path);
        return;
    case REFUSED:
        fail_msg("%s: refused", r.path);
        return;
    case TAKEN:
        fail_msg("%s: taken", r.path);
        return;
    default:
        fail_msg("%s: not survived", r.path);
    }
}

static int replay_folder(const struct fuzz_target *target, const char *kind)
{
    char folder[PATH], path[2 * PATH];
    int count = 0;
    snprintf(folder, sizeof folder, "tests/fuzz/%s/%s", kind, target->name);
    DIR *d = opendir(folder);
    if (!d)
        return 0;
    for (const struct dirent *entry; (entry = readdir(d)); count++) {
        if (entry->d_name[0] == '.') {
            count--;
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        judge((struct replayed){target, path, entry->d_name});
    }
    closedir(d);
    return count;
}

static void every_reader_takes_its_seeds_and_what_was_found(void **state)
{
    (void)state;
    for (const struct fuzz_target *t = fuzz_targets; t->name; t++) {
        if (!ncfile_available() && needs_netcdf(t))
            continue;
        if (!replay_folder(t, "seeds"))
            fail_msg("tests/fuzz/seeds/%s: no seeds", t->name);
        replay_folder(t, "found");
    }
}

static void the_empty_input_is_no_exception(void **state)
{
    (void)state;
    const uint8_t none = 0;
    for (const struct fuzz_target *t = fuzz_targets; t->name; t++) {
        err_keep(ERR_OK, "", 0, "%s", "");
        silence(1);
        const enum err e = t->take(&none, 0);
        silence(0);
        if (e && !err_message()[0])
            fail_msg("%s: the empty input is refused without a message", t->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reader_takes_its_seeds_and_what_was_found),
        cmocka_unit_test(the_empty_input_is_no_exception),
    };
    log_quiet(1);
    mallopt(M_PERTURB, 85); /* uninitialised memory is not zero */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
