/* Every experiment's queries, facts and claims, asked of the database in git. */
#include "tests/support/test.h"

#include "plots/figures/draw.h"

static struct plot_devices devices;
static struct experiment_list list;

static int set_up(void **state)
{
    (void)state;
    unsetenv("SHOAL_DB"); /* tests/runner points it to nowhere */
    return plot_devices_read(&devices, "") || experiment_list_read(&list);
}

static int tear_down(void **state)
{
    (void)state;
    experiment_list_free(&list);
    plot_devices_free(&devices);
    return 0;
}

/* A wrong column, or a fact that is none, fails on a device without rows, too. */
static void they_can_be_answered_on_every_device(void **state)
{
    int present = 0, failed = 0;
    (void)state;
    for (int k = 0; k < list.count; k++)
        for (int d = 0; d < devices.count; d++) {
            struct figure f;
            /* Replays take long, and are the same query on each GPU and each CPU. */
            if (d && strcmp(list.name[k], "evaluations") == 0)
                continue;
            if (figure_open(&f, list.name[k], &devices, &devices.at[d])) {
                print_error("%s on %s: %s\n", list.name[k], devices.at[d].device, err_message());
                failed++;
                continue;
            }
            present += f.tables.present;
            figure_close(&f);
        }
    assert_int_equal(failed, 0);
    assert_true(list.count > 40 && present > 100);
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
        cmocka_unit_test(they_can_be_answered_on_every_device),
        cmocka_unit_test(their_tables_do_not_stay),
    };
    return cmocka_run_group_tests_name("experiments' queries", tests, set_up, tear_down);
}
