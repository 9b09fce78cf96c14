/* The certificate in the repository: stored bits, which devices have confirmed them, and the tables made of both. */
#include "tests/support/test.h"

#include "tests/support/certificate.h"
#include "verification/certify/record.h"

static struct certificate stored(void)
{
    struct certificate c;
    char path[PATH_LENGTH];
    fine(certificate_path(path));
    fine(certificate_read(&c, path));
    return c;
}

static void an_update_writes_what_is_new_and_drops_what_is_gone(void **state)
{
    struct certifying c = alike();
    struct update done;
    (void)state;
    put(&c.stored, run_of("gone", "lake", F64, START, BITS));
    put(&c.stored, run_of("euler", "bend", F64, START, BITS));
    put(&c.computed[CPU], run_of("rk2", "lake", F32, START, OTHER));
    put(&c.computed[CPU], run_of("ds1", "lake", F32, START, BITS));
    fine(certify_update(&c, &done));
    assert_int_equal(done.added, 1);
    assert_int_equal(done.changed, 1);
    assert_int_equal(done.dropped, 1);
    struct certificate s = stored();
    assert_int_equal(s.count, 4);
    assert_string_equal(s.functions, START);
    assert_string_equal(s.run[0].scheme, "ds1");
    assert_string_equal(s.run[1].scheme, "euler"); /* was not asked for: it stays */
    assert_string_equal(s.run[2].final, OTHER);
    assert_string_equal(s.run[3].final, BITS);
    certificate_free(&s);
    certifying_free(&c);
}

static void an_update_refuses_what_would_mix_or_is_no_result(void **state)
{
    struct certifying c = alike();
    struct update done;
    (void)state;
    strcpy(c.computed[CPU].functions, OTHER);
    assert_int_equal(certify_update(&c, &done), ERR_USAGE);
    assert_said("another C library");
    strcpy(c.computed[CPU].functions, START);
    put(&c.computed[CPU], run_of("rk2", "lake", F32, START, "broke down"));
    assert_int_equal(certify_update(&c, &done), ERR_CHECK);
    assert_said("rk2 lake f32 broke down");
    certifying_free(&c);
    struct certificate s = stored();
    assert_int_equal(s.count, 0);
}

#define COLUMNS "scheme\tcase\tprecision\tinitial\tfinal\n"
#define LINE(scheme, flow_case, precision) \
    scheme "\t" flow_case "\t" precision "\t" START "\t" BITS "\n"

static void a_malformed_certificate_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {LINE("rk2", "lake", "f32"), ":1: the first line without #"},
        {COLUMNS "rk2\tlake\tf32\t" START "\n", ":2: expected scheme"},
        {COLUMNS "rk2\tlake\tf16\t" START "\t" BITS "\n", ":2: expected scheme"},
        {COLUMNS "rk2\tlake\tf32\t" START "\t0xaa\n", ":2: expected scheme"},
        {COLUMNS "<<<<<<< HEAD\n", ":2: expected scheme"},
        {COLUMNS LINE("rk2", "lake", "f32") LINE("rk2", "lake", "f32"), ":3: 'rk2 lake f32' is"},
        {COLUMNS LINE("rk2", "lake", "f64") LINE("rk2", "lake", "f32"), ":3: 'rk2 lake f32' is"},
    };
    struct certificate c;
    char path[PATH_LENGTH];
    (void)state;
    fine(certificate_path(path));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        scratch_write("verification/certificate.tsv", "w", wrong[k].text);
        assert_int_equal(certificate_read(&c, path), ERR_INPUT);
        assert_said(wrong[k].part);
        assert_int_equal(c.count, 0);
    }
}

static const struct device_info device = {
    .name = "A GPU (R)", .target = "sm_90", .compiler = "nvrtc 13.0", .driver = "580"};

/* The device's confirmations of `alike`, written into the scratch folder. */
static void record_alike(const struct certifying *c)
{
    struct record r;
    char path[PATH_LENGTH];
    record_begin(&r, &device);
    r.runs = c->computed[CPU];
    r.answer[ASK_BLOCKS] = (struct answer){.asked = 1, .compared = 28, .same = 27};
    fine(record_write(&r, path));
    assert_non_null(strstr(path, "/verification/certified/a-gpu-r.tsv"));
}

