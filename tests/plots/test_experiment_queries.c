/* Every experiment's queries, facts and claims, evaluated on the database in git. */
#include "tests/support/test.h"

#include "experiments/measure/measure.h"
#include "plots/figures/script.h"
#include "tests/support/database.h"

static struct plot_devices devices;
static struct experiment_list list;

/* A GPU of one measurement, which comes before all others. */
static void add_device_of_few_rows(void)
{
    static const char *const options[] = {"parts=1", "parts=1,dt=0.001", "parts=2",
                                          "parts=2,dt=0.001"};
    static const char folder[] = "db/0-made-up/" SOURCE;
    char path[PATH_LENGTH];
    scratch_folder("db/0-made-up");
    scratch_folder(folder);
    snprintf(path, sizeof path, "%s/experiments", folder);
    scratch_folder(path);
    snprintf(path, sizeof path, "%s/manifest.json", folder);
    scratch_write(path, "w", MANIFEST);
    snprintf(path, sizeof path, "%s/experiments/global-dt.tsv", folder);
    scratch_write(path, "w",
                  POINT_FIRST_COLUMNS
                  "\tgraphs\toptions\trun\tsession\toutcome\treason\t" MEASURE_RUN "\tl1\n");
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        char row[512];
        snprintf(
            row, sizeof row,
            "water-column\teuler\tf32\tfast\t64\t64\t0.25\t-\tminmod\toff\ttuned\t-\tauto\t%s\t1\t"
            "0000000a\tok\t-\ttuned\t192\t0\t0\t75.5\t0.04\t18.9\t-\n",
            options[k]);
        scratch_write(path, "a", row);
    }
}

/* The database in git and another device. */
static int set_up(void **state)
{
    char path[PATH_LENGTH], own[PATH_LENGTH], command[2 * PATH_LENGTH + 32];
    (void)state;
    unsetenv("SHOAL_DB"); /* tests/runner points it to nowhere */
    scratch_create();
    scratch_path(path, "db");
    if (paths_database(own))
        return 1;
    snprintf(command, sizeof command, "cp -r '%s' '%s'", own, path);
    if (system(command) != 0)
        return 1;
    add_device_of_few_rows();
    return setenv("SHOAL_DB", path, 1) || plot_devices_read(&devices, "") ||
           experiment_list_read(&list);
}

static int tear_down(void **state)
{
    experiment_list_free(&list);
    plot_devices_free(&devices);
    return scratch_remove(state);
}

enum { MOST_SHOWN = 64 };

/* Its rows are a few of an experiment. */
static int is_made_up(const struct plot_device *d)
{
    return strcmp(d->device, "0-made-up") == 0;
}

/* Writes what gnuplot would draw, or the table: then its columns must exist. */
static enum err show(const struct figure *f)
{
    const struct shape *shape;
    FILE *nowhere = fopen("/dev/null", "w");
    const struct drawing_files files = {nowhere, nowhere, "data"};
    assert_non_null(nowhere);
    enum err e = draw_shape(&f->experiment, &shape);
    if (!e)
        e = shape ? shape->write(f, &files) : table_print(f, TABLE_TEXT, nowhere);
    fclose(nowhere);
    return e;
}

/* How many claims lack the time of their rule, or have that of another rule. */
static int faulty_claims(const struct figure *f)
{
    int faulty = 0;
    for (int k = 0; k < f->claims.count; k++) {
        if (*f->claims.claim[k].fault)
            print_error("%s: claim '%s': %s\n", f->experiment.name, f->claims.claim[k].id,
                        f->claims.claim[k].fault);
        faulty += *f->claims.claim[k].fault != '\0';
    }
    return faulty;
}

/* How many texts that are shown have a fact that is not known: "not measured s". */
static int unknown_texts(const struct figure *f)
{
    int count = 0;
    const char *text[MOST_SHOWN] = {f->caption};
    for (int k = 0; k < f->claims.count && 3 * k + 3 < MOST_SHOWN; k++) {
        const struct claim *c = &f->claims.claim[k];
        text[3 * k + 1] = c->published;
        text[3 * k + 2] = c->verdict == VERDICT_UNKNOWN ? NULL : c->ours;
        text[3 * k + 3] = c->remark;
    }
    for (int k = 0; k < MOST_SHOWN; k++) {
        if (!text[k] || !facts_unknown_in(text[k]))
            continue;
        print_error("%s: %s\n", f->experiment.name, text[k]);
        count++;
    }
    return count;
}

