/* Checkpoints are refused unless they are whole and come from the same run; a broken state is no checkpoint. */
#include "tests/support/test.h"

#include <math.h>
#include <errno.h>
#include <sys/syscall.h>

#include "core/problem/initial_state.h"
#include "core/base/input_files.h"
#include "core/base/log.h"
#include "tests/support/checkpoints.h"

static int fails_at; /* this read, from 1, fails as on a broken disk; 0: none */

/* The C library's function, except for that. */
ssize_t pread(int fd, void *buf, size_t nbytes, off_t offset)
{
    if (fails_at > 0 && --fails_at == 0) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_pread64, fd, buf, nbytes, offset);
}

/* What a call becomes where the compiler checks its buffer, as Ubuntu's does. */
ssize_t __pread_chk(int fd, void *buf, size_t nbytes, off_t offset,
                    size_t room); /* NOLINT: the C library's name */
ssize_t __pread_chk(int fd, void *buf, size_t nbytes, off_t offset, size_t room) /* NOLINT */
{
    (void)room;
    return pread(fd, buf, nbytes, offset);
}

/* The settings of the run with other values of one option, as if it had been given. */
static enum err compared(struct run *r, const char *option, const char *value)
{
    struct config other = r->c;
    struct problem p;
    char *ours, *theirs;
    set(&other, option, value);
    fine(checkpoint_settings(r->sim, &r->p, &theirs));
    fine(problem_open(&p, &other));
    r->sim->config = &other;
    fine(checkpoint_settings(r->sim, &p, &ours));
    problem_close(&p);
    r->sim->config = &r->c;
    const enum err e = checkpoint_compare(theirs, ours, "FILE");
    free(ours);
    free(theirs);
    return e;
}

static void another_problem_or_method_is_refused_with_both_values(void **state)
{
    static const struct {
        const char *option, *value, *was, *is;
    } other[] = {{"nx", "41", "'40'", "'41'"},
                 {"gravity", "9.8", "'9.81'", "'9.8'"},
                 {"manning", "0.03", "'0'", "'0.03'"},
                 {"bc-east", "depth:2", "'open'", "'depth:2'"},
                 {"bc-north", "open", "'wall'", "'open'"},
                 {"limiter", "mc", "'minmod'", "'mc'"},
                 {"theta", "1.2", "'1.3'", "'1.2'"},
                 {"flux", "hll", "'central_upwind'", "'hll'"},
                 {"reconstruction", "audusse", "'kp'", "'audusse'"},
                 {"cfl", "0.05", "'0.1'", "'0.05'"},
                 {"dt", "0.01", "'not given'", "'0.01'"},
                 {"dt-factor", "0.9", "'0.95'", "'0.9'"},
                 {"sweep", "yx", "'xy'", "'yx'"},
                 {"positivity", "draining", "'courant'", "'draining'"},
                 {"precision", "f64", "'f32'", "'f64'"},
                 {"mode", "fast", "'strict'", "'fast'"},
                 {"define", "PADDING=0", "'not given'", "'PADDING=0'"}};
    static const char *const same[][2] = {
        {"t-end", "9"},      {"steps", "99"},      {"backend", "cuda"}, {"threads", "7"},
        {"block", "rk=8x8"}, {"early-exit", "on"}, {"graphs", "off"},   {"output", "other.nc"},
        {"every", "1"},      {"variables", "w"},   {"gravity", "9.81"}, {"scheme", "auto"}};
    struct run r;
    char named[64];
    (void)state;
    start_and_keep(&r);
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        snprintf(named, sizeof named, "--%s was %s", other[k].option, other[k].was);
        expect_refusal(ERR_USAGE, compared(&r, other[k].option, other[k].value), named);
        assert_non_null(strstr(err_message(), other[k].is));
    }
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        fine(compared(&r, same[k][0], same[k][1]));
    expect_refusal(ERR_USAGE, checkpoint_compare("case = a\n", "case = b\n", "FILE"),
                   "the case was a in the checkpoint's run and is b now");
    expect_refusal(ERR_USAGE, checkpoint_compare("case = a\nnew = 1\n", "case = a\n", "FILE"),
                   "the new was 1 in the checkpoint's run and is not given now");
    expect_refusal(
        ERR_USAGE,
        checkpoint_compare("kappa = 1\nprecision = f32\n", "kappa = 2\nprecision = f64\n", "FILE"),
        "--precision was 'f32'");
    end(&r);
}

/* What a case or a file determines, and no option shows. */
static void exchange(double *a, double *b)
{
    const double was = *a;
    *a = *b;
    *b = was;
}