static void a_record_says_what_a_device_has_confirmed(void **state)
{
    struct certifying c = alike();
    struct records all;
    (void)state;
    fine(records_read(&all, &c.stored));
    assert_int_equal(all.count, 0);
    record_alike(&c);
    fine(records_read(&all, &c.stored));
    assert_int_equal(all.count, 1);
    assert_string_equal(all.at[0].device, device.name);
    assert_string_equal(all.at[0].driver, device.driver);
    assert_int_equal(all.at[0].answer[ASK_STORED].same, 2);
    records_free(&all);
    put(&c.stored, run_of("rk2", "lake", F32, START, OTHER)); /* changed since then */
    put(&c.stored, run_of("rk2", "bend", F32, START, BITS));  /* new since then */
    fine(records_read(&all, &c.stored));
    assert_int_equal(all.at[0].answer[ASK_STORED].same, 1);
    assert_int_equal(all.at[0].answer[ASK_STORED].compared, 3);
    records_free(&all);
    certifying_free(&c);
}

static void a_malformed_record_is_refused(void **state)
{
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {"a\tb\n", "the columns must be"},
        {"kind\tname\tvalue\nbits\trk2 lake f32\t" BITS "\n", "no line names the device"},
        {"kind\tname\tvalue\nbits\trk2 lake\t" BITS "\n",
         "'bits rk2 lake " BITS "' is not a line of `shoal certify --record`"},
        {"kind\tname\tvalue\nquestion\tblocks\t28 of 27\n", "28 of 27"},
        {"kind\tname\tvalue\nenvironment\thost\tx\n", "'environment host x'"},
    };
    const struct certificate stored_runs = {0};
    struct records all;
    (void)state;
    scratch_folder("verification/certified");
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        scratch_write("verification/certified/x.tsv", "w", wrong[k].text);
        assert_int_equal(records_read(&all, &stored_runs), ERR_INPUT);
        assert_said("verification/certified/x.tsv");
        assert_said(wrong[k].part);
    }
}

static enum err title_of_blocks(void *context, const char *name, struct sql_value *v)
{
    (void)context;
    (void)name;
    v->text = questions[ASK_BLOCKS].title;
    return ERR_OK;
}

/* What the gallery shows. */
static void figures_are_made_of_what_was_recorded(void **state)
{
    struct certifying c = alike();
    const struct sql_names names = {NULL, title_of_blocks};
    struct plot_devices devices;
    struct rowset t;
    char path[PATH_LENGTH];
    (void)state;
    fine(certificate_path(path));
    fine(certificate_write(&c.stored, path));
    record_alike(&c);
    setenv("SHOAL_DB", scratch, 1);
    fine(plot_devices_read(&devices, ""));
    fine(database_ask(devices.database,
                      "SELECT (SELECT runs || ' of ' || device FROM certificate_answers WHERE "
                      "place = 1), (SELECT same || ' ' || runs FROM certificate_answers WHERE "
                      "question = :blocks), (SELECT confirmed FROM certificate_devices)",
                      &names, &t));
    assert_string_equal(rowset_at(&t, 0, 0), "2.0 of A GPU (R)");
    assert_string_equal(rowset_at(&t, 0, 1), "27.0 28.0");
    assert_string_equal(rowset_at(&t, 0, 2), "2");
    unsetenv("SHOAL_DB");
    rowset_free(&t);
    plot_devices_free(&devices);
    certifying_free(&c);
}

static int install_certificate(void **state)
{
    if (install(state))
        return -1;
    scratch_folder("verification");
    return 0;
}

#define AT_HOME(test) cmocka_unit_test_setup_teardown(test, install_certificate, uninstall)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_HOME(an_update_writes_what_is_new_and_drops_what_is_gone),
        AT_HOME(an_update_refuses_what_would_mix_or_is_no_result),
        AT_HOME(a_malformed_certificate_is_refused_with_its_line),
        AT_HOME(a_record_says_what_a_device_has_confirmed),
        AT_HOME(a_malformed_record_is_refused),
        AT_HOME(figures_are_made_of_what_was_recorded),
    };
    return cmocka_run_group_tests_name("certificate_files", tests, NULL, NULL);
}
