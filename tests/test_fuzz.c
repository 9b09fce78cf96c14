/* Replays what the fuzzer begins with and what it once found (tests/fuzz): every reader takes an input or
 * refuses it with a message. A seed whose name begins with `good` must be taken, with `bad` refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/log.h"
#include "core/ncfile.h"
#include "tests/fuzz/fuzz.h"

enum { PATH = 512, LARGEST = 1 << 20 };

/* What commands report goes nowhere while `quiet`. */
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

static void replay(const struct fuzz_target *target, const char *path, const char *name)
{
    static uint8_t data[LARGEST];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t size = fread(data, 1, sizeof data, f);
    assert_true(size < sizeof data);
    fclose(f);
    /* At its exact size, so that a checked build sees a read beyond it. */
    uint8_t *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, data, size);
    err_set(ERR_OK, "", 0, "%s", "");
    silence(1);
    const enum err e = target->take(exact, size);
    silence(0);
    free(exact);
    if (e && !err_message()[0])
        fail_msg("%s: refused without a message", path);
    if (strncmp(name, "good", 4) == 0 && e)
        fail_msg("%s: refused: %s", path, err_message());
    if (strncmp(name, "bad", 3) == 0 && !e)
        fail_msg("%s: taken", path);
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
        replay(target, path, entry->d_name);
    }
    closedir(d);
    return count;
}

static int needs_netcdf(const struct fuzz_target *t)
{
    return strcmp(t->name, "netcdf") == 0 || strcmp(t->name, "checkpoint") == 0 ||
           strcmp(t->name, "result") == 0;
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
        err_set(ERR_OK, "", 0, "%s", "");
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
    return cmocka_run_group_tests(tests, NULL, NULL);
}
