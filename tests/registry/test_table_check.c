/* Incomplete tables are refused before anything else is done, by file, line and member. */
#include "tests/support/test.h"

#include "core/registry/table_check.h"
#include "core/sim/sim.h"
#include "tests/support/student.h"
#include "verification/run/case_check.h"
#include "verification/run/verify.h"

static const char *const copied[] = {"kernels", "schemes", "verification/cases", NULL};

static int begin(void **state)
{
    (void)state;
    student_begin(copied);
    return 0;
}

/* The check fails, and says all of these. */
static void expect_wrong(enum err e, const char *const *parts)
{
    if (e != ERR_INPUT)
        fail_msg("no mistake is found; '%s' is one", *parts);
    for (; *parts; parts++)
        ASSERT_HAS(err_message(), *parts);
}

#define WRONG(e, ...) expect_wrong(e, (const char *const[]){__VA_ARGS__, NULL})

static enum err check_case(const struct flow_case *c)
{
    TRY(registry_check_case(c, "lake"));
    return verification_check_case(c, "lake");
}

static void the_tables_there_are_have_no_mistake(void **state)
{
    (void)state;
    if (registry_check() || verification_check())
        fail_msg("%s", err_message());
}

static enum err no_step(struct sim *s)
{
    (void)s;
    return ERR_OK;
}