static void each_number_that_shapes_a_run_is_among_its_settings(void **state)
{
    struct run r;
    char *theirs, *ours, named[64];
    (void)state;
    start_and_keep(&r);
    const struct {
        const char *name;
        double *value;
    } numbers[] = {{"initial volume", &r.sim->total0[0]},
                   {"datum", &r.sim->initial->datum},
                   {"still level", &r.sim->initial->still},
                   {"dry depth", &r.sim->initial->dry},
                   {"units per metre of counters", &r.sim->physics.units}};
    fine(checkpoint_settings(r.sim, &r.p, &theirs));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        double other = *numbers[k].value + 0.125;
        exchange(&other, numbers[k].value);
        fine(checkpoint_settings(r.sim, &r.p, &ours));
        exchange(&other, numbers[k].value);
        snprintf(named, sizeof named, "the %s was ", numbers[k].name);
        expect_refusal(ERR_USAGE, checkpoint_compare(theirs, ours, "FILE"), named);
        free(ours);
    }
    snprintf(r.p.name, sizeof r.p.name, "another-dam");
    fine(checkpoint_settings(r.sim, &r.p, &ours));
    expect_refusal(ERR_USAGE, checkpoint_compare(theirs, ours, "FILE"),
                   "the case was circular-dam-dry in the checkpoint's run and is another-dam");
    free(ours);
    free(theirs);
    end(&r);
}

/* n = 0.03 s/m^(1/3), except in one of NX x NX cells. */
static void write_roughness(const char *name, const char *last)
{
    scratch_write(name, "w", "ncols 40\nnrows 40\nxllcorner -20\nyllcorner -20\ncellsize 1\n");
    for (int k = 1; k < NX * NX; k++)
        scratch_write(name, "a", "0.03 ");
    scratch_write(name, "a", last);
}

static void another_field_of_roughness_is_refused(void **state)
{
    static const char *const names[] = {"n.asc", "same.asc", "other.asc"};
    char path[3][PATH_LENGTH];
    struct config c = config_of("euler", F32);
    struct run r;
    (void)state;
    for (int k = 0; k < 3; k++) {
        write_roughness(names[k], k < 2 ? "0.04" : "0.05");
        scratch_path(path[k], names[k]);
    }
    c.ny = NX;
    set(&c, "manning", path[0]);
    start(&r, &c);
    fine(compared(&r, "manning", path[1]));
    expect_refusal(ERR_USAGE, compared(&r, "manning", path[2]), "--manning was 'a field of hash ");
    expect_refusal(ERR_USAGE, compared(&r, "manning", "0.03"), "is '0.03' now");
    end(&r);
}

static void a_real_difference_is_found_by_a_real_restart(void **state)
{
    (void)state;
    struct run r, other;
    struct config c = config_of("rk2", F32);
    start_and_keep(&r);
    start(&other, &c);
    expect_refusal(ERR_USAGE, checkpoint_restore(other.sim, &other.p, file, rows),
                   "--scheme was 'euler' in the checkpoint's run and is 'rk2' now");
    end(&other);
    c = r.c;
    const double ends[] = {0.2, r.sim->now.t};
    for (int k = 0; k < 2; k++) {
        c.t_end = ends[k];
        start(&other, &c);
        expect_refusal(ERR_USAGE, checkpoint_restore(other.sim, &other.p, file, rows), "--t-end");
        end(&other);
    }
    c = r.c;
    c.steps = (long)r.sim->now.steps;
    start(&other, &c);
    expect_refusal(ERR_USAGE, checkpoint_restore(other.sim, &other.p, file, rows), "--steps");
    end(&other);
    c = r.c;
    c.maxima = 1;
    start(&other, &c);
    expect_refusal(ERR_USAGE, checkpoint_restore(other.sim, &other.p, file, rows),
                   "kept no 'h_max'");
    end(&other);
    end(&r);
}

static void another_system_is_another_run(void **state)
{
    (void)state;
    struct run r, other;
    struct config c = config_of("euler", F32);
    start_and_keep(&r);
    set(&c, "tracer", "0.5");
    start(&other, &c);
    expect_refusal(ERR_USAGE, checkpoint_restore(other.sim, &other.p, file, rows),
                   "its run has the system shallow_water, but this run's is tracer");
    keep(&other);
    expect_refusal(ERR_USAGE, checkpoint_restore(r.sim, &r.p, file, rows),
                   "its run has the system tracer, but this run's is shallow_water");
    end(&other);
    end(&r);
}