/* Replays, and the start of a case, which no device changes: one with rows will do. */
static int takes_long(const char *name)
{
    return strcmp(name, "evaluations") == 0 || strcmp(name, "initial-state") == 0;
}

/* A wrong column, or a fact that does not exist, fails on a device without rows, too. Returns how many devices have
 * rows. */
static int present_on_devices(const char *name, int *failed)
{
    int present = 0;
    for (int d = 0; d < devices.count; d += plot_device_environments(&devices, d)) {
        struct figure f;
        if (present && takes_long(name))
            continue;
        enum err e = figure_open(&f, name, &devices, &devices.at[d]);
        if (!e && f.tables.present) {
            e = show(&f);
            present++;
            *failed += is_made_up(&devices.at[d]) ? 0 : unknown_texts(&f);
        }
        if (e)
            print_error("%s on %s: %s\n", name, devices.at[d].device, err_message());
        *failed += e ? 1 : d ? 0 : faulty_claims(&f);
        figure_close(&f);
    }
    return present;
}

static void they_answer_what_the_figure_needs(void **state)
{
    int failed = 0;
    (void)state;
    for (int k = 0; k < list.count; k++) {
        struct experiment x;
        fine(experiment_read(&x, list.name[k]));
        const char *missing = experiment_value(&x, experiment_section(&x, "", 0), "missing");
        if (!present_on_devices(list.name[k], &failed) && !missing) {
            print_error("%s: no device has its rows\n", list.name[k]);
            failed++;
        }
        experiment_free(&x);
    }
    assert_int_equal(failed, 0);
    assert_true(list.count > 40);
}

static void a_device_has_the_figures_of_what_was_measured_there_alone(void **state)
{
    struct figure f;
    (void)state;
    assert_string_equal(devices.at[0].device, "0-made-up");
    fine(figure_open(&f, "global-dt", &devices, &devices.at[0]));
    assert_true(f.tables.present);
    figure_close(&f);
    fine(figure_open(&f, "schemes", &devices, &devices.at[0]));
    assert_false(f.tables.present);
    figure_close(&f);
}

/* A pattern that also fits the options of another series would mix their rows. */
static void each_way_between_parts_has_a_series_of_its_own(void **state)
{
    int present = 0;
    (void)state;
    for (int d = 0; d < devices.count; d += plot_device_environments(&devices, d)) {
        struct figure f;
        fine(figure_open(&f, "transports", &devices, &devices.at[d]));
        const struct rowset *a = &f.tables.at[0].answer; /* in the order of scheme and way */
        for (size_t row = 1; f.tables.present && row < a->rows; row++) {
            const char *way = rowset_text(a, row, "way"), *options = rowset_text(a, row, "options");
            if (strcmp(way, rowset_text(a, row - 1, "way")) == 0 &&
                strcmp(options, rowset_text(a, row - 1, "options")) != 0)
                fail_msg("'%s' on %s has rows of '%s' and of '%s'", way, devices.at[d].device,
                         options, rowset_text(a, row - 1, "options"));
        }
        present += f.tables.present;
        figure_close(&f);
    }
    assert_true(present > 0);
}

static void their_tables_do_not_stay(void **state)
{
    struct rowset a;
    (void)state;
    assert_int_equal(database_ask(devices.at[0].database, "SELECT * FROM data", NULL, &a),
                     ERR_USAGE);
    assert_non_null(strstr(err_message(), "no such table: data"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_answer_what_the_figure_needs),
        cmocka_unit_test(a_device_has_the_figures_of_what_was_measured_there_alone),
        cmocka_unit_test(each_way_between_parts_has_a_series_of_its_own),
        cmocka_unit_test(their_tables_do_not_stay),
    };
    return cmocka_run_group_tests_name("experiments' queries", tests, set_up, tear_down);
}