/* Each edit of rk2 omits a member, or gives it an impossible value. */
static void a_scheme_that_cannot_work_is_named(void **state)
{
    (void)state;
    static const char *const misspelt[] = {"flux_fgh0", "rk00", NULL}, *const none[] = {NULL};
    static const char *many[SCHEME_KERNELS + 2];
    for (int k = 0; k <= SCHEME_KERNELS; k++)
        many[k] = "rk0";
    const struct scheme good = {.name = "rk2",
                                .title = "t",
                                .cite = "c",
                                .system = "shallow_water",
                                .order_space = 2,
                                .order_time = 2,
                                .ghost = 2,
                                .cfl = 0.25,
                                .rates = 1,
                                .steps = 1,
                                .kernels = find_scheme("rk2")->kernels,
                                .step = no_step};
    assert_int_equal(registry_check_scheme(&good, "rk2"), ERR_OK);
#define EDITED(member, value, ...)                                                           \
    do {                                                                                     \
        struct scheme s = good;                                                              \
        s.member = value;                                                                    \
        WRONG(registry_check_scheme(&s, "rk2"), "schemes/rk2/rk2.c:", #member, __VA_ARGS__); \
    } while (0)
    EDITED(name, NULL, ".name = \"rk2\"");
    EDITED(system, NULL, "name the equations", "shallow_water");
    EDITED(system, "water", "name the equations", "shallow_water");
    EDITED(name, "rk3", "is \"rk3\"", ".name = \"rk2\"");
    EDITED(title, NULL, "in quotes");
    EDITED(cite, "", "in quotes");
    EDITED(order_space, 0, "order of accuracy");
    EDITED(order_time, -1, "order of accuracy");
    EDITED(ghost, 0, "ghost cells");
    EDITED(ghost, GHOSTS + 1, "from 1 to 2");
    EDITED(cfl, 0, "Courant number");
    EDITED(cfl, 2, "is 2", "up to 1");
    EDITED(usual_cfl, 0.3, "it is the default of --cfl");
    EDITED(drained_cfl, 0.46, "give one up to that");
    EDITED(drained_cfl, -0.1, "give one up to that");
    EDITED(stages, STATES, "states");
    EDITED(rates, RATES + 1, "rates");
    EDITED(steps, 0, "one call of step()");
    EDITED(fills, -1, "fills ghost cells");
    EDITED(step, NULL, ".step = step");
    EDITED(kernels, NULL, ".kernels = kernels");
    EDITED(kernels, none, ".kernels = kernels");
    EDITED(kernels, misspelt, "names the kernel rk00", "did you mean rk0?");
    EDITED(kernels, many, "expected at most 16 kernels");
    EDITED(clock, "clok", "did you mean clock?");
    EDITED(on_demand, 99, "index");
#undef EDITED
}

static void the_line_of_a_member_is_that_of_its_table(void **state)
{
    (void)state;
    char path[PATH_LENGTH];
    scratch_write(student_file("schemes/rk2/rk2.c"), "w",
                  "struct rate r = {\n    .cfl = 1,\n};\n\n"
                  "const struct scheme scheme_rk2 = {\n    .name = \"rk2\",\n"
                  "    .cfl = 0,\n};\n.ghost = 1\n");
    struct scheme s = *find_scheme("rk2");
    s.cfl = 0;
    WRONG(registry_check_scheme(&s, "rk2"), "schemes/rk2/rk2.c:7: .cfl is 0: ");
    s.cfl = 0.25;
    s.ghost = 0;
    WRONG(registry_check_scheme(&s, "rk2"), "schemes/rk2/rk2.c:5: .ghost is missing: ");
    scratch_path(path, student_file("schemes/rk2/rk2.c"));
    assert_int_equal(remove(path), 0);
    WRONG(registry_check_scheme(&s, "rk2"), "schemes/rk2/rk2.c: .ghost is missing: ");
}

/* What checkpoints, mirrors and turned problems rely on. */
static void a_system_that_cannot_work_is_named(void **state)
{
    (void)state;
    const struct system good = *find_system("shallow_water");
    assert_int_equal(registry_check_system(&good, "shallow_water"), ERR_OK);
#define EDITED(member, value, ...)                              \
    do {                                                        \
        struct system s = good;                                 \
        s.member = value;                                       \
        WRONG(registry_check_system(&s, "shallow_water"),       \
              "kernels/systems/shallow_water.c:", __VA_ARGS__); \
    } while (0)
    EDITED(name, "water", ".name = \"shallow_water\"");
    EDITED(cite, NULL, ".cite is empty", "in quotes");
    EDITED(unknowns, 0, ".unknowns is 0", "from 1 to 4");
    EDITED(unknown[1].mirror_x, 0, ".unknown has hu", "no sign in a mirror");
    EDITED(unknown[2].exchanged, 2, ".unknown has hu", "correct .exchanged");
    EDITED(unknown[0].name, NULL, ".unknown has number 0", "without a name");
    EDITED(variables, 4, ".variable lacks an unknown", "add eta");
    EDITED(variable[3].name, "vh", ".variable lacks an unknown", "add hv");
    EDITED(variable[2].of, 3, ".variable has hu", "0 to 2");
    EDITED(variable[1].units, NULL, ".variable has h", ".units");
#undef EDITED
}

static void a_kernel_that_cannot_work_is_named(void **state)
{
    (void)state;
    const struct kernel good = *find_kernel("select");
    struct kernel k = good;
    k.stem = NULL;
    WRONG(registry_check_kernel(&k, "active_blocks"), "kernels/active_blocks.c:", ".stem",
          "\"select\"");
    k = good;
    k.file = NULL;
    WRONG(registry_check_kernel(&k, "active_blocks"), "kernels/active_blocks.c:", ".file",
          "in quotes");
    k = good;
    k.block[CUDA] = (struct block){0, 0};
    WRONG(registry_check_kernel(&k, "active_blocks"),
          "kernels/active_blocks.c:", ".block is 0x0 for CUDA", ".block = {[CPU]");
    k = good;
    k.block[CUDA] = (struct block){64, 32};
    WRONG(registry_check_kernel(&k, "active_blocks"), ".block is 64x32 for CUDA", "1024 threads");
    k = good; /* the same name, in another table */
    WRONG(registry_check_kernel(&k, "mine"), "kernels/mine.c: .name", "active_blocks.cu",
          "rename one");
}

static void a_case_that_cannot_work_is_named(void **state)
{
    (void)state;
    struct flow_case good = *find_case("lake");
#define EDITED(member, value, ...)                                        \
    do {                                                                  \
        struct flow_case c = good;                                        \
        c.member = value;                                                 \
        WRONG(check_case(&c), "verification/cases/lake.c:", __VA_ARGS__); \
    } while (0)
    assert_int_equal(check_case(&good), ERR_OK);
    EDITED(name, NULL, ".name is \"\"", ".name = \"lake\"");
    EDITED(name, "lakes", ".name is \"lakes\"", ".name = \"lake\"");
    EDITED(title, NULL, ".title");
    EDITED(nx, 0, ".nx is 0", "number of cells");
    EDITED(ly, -1, ".ly is -1", "extent in y");
    EDITED(t_end, 0, ".t_end is 0", "when it ends");
    EDITED(gravity, 0, ".gravity is 0", "9.81");
    EDITED(bed, NULL, ".bed is NULL", ".bed = bed");
    EDITED(tends, 1, ".initial is missing", ".initial = initial");
    good.initial = find_case("bend")->initial;
    EDITED(exact, NULL, ".exact is NULL", "the check \"level\"", "or remove .verify");
    EDITED(boundary[NORTH], PERIODIC, ".boundary is PERIODIC in the south or north only", "both");
    const struct verification bare = {.ladder = {0}};
    EDITED(verify, &bare, ".verify has no ladder", ".ladder = {100, 200}");
#undef EDITED
}

int main(void)
{
#define STUDENT(test) cmocka_unit_test_setup_teardown(test, begin, student_end)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_there_are_have_no_mistake),
        STUDENT(a_scheme_that_cannot_work_is_named),
        STUDENT(the_line_of_a_member_is_that_of_its_table),
        STUDENT(a_system_that_cannot_work_is_named),
        STUDENT(a_kernel_that_cannot_work_is_named),
        STUDENT(a_case_that_cannot_work_is_named),
    };
    return cmocka_run_group_tests_name("table_check", tests, student_find, NULL);
}