/* A case of the same name and with as much water, over another bed. */
static void another_bed_is_another_problem(void **state)
{
    (void)state;
    struct run r, other;
    start_and_keep(&r);
    start(&other, &r.c);
    float *bed = (float *)(size_t)other.sim->ground.corner; /* our memory on a CPU */
    other.sim->initial->bed_source++; /* as a source with such levels has it */
    bed[3 * other.sim->pitch[PLAIN] + 5] += 1e-3f;
    expect_refusal(ERR_USAGE, checkpoint_restore(other.sim, &other.p, file, rows), "corner (5, 3)");
    bed[0] += 1e-3f;
    expect_refusal(ERR_USAGE, checkpoint_restore(other.sim, &other.p, file, rows), "corner (0, 0)");
    end(&other);
    end(&r);
}

static void write_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Any byte of it. */
static void a_damaged_checkpoint_is_refused(void **state)
{
    enum { PLACES = 200, CUTS = 10 };
    struct run r, other;
    size_t n;
    (void)state;
    start_and_keep(&r);
    start(&other, &r.c);
    char *bytes = bytes_of(file, &n);
    for (size_t k = 0; k < PLACES; k++) {
        const size_t at = k * (n - 1) / (PLACES - 1);
        bytes[at] = (char)~bytes[at];
        write_bytes(file, bytes, n);
        expect_refusal(ERR_INPUT, checkpoint_restore(other.sim, &other.p, file, rows), "--restart");
        bytes[at] = (char)~bytes[at];
    }
    for (size_t k = 0; k < CUTS; k++) {
        write_bytes(file, bytes, n * k / CUTS);
        expect_refusal(ERR_INPUT, checkpoint_restore(other.sim, &other.p, file, rows), "truncated");
    }
    write_bytes(file, bytes, n);
    fine(checkpoint_restore(other.sim, &other.p, file, rows));
    free(bytes);
    end(&other);
    end(&r);
}

/* Although the library could read it afterwards. */
static void a_checkpoint_whose_digest_cannot_be_found_is_refused(void **state)
{
    struct run r, other;
    (void)state;
    start_and_keep(&r);
    start(&other, &r.c);
    fails_at = 2; /* its end is read first */
    expect_refusal(ERR_INPUT, checkpoint_restore(other.sim, &other.p, file, rows),
                   "cannot be read: Input/output error");
    assert_int_equal(fails_at, 0);
    fine(checkpoint_restore(other.sim, &other.p, file, rows));
    end(&other);
    end(&r);
}

/* A result at `output`, with a checksum or without, and with the first n of some attributes of a checkpoint. */
static void write_another_kind(const struct run *r, int sealed, const struct attribute *list,
                               size_t n)
{
    static const double bed[(NX + 1) * (NY + 1)];
    struct ncwriter *w;
    const struct ncwrite_info info = {.path = output,
                                      .grid = r->p.setup.grid,
                                      .precision = F32,
                                      .system = find_system("shallow_water"),
                                      .variables = 1,
                                      .bed = bed,
                                      .bed_pitch = NX + 1,
                                      .sealed = sealed};
    /* As if by another process: a file that was read here may be gone, and its number may belong to this one. */
    input_files_forget();
    fine(ncwrite_create(&w, &info));
    fine(ncwrite_attributes(w, list, n));
    fine(ncwrite_finish(&w));
}

static void a_file_of_another_kind_is_no_checkpoint(void **state)
{
    (void)state;
    struct run r, other;
    struct attribute list[] = {
        {CHECKPOINT_VERSION, ATTRIBUTE_INT, .integer = CHECKPOINT_LAYOUT},
        {CHECKPOINT_SETTINGS, ATTRIBUTE_TEXT, .text = "case = a"},
        {CHECKPOINT_WALL, ATTRIBUTE_DOUBLE, .number = 1},
        {checkpoint_rows[0], ATTRIBUTE_DOUBLE, .number = -1},
        {checkpoint_rows[1], ATTRIBUTE_DOUBLE, .number = 0},
        {checkpoint_rows[2], ATTRIBUTE_DOUBLE, .number = 0},
    };
    static const char *const lacks[] = {
        "its layout is unknown", "expected a checkpoint that Shoal wrote",
        "the run's duration is missing", "the number of rows written is missing",
        "the number of rows written is missing"};
    start_and_keep(&r);
    start(&other, &r.c);
    write_another_kind(&r, 0, list, 0);
    expect_refusal(ERR_INPUT, checkpoint_restore(other.sim, &other.p, output, rows),
                   "this is not a checkpoint, or it is truncated");
    for (size_t n = 0; n <= 4; n++) {
        write_another_kind(&r, 1, list, n);
        expect_refusal(ERR_INPUT, checkpoint_restore(other.sim, &other.p, output, rows), lacks[n]);
    }
    list[3].number = 0x1p53; /* the others are fine */
    write_another_kind(&r, 1, list, 6);
    expect_refusal(ERR_INPUT, checkpoint_restore(other.sim, &other.p, output, rows), lacks[4]);
    list[0].integer = CHECKPOINT_TILED + 1;
    write_another_kind(&r, 1, list, 1);
    expect_refusal(ERR_INPUT, checkpoint_restore(other.sim, &other.p, output, rows),
                   "resume with the version that wrote it");
    expect_refusal(ERR_INPUT, checkpoint_restore(other.sim, &other.p, "nowhere/o.nc", rows),
                   "cannot be read: No such file");
    end(&other);
    end(&r);
}

