/* Processes of a host whose input one of them reads: all have the same numbers, large ones in the same files.
 * Threads stand for the processes. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/plane.h"
#include "core/device/thread_ranks.h"
#include "core/problem/manning.h"
#include "core/problem/terrain.h"
#include "core/sim/input_once.h"
#include "tests/support/terrain.h"

enum { MOST = 4 };

static struct config config;

/* One of the processes. As a reader it `fails`, or `hides` its files; `reads`: how often it has read itself. */
struct member {
    struct post_address address;
    pthread_t thread;
    int fails, hides, reads;
    struct nc_input in;
    enum err error;
    char message[512];
};

/* Others find another file in its place. */
static void hide(const double *plane)
{
    const int other = open("/dev/null", O_RDONLY);
    assert_true(other >= 0);
    assert_true(dup2(other, plane_lend(plane).file) >= 0);
    close(other);
}

static enum err read_terrain(void *of, void *to)
{
    struct member *m = of;
    struct nc_input *in = to;
    m->reads++;
    if (m->fails)
        FAIL(INPUT, "the reader fails");
    TRY(terrain_read(&config, in));
    if (m->hides)
        hide(in->w);
    return ERR_OK;
}

static enum err read_manning(void *of, void *to)
{
    struct member *m = of;
    m->reads++;
    return manning_choose(&config, &m->in.grid, 0, to);
}

static enum err read_both(struct ranks *r, struct member *m)
{
    struct input_once once = {.ranks = r};
    const struct input_reader reader = input_once(&once);
    struct input_job job = {
        .layout = {.bytes = sizeof m->in,
                   .planes = 4,
                   .plane = {offsetof(struct nc_input, bed_corner), offsetof(struct nc_input, w),
                             offsetof(struct nc_input, wall),
                             offsetof(struct nc_input, manning_of)},
                   .texts = 1,
                   .text = offsetof(struct nc_input, wkt)},
        .reads = read_terrain,
        .of = m,
        .to = &m->in};
    TRY(input_read(&reader, &job));
    job.reads = read_manning;
    return input_read(&reader, &job);
}

static void *run(void *context)
{
    struct member *m = context;
    struct ranks *r = NULL;
    m->error = ranks_open(&r, &thread_transport, &m->address, 60);
    m->error = m->error ? m->error : read_both(r, m);
    snprintf(m->message, sizeof m->message, "%s", m->error ? err_message() : "");
    ranks_close(&r, m->error);
    return NULL;
}

static void read_in(int n, struct member *m)
{
    struct post_office *office = post_office_create(n, 0);
    assert_non_null(office);
    for (int k = 0; k < n; k++) {
        m[k].address = (struct post_address){office, k};
        assert_int_equal(pthread_create(&m[k].thread, NULL, run, &m[k]), 0);
    }
    for (int k = 0; k < n; k++)
        pthread_join(m[k].thread, NULL);
    post_office_destroy(office);
}

static void close_all(int n, struct member *m)
{
    for (int k = 0; k < n; k++)
        nc_input_free(&m[k].in);
}

static void expect_equal(const void *a, const void *b, size_t bytes)
{
    assert_int_equal(!a, !b);
    if (a)
        assert_memory_equal(a, b, bytes);
}

static void expect_same_input(const struct nc_input *a, const struct nc_input *b)
{
    const size_t cells = (size_t)a->grid.nx * (size_t)a->grid.ny;
    const size_t corners = ((size_t)a->grid.nx + 1) * ((size_t)a->grid.ny + 1);
    assert_memory_equal(&a->grid, &b->grid, sizeof a->grid);
    expect_equal(a->wkt, b->wkt, a->wkt ? strlen(a->wkt) + 1 : 0);
    expect_equal(a->bed_corner, b->bed_corner, corners * sizeof(double));
    expect_equal(a->w, b->w, cells * sizeof(double));
    expect_equal(a->manning_of, b->manning_of, cells * sizeof(double));
    expect_equal(a->wall, b->wall, cells);
    assert_memory_equal(&a->manning, &b->manning, sizeof a->manning);
}

