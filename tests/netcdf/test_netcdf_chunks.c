/* Maps in netCDF files, compressed in chunks by several threads: the bytes do not depend on their number, and an error
 * ends the file. */
#include "tests/support/test.h"

#ifdef HAVE_NETCDF

#include <dlfcn.h>
#include <errno.h>
#include <netcdf.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/netcdf/write_parts.h"
#include "tests/support/output.h"

enum { COLUMNS = 601, ROWS = 503 };
static const size_t MAP = (size_t)COLUMNS * ROWS;

/* Two records of several chunks in each direction; those at the edges are not full. */
static enum err write_maps(struct output *s, int helpers, void (*change)(struct ncwriter *w))
{
    struct ncwriter *writer;
    enum err e = ERR_OK;
    s->info.path = s->target;
    s->info.helpers = helpers;
    assert_int_equal(ncwrite_create(&writer, &s->info), ERR_OK);
    if (change)
        change(writer);
    for (int k = 0; k < 2 && !e; k++)
        e = ncwrite_record(writer, &s->record);
    if (!e)
        return ncwrite_finish(&writer);
    ncwrite_discard(&writer);
    return e;
}

static void is_packed_here(struct ncwriter *w)
{
    assert_true(w->packs || !dlsym(RTLD_DEFAULT, "H5Dwrite_chunk"));
}

static void a_file_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    struct output s = make_output("maps.nc", COLUMNS, ROWS, F32, OUTPUT_ALL);
    size_t n, again;
    assert_int_equal(write_maps(&s, 0, is_packed_here), ERR_OK);
    char *one = bytes_of(s.target, &n);
    for (int helpers = 1; helpers <= 7; helpers += 3) {
        assert_int_equal(write_maps(&s, helpers, is_packed_here), ERR_OK);
        char *many = bytes_of(s.target, &again);
        assert_int_equal(again, n);
        assert_memory_equal(many, one, n);
        free(many);
    }
    free(one);
    free_output(&s);
    files(1);
}

static void leave_it_to_netcdf(struct ncwriter *w)
{
    w->packs = 0;
}

/* The values of all maps of a record. The caller frees. */
static float *maps_of(const char *path)
{
    static const char *const names[] = {"w", "h", "hu", "hv"};
    const size_t start[3] = {1, 0, 0}, count[3] = {1, ROWS, COLUMNS};
    float *maps = calloc(4 * MAP, sizeof *maps);
    int id, var;
    assert_non_null(maps);
    assert_int_equal(nc_open(path, NC_NOWRITE, &id), NC_NOERR);
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(nc_inq_varid(id, names[k], &var), NC_NOERR);
        assert_int_equal(nc_get_vara_float(id, var, start, count, maps + k * MAP), NC_NOERR);
    }
    nc_close(id);
    return maps;
}

/* With an HDF5 that accepts no compressed chunks the maps are the same, and as small. */
static void netcdf_would_compress_to_the_same(void **state)
{
    (void)state;
    struct output s = make_output("maps.nc", COLUMNS, ROWS, F32, OUTPUT_ALL);
    struct stat ours, theirs;
    assert_int_equal(write_maps(&s, 2, NULL), ERR_OK);
    assert_int_equal(stat(s.target, &ours), 0);
    float *a = maps_of(s.target);
    assert_int_equal(write_maps(&s, 2, leave_it_to_netcdf), ERR_OK);
    assert_int_equal(stat(s.target, &theirs), 0);
    float *b = maps_of(s.target);
    assert_memory_equal(a, b, 4 * MAP * sizeof *a);
    assert_true(llabs((long long)ours.st_size - theirs.st_size) < theirs.st_size / 100);
    assert_true((size_t)ours.st_size < 8 * MAP * sizeof *a);
    free(a);
    free(b);
    free_output(&s);
    files(1);
}

static size_t times_in(const char *file)
{
    int id, dim;
    size_t n = 0;
    assert_int_equal(nc_open(file, NC_NOWRITE, &id), NC_NOERR);
    assert_int_equal(nc_inq_dimid(id, "time", &dim), NC_NOERR);
    assert_int_equal(nc_inq_dimlen(id, dim, &n), NC_NOERR);
    nc_close(id);
    return n;
}

/* Closes the file and opens it again. */
static void maps_go_on_when_a_copy_was_kept(void **state)
{
    (void)state;
    struct output s = make_output("maps.nc", COLUMNS, ROWS, F32, OUTPUT_ALL);
    struct ncwriter *writer;
    char copy[PATH_LENGTH];
    scratch_path(copy, "copy.nc");
    assert_int_equal(write_maps(&s, 2, NULL), ERR_OK);
    float *a = maps_of(s.target);
    assert_int_equal(ncwrite_create(&writer, &s.info), ERR_OK);
    assert_int_equal(ncwrite_record(writer, &s.record), ERR_OK);
    assert_int_equal(ncwrite_keep(writer, copy), ERR_OK);
    is_packed_here(writer);
    assert_int_equal(ncwrite_record(writer, &s.record), ERR_OK);
    assert_int_equal(ncwrite_finish(&writer), ERR_OK);
    float *b = maps_of(s.target);
    assert_memory_equal(a, b, 4 * MAP * sizeof *a);
    assert_int_equal(times_in(copy), 1);
    free(a);
    free(b);
    free_output(&s);
    files(1);
}

static int no_memory(unsigned char *to, unsigned long *to_bytes, const unsigned char *from,
                     unsigned long bytes, int level)
{
    (void)to, (void)to_bytes, (void)from, (void)level;
    return bytes ? -4 : 0;
}

static void compress_nothing(struct ncwriter *w)
{
    w->hdf5.compress = no_memory;
}

static int full_disk(hdf5_id set, hdf5_id transfer, uint32_t left_out, const hdf5_size offset[],
                     size_t bytes, const void *data)
{
    (void)set, (void)transfer, (void)left_out, (void)bytes, (void)data;
    errno = ENOSPC;
    return offset[1] > 0 ? -1 : 0; /* the second row of chunks */
}

static void fill_the_disk(struct ncwriter *w)
{
    w->hdf5.write_chunk = full_disk;
}

static void a_chunk_that_cannot_be_packed_or_written_ends_the_file(void **state)
{
    (void)state;
    struct output s = make_output("maps.nc", COLUMNS, ROWS, F32, OUTPUT_ALL);
    for (int helpers = 0; helpers < 4; helpers += 3) {
        assert_int_equal(write_maps(&s, helpers, compress_nothing), ERR_MEMORY);
        assert_non_null(strstr(err_message(), s.target));
        assert_int_equal(write_maps(&s, helpers, fill_the_disk), ERR_MACHINE);
        assert_non_null(strstr(err_message(), "No space left"));
        assert_int_equal(files(0), 0);
    }
    free_output(&s);
}

int main(void)
{
#define HERE(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        HERE(a_file_is_the_same_for_any_number_of_threads),
        HERE(netcdf_would_compress_to_the_same),
        HERE(maps_go_on_when_a_copy_was_kept),
        HERE(a_chunk_that_cannot_be_packed_or_written_ends_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
SKIPPED_WITHOUT_NETCDF
#endif