static void a_checkpoint_is_an_input_like_any_other(void **state)
{
    (void)state;
    static float w[CELLS];
    struct nc_input in;
    struct run r;
    start_and_keep(&r);
    fine(nc_read(file, r.sim->system, &in));
    fine(sim_download(r.sim, 0, w));
    assert_int_equal(in.grid.nx, NX);
    assert_true(in.t - r.sim->now.t == 0);
    for (size_t k = 0; k < CELLS; k++)
        assert_true(in.w[k] - (double)w[k] == 0);
    nc_input_free(&in);
    end(&r);
}

static void a_broken_state_is_never_kept(void **state)
{
    (void)state;
    struct run r;
    struct checkpoint *k;
    size_t n, m;
    static float hu[CELLS];
    start_and_keep(&r);
    char *good = bytes_of(file, &n);
    fine(sim_download(r.sim, 1, hu));
    hu[5 * NX + 7] = (float)NAN;
    fine(sim_write(r.sim, sim_unknown(r.sim, 1), NULL, hu));
    fine(checkpoint_open(&k, &(struct checkpoint_setup){
                                 .sim = r.sim, .problem = &r.p, .command_line = "shoal run"}));
    expect_refusal(ERR_BROKEN, checkpoint_write(k), "cell (7, 5)");
    checkpoint_close(&k);
    char *still = bytes_of(file, &m);
    assert_true(n == m && memcmp(good, still, n) == 0);
    free(good);
    free(still);
    end(&r);
}

static void arrays_that_do_not_fit_are_refused(void **state)
{
    struct content c = {0};
    char name[NAME_LENGTH + 1];
    (void)state;
    memset(name, 'n', NAME_LENGTH);
    name[NAME_LENGTH] = '\0';
    expect_refusal(ERR_INPUT, content_add(&c, "", name, 8), "is too long");
    expect_refusal(ERR_INPUT, content_add(&c, "n", name + 1, 8), "is too long");
    fine(content_add(&c, "", name + 1, 8));
    for (int k = 1; k < CHECKPOINT_ARRAYS; k++)
        fine(content_add(&c, "state_", "array", 0));
    expect_refusal(ERR_INPUT, content_add(&c, "", "another", 8), "a checkpoint holds at most");
    assert_int_equal(c.count, CHECKPOINT_ARRAYS);
    assert_string_equal(c.array[0].name, name + 1);
    assert_string_equal(c.array[1].name, "state_array");
    content_free(&c);
    assert_int_equal(c.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(another_problem_or_method_is_refused_with_both_values),
        IN_SCRATCH(each_number_that_shapes_a_run_is_among_its_settings),
        IN_SCRATCH(another_field_of_roughness_is_refused),
        IN_SCRATCH(a_real_difference_is_found_by_a_real_restart),
        IN_SCRATCH(another_system_is_another_run),
        IN_SCRATCH(another_bed_is_another_problem),
        IN_SCRATCH(a_damaged_checkpoint_is_refused),
        IN_SCRATCH(a_checkpoint_whose_digest_cannot_be_found_is_refused),
        IN_SCRATCH(a_file_of_another_kind_is_no_checkpoint),
        IN_SCRATCH(a_checkpoint_is_an_input_like_any_other),
        IN_SCRATCH(a_broken_state_is_never_kept),
        cmocka_unit_test(arrays_that_do_not_fit_are_refused),
    };
    if (!ncfile_available()) {
        print_message("skipped: checkpoints: %s\n", err_message());
        return 0;
    }
    log_quiet(1);
    return cmocka_run_group_tests_name("checkpoint_refused", tests, NULL, NULL);
}
