/* Includes follow core/rooms, and those that do not are named. */
#include "tests/support/test.h"

#include "core/base/paths.h"
#include "tests/support/scratch.h"

/* All folders that are rooms. */
#define ALL                                                       \
    "$(find core kernels schemes verification experiments plots " \
    "'(' -name '*.[ch]' -o -name '*.cu' ')' 2>/dev/null)"

/* Runs the check in `folder` with the given table; returns its status and captures its output. */
static int check(const char *folder, const char *table, const char *files, char text[4096])
{
    char command[3 * PATH_LENGTH], script[PATH_LENGTH];
    if (paths_file("core/rooms.awk", script))
        fail_msg("%s", err_message());
    snprintf(command, sizeof command, "cd '%s' && awk -f '%s' '%s' %s", folder, script, table,
             files);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    text[fread(text, 1, 4095, f)] = '\0';
    return pclose(f);
}

static void no_room_includes_what_its_line_does_not_name(void **state)
{
    (void)state;
    const char *home;
    char text[4096];
    assert_int_equal(paths_home(&home), ERR_OK);
    if (check(home, "core/rooms", ALL, text) != 0)
        fail_msg("%s", text);
}

static void wrong(const char *table, const char *said)
{
    char text[4096];
    if (check(scratch, table, ALL, text) == 0)
        fail_msg("nothing is found; it should say: %s", said);
    if (!strstr(text, said))
        fail_msg("it should say: %s; it says: %s", said, text);
}

static void an_include_that_points_up_is_named_with_its_line(void **state)
{
    (void)state;
    char table[PATH_LENGTH], text[4096];
    static const char *const folders[] = {"core",    "core/base",    "core/sim",    "kernels",
                                          "schemes", "verification", "experiments", "plots"};
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
        scratch_folder(folders[k]);
    assert_int_equal(paths_file("core/rooms", table), ERR_OK);
    scratch_write("core/sim/sim.c", "w", "#include <stdio.h>\n#include \"core/base/err.h\"\n");
    assert_int_equal(check(scratch, table, ALL, text), 0);
    scratch_write("core/base/err.c", "w", "/* One. */\n  #  include \"core/sim/sim.h\"\n");
    wrong(table, "core/base/err.c:2: base may not include core/sim/sim.h");
    scratch_write("core/base/err.c", "w", "#include \"err.h\"\n");
    wrong(table, "core/base/err.c:1: write the path of err.h from the top");
    scratch_write("core/base/err.c", "w", "#include \"tests/support/scratch.h\"\n");
    wrong(table, "core/base/err.c:1: base may not include tests/support/scratch.h");
    scratch_write("core/base/err.c", "w", "#include \"core/base/err.h\"\n");
    scratch_folder("core/attic");
    scratch_write("core/attic/old.c", "w", "#include \"core/base/err.h\"\n");
    wrong(table, "core/attic/old.c: 'attic' is no room");
}

static void a_table_with_a_circle_is_refused(void **state)
{
    (void)state;
    scratch_write("circle", "w", "base:\nsim: base\nrun: sim\nsim: run\n");
    wrong("circle", "circle:4: sim has a line above");
    scratch_write("circle", "w", "base:\nsim: run\nrun: sim\n");
    wrong("circle", "circle:2: sim may not use run, which no line above has");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_room_includes_what_its_line_does_not_name),
        cmocka_unit_test_setup_teardown(an_include_that_points_up_is_named_with_its_line,
                                        scratch_setup, scratch_remove),
        cmocka_unit_test_setup_teardown(a_table_with_a_circle_is_refused, scratch_setup,
                                        scratch_remove),
    };
    return cmocka_run_group_tests_name("rooms", tests, NULL, NULL);
}
