/* Files whose chunks of one number are packed, as those of checkpoints: smaller, and to the bit what
 * files without that are. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include <netcdf.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/support/output.h"

/* Two chunks side by side, the second narrower. */
enum { COLUMNS = 1101, ROWS = 1000, WEST_CHUNK = 551 };
static const size_t MAP = (size_t)COLUMNS * ROWS;

static enum err field_rows(void *context, int unknown, const struct window *cells, void *to)
{
    const struct output *s = context;
    for (int j = 0; j < cells->ny; j++)
        memcpy((float *)to + (size_t)j * (size_t)cells->nx,
               (const float *)s->field[unknown] + (cells->j0 + j) * s->record.pitch + cells->i0,
               (size_t)cells->nx * sizeof(float));
    return ERR_OK;
}

/* Maps of which some rows cannot be had. */
struct broken {
    const struct output *output;
    int unknown, row;
};

static enum err broken_rows(void *context, int unknown, const struct window *cells, void *to)
{
    const struct broken *b = context;
    if (unknown == b->unknown && b->row >= cells->j0 && b->row < cells->j0 + cells->ny)
        FAIL(MACHINE, "row %d of unknown %d is lost", b->row, unknown);
    return field_rows((void *)(size_t)b->output, unknown, cells, to);
}

static size_t write_as(struct output *s, int uniform, int helpers)
{
    const struct ncwrite_rows rows = {field_rows, s, 1};
    const struct ncwrite_record record = {.t = 0, .rows = &rows};
    struct ncwriter *writer;
    struct stat file;
    s->info.path = s->target;
    s->info.uniform = uniform;
    s->info.helpers = helpers;
    s->info.deflate = 0;
    assert_int_equal(ncwrite_create(&writer, &s->info), ERR_OK);
    assert_int_equal(ncwrite_record(writer, &record), ERR_OK);
    assert_int_equal(ncwrite_finish(&writer), ERR_OK);
    assert_int_equal(stat(s->target, &file), 0);
    return (size_t)file.st_size;
}

/* All maps of the file, as bytes; the caller frees. */
static char *maps_of(const struct output *s, size_t *bytes)
{
    static const char *const names[] = {"w", "hu", "hv", "eta", "bed", "bed_corner"};
    char *all = calloc(6 * (MAP + COLUMNS + ROWS + 1), sizeof(double)), *next = all;
    int id, var;
    assert_non_null(all);
    assert_int_equal(nc_open(s->target, NC_NOWRITE, &id), NC_NOERR);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(nc_inq_varid(id, names[k], &var), NC_NOERR);
        assert_int_equal(nc_get_var(id, var, next), NC_NOERR);
        next += k < 4   ? MAP * sizeof(float)
                : k < 5 ? MAP * sizeof(double)
                        : (MAP + COLUMNS + ROWS + 1) * sizeof(double);
    }
    nc_close(id);
    *bytes = (size_t)(next - all);
    return all;
}

/* Still water over level ground. */
static struct output still(void)
{
    struct output s =
        make_output("uniform.nc", COLUMNS, ROWS, F32,
                    1 << OUTPUT_W | 1 << OUTPUT_HU | 1 << OUTPUT_HV | 1 << OUTPUT_ETA);
    for (long k = 0; k < (ROWS + 1L) * s.info.bed_pitch; k++)
        s.bed[k] = -1;
    for (long k = 0; k < ROWS * s.record.pitch; k++)
        for (int n = 0; n < 3; n++)
            ((float *)s.field[n])[k] = n ? 0.0f : 0.25f;
    return s;
}

/* What both kinds of file have, and their sizes. */
static void compare(struct output *s, size_t *plain, size_t *packed)
{
    size_t n, again;
    *plain = write_as(s, 0, 2);
    char *want = maps_of(s, &n);
    *packed = write_as(s, 1, 2);
    char *have = maps_of(s, &again);
    assert_int_equal(again, n);
    assert_memory_equal(have, want, n);
    free(have);
    have = NULL;
    assert_int_equal(write_as(s, 1, 0), *packed);
    have = maps_of(s, &again);
    assert_memory_equal(have, want, n);
    free(have);
    free(want);
}

static float *cell(struct output *s, int unknown, int i, int j)
{
    return (float *)s->field[unknown] + j * s->record.pitch + i;
}

static void still_water_takes_hardly_any_room(void **state)
{
    (void)state;
    struct output s = still();
    size_t plain, packed;
    compare(&s, &plain, &packed);
    assert_true(plain > 32 * MAP);
    assert_true(packed < plain / 50);
    free_output(&s);
    files(1);
}

/* The last cell of a chunk, the first of one of its rows, and a zero that differs by its sign. */
static void a_chunk_with_another_number_is_whole(void **state)
{
    (void)state;
    static const struct {
        int unknown, i, j;
        float number;
    } changes[] = {{0, WEST_CHUNK - 1, ROWS - 1, 0.5f},
                   {1, WEST_CHUNK, 700, 1e-30f},
                   {2, COLUMNS - 1, 5, -0.0f}};
    struct output s = still();
    size_t plain, packed, more;
    packed = write_as(&s, 1, 2);
    for (int k = 0; k < 3; k++)
        *cell(&s, changes[k].unknown, changes[k].i, changes[k].j) = changes[k].number;
    compare(&s, &plain, &more);
    assert_true(more > packed + 3 * (MAP / 2 - ROWS) * sizeof(float));
    assert_true(more < plain / 2);
    free_output(&s);
    files(1);
}

/* Whichever of the threads it is: the caller has its message, and the last file is as it was. */
static void rows_that_a_thread_cannot_have_leave_the_last_file(void **state)
{
    (void)state;
    static const int lost[][2] = {{0, 0}, {0, ROWS - 1}, {2, ROWS - 1}};
    struct output s = still();
    size_t size, after;
    write_as(&s, 1, 2);
    char *file = bytes_of(s.target, &size);
    for (int k = 0; k < 3; k++) {
        char want[64];
        const struct broken b = {&s, lost[k][0], lost[k][1]};
        const struct ncwrite_rows rows = {broken_rows, (void *)(size_t)&b, 1};
        const struct ncwrite_record record = {.t = 0, .rows = &rows};
        struct ncwriter *writer;
        snprintf(want, sizeof want, "row %d of unknown %d is lost", b.row, b.unknown);
        assert_int_equal(ncwrite_create(&writer, &s.info), ERR_OK);
        assert_int_equal(ncwrite_record(writer, &record), ERR_MACHINE);
        assert_string_equal(err_message(), want);
        ncwrite_discard(&writer);
        assert_int_equal(files(0), 1);
        char *now = bytes_of(s.target, &after);
        assert_int_equal(after, size);
        assert_memory_equal(now, file, size);
        free(now);
    }
    free(file);
    free_output(&s);
}

/* Buffers of 17 MB for each of so many would be more than any machine has. */
static void a_small_map_takes_no_more_threads_than_it_has_chunks(void **state)
{
    (void)state;
    struct output s = still();
    assert_int_equal(write_as(&s, 1, 1 << 20), write_as(&s, 1, 0));
    free_output(&s);
}

#define HERE(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HERE(still_water_takes_hardly_any_room),
        HERE(a_chunk_with_another_number_is_whole),
        HERE(rows_that_a_thread_cannot_have_leave_the_last_file),
        HERE(a_small_map_takes_no_more_threads_than_it_has_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