/* Terrain with a hole, its coordinate system, and a raster of Manning's n. */
static void read_options(struct problem *plain)
{
    scratch_write(
        "holed.prj", "w",
        "PROJCS[\"x\",GEOGCS[\"y\",DATUM[\"d\",SPHEROID[\"s\",6378137,298.25]],PRIMEM[\"g\",0],"
        "UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],UNIT[\"metre\",1]"
        "]");
    fine(TERRAIN_OPEN(plain, &config, "holed.asc", "--holes", "wall", "--level", "9", "--manning",
                      "rough.asc"));
}

static void all_have_what_one_has_read(void **state)
{
    (void)state;
    struct problem plain;
    for (int in_files = 0; in_files < 2; in_files++) {
        planes_in_files_from(in_files ? 0 : (size_t)1 << 30);
        read_options(&plain);
        assert_non_null(plain.input.wkt);
        assert_non_null(plain.input.wall);
        assert_non_null(plain.input.manning_of);
        for (int n = 1; n <= MOST; n++) {
            struct member m[MOST] = {{.fails = 0}};
            read_in(n, m);
            for (int k = 0; k < n; k++) {
                if (m[k].error)
                    fail_msg("%d of %d: %s", k, n, m[k].message);
                expect_same_input(&plain.input, &m[k].in);
                assert_int_equal(m[k].reads, k == 0 ? 2 : 0);
            }
            close_all(n, m);
        }
        problem_close(&plain);
    }
}

static void a_borrowed_plane_is_the_same_memory_and_outlives_the_lenders(void **state)
{
    (void)state;
    enum { N = 40000 };
    double *p, *q, *none;
    planes_in_files_from(0);
    fine(plane_new("p", N, 1, &p));
    for (size_t k = 0; k < N; k++)
        p[k] = (double)k + 0.5;
    const struct plane_loan loan = plane_lend(p);
    assert_true(plane_borrow(&loan, &q));
    assert_ptr_not_equal(p, q);
    p[N - 1] = -1; /* nobody does that; here it shows that there is one plane */
    assert_true(q[N - 1] == -1);
    assert_int_equal(plane_lend(q).file, -1);
    planes_rest();
    plane_free(p);
    planes_rest();
    for (size_t k = 0; k + 1 < N; k++)
        assert_true(q[k] == (double)k + 0.5);
    assert_false(plane_borrow(&loan, &none)); /* its file is closed */
    assert_null(none);
    plane_free(q);
    assert_int_equal(plane_lend(NULL).file, -1);
}

static void who_cannot_open_the_readers_files_reads_them(void **state)
{
    (void)state;
    struct problem plain;
    struct member m[MOST] = {{.hides = 1}};
    planes_in_files_from(0);
    read_options(&plain);
    read_in(MOST, m);
    for (int k = 0; k < MOST; k++) {
        if (m[k].error)
            fail_msg("%d: %s", k, m[k].message);
        expect_same_input(&plain.input, &m[k].in);
        assert_int_equal(m[k].reads, 2);
    }
    close_all(MOST, m);
    problem_close(&plain);
}

static void an_error_of_the_reader_is_everyones(void **state)
{
    (void)state;
    struct problem plain;
    struct member m[MOST] = {{.fails = 1}};
    read_options(&plain);
    problem_close(&plain);
    read_in(MOST, m);
    for (int k = 0; k < MOST; k++) {
        assert_int_equal(m[k].error, ERR_INPUT);
        assert_non_null(strstr(m[k].message, "the reader fails"));
    }
    close_all(MOST, m);
}

static int setup(void **state)
{
    terrain_folder(state);
    terrain_write_all();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_have_what_one_has_read),
        cmocka_unit_test(a_borrowed_plane_is_the_same_memory_and_outlives_the_lenders),
        cmocka_unit_test(who_cannot_open_the_readers_files_reads_them),
        cmocka_unit_test(an_error_of_the_reader_is_everyones),
    };
    return cmocka_run_group_tests(tests, setup, scratch_remove);
}
