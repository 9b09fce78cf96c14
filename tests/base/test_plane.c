/* Planes of numbers: those in memory and those in files are the same, and those in files leave main memory when they
 * are not used. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/plane.h"
#include "tests/support/scratch.h"

enum { SIDE = 1500, CELLS = SIDE * SIDE };

static int setup(void **state)
{
    log_quiet(2);
    planes_in_files_from(0);
    return scratch_setup(state);
}

static double number(size_t k)
{
    return 0.1 * (double)k - 7;
}

static void fill(double *p)
{
    for (size_t k = 0; k < CELLS; k++) {
        assert_true(p[k] == 0);
        p[k] = number(k);
        plane_passes(k);
    }
}

static void check(const double *p)
{
    for (size_t k = 0; k < CELLS; k++)
        if (p[k] != number(k))
            fail_msg("number %zu is %g", k, p[k]);
}

/* How much of files' pages this process has in memory, bytes. */
static size_t resident(void)
{
    char line[128];
    unsigned long kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        sscanf(line, "RssFile: %lu", &kib);
    fclose(f);
    return (size_t)kib * 1024;
}

static void numbers_stay_when_their_pages_are_given_back(void **state)
{
    (void)state;
    double *a, *b;
    assert_int_equal(plane_new("a", SIDE, SIDE, &a), ERR_OK);
    assert_int_equal(plane_new("b", SIDE, SIDE, &b), ERR_OK);
    fill(a);
    fill(b);
    planes_rest();
    check(a);
    plane_free(a);
    planes_rest();
    check(b);
    plane_free(b);
    plane_free(NULL);
}

static void a_plane_that_is_looked_at_row_by_row_takes_little_main_memory(void **state)
{
    (void)state;
    const size_t before = resident(), all = CELLS * sizeof(double);
    size_t most = 0;
    double *p, sum = 0;
    assert_int_equal(plane_new("p", SIDE, SIDE, &p), ERR_OK);
    fill(p);
    planes_rest();
    assert_true(resident() < before + all / 16);
    for (size_t j = 0; j < SIDE; j++) {
        for (size_t i = 0; i < SIDE; i++)
            sum += p[j * SIDE + i];
        planes_touched(SIDE);
        most = j % 50 == 0 && resident() > most ? resident() : most;
    }
    assert_true(sum > 0 && most > before + all / 16 && most < before + all * 3 / 4);
    plane_free(p);
}

/* Rows by several threads, while pages are released. */
static void threads_may_look_at_a_plane_while_its_pages_are_given_back(void **state)
{
    (void)state;
    double *p;
    long bad = 0;
    assert_int_equal(plane_new("p", SIDE, SIDE, &p), ERR_OK);
    fill(p);
#pragma omp parallel for schedule(dynamic) reduction(+ : bad) num_threads(4)
    for (int j = 0; j < 4 * SIDE; j++) {
        for (size_t k = (size_t)(j % SIDE) * SIDE, n = 0; n < SIDE; n++)
            bad += p[k + n] != number(k + n);
        if (j % 100 == 0)
            planes_rest();
    }
    assert_int_equal(bad, 0);
    plane_free(p);
}

static void a_file_is_gone_from_its_folder_at_once(void **state)
{
    (void)state;
    double *p;
    setenv("TMPDIR", scratch, 1);
    assert_int_equal(plane_new("p", 100, 100, &p), ERR_OK);
    assert_int_equal(rmdir(scratch), 0); /* empty */
    p[9999] = 3;
    planes_rest();
    assert_true(p[9999] == 3);
    plane_free(p);
    scratch_create();
    unsetenv("TMPDIR");
}

static void without_a_folder_for_files_main_memory_is_taken(void **state)
{
    (void)state;
    double *p;
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_int_equal(plane_new("p", SIDE, SIDE, &p), ERR_OK);
    const size_t before = resident();
    fill(p);
    assert_true(resident() < before + CELLS);
    check(p);
    plane_free(p);
    unsetenv("TMPDIR");
}

static void what_neither_disk_nor_memory_holds_is_refused_with_both_numbers(void **state)
{
    (void)state;
    double *p;
    setenv("TMPDIR", scratch, 1);
    assert_int_equal(plane_new("a.tif", 10000000, 10000000, &p), ERR_MEMORY);
    assert_null(p);
    assert_non_null(strstr(err_message(), "a.tif: 10000000 x 10000000 values need 745058.1 GiB"));
    assert_non_null(strstr(err_message(), scratch));
    unsetenv("TMPDIR");
}

static void the_digest_of_a_plane_is_that_of_its_bytes(void **state)
{
    (void)state;
    struct sha256 whole, pieces;
    char a[SHA256_DIGITS + 1], b[SHA256_DIGITS + 1];
    double *p;
    assert_int_equal(plane_new("p", SIDE, SIDE, &p), ERR_OK);
    fill(p);
    sha256_init(&whole);
    sha256_init(&pieces);
    sha256_update(&whole, p, CELLS * sizeof *p);
    plane_hash(&pieces, p, CELLS);
    sha256_final(&whole, a);
    sha256_final(&pieces, b);
    assert_string_equal(a, b);
    plane_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stay_when_their_pages_are_given_back),
        cmocka_unit_test(a_plane_that_is_looked_at_row_by_row_takes_little_main_memory),
        cmocka_unit_test(threads_may_look_at_a_plane_while_its_pages_are_given_back),
        cmocka_unit_test(a_file_is_gone_from_its_folder_at_once),
        cmocka_unit_test(without_a_folder_for_files_main_memory_is_taken),
        cmocka_unit_test(what_neither_disk_nor_memory_holds_is_refused_with_both_numbers),
        cmocka_unit_test(the_digest_of_a_plane_is_that_of_its_bytes),
    };
    return cmocka_run_group_tests(tests, setup, scratch_remove);
}
