/* A student's mistakes around a text, in names, tables and lists: `make` names file and line, and what to write. */
#include "tests/support/test.h"

#include "tests/support/student.h"

static const char *const copied[] = {"kernels",
                                     "schemes",
                                     "core/registry/make_registry",
                                     "core/registry/make_registry.awk",
                                     "core/registry/plugin.h",
                                     "verification/cases",
                                     "verification/invariants",
                                     "Makefile",
                                     NULL};

static int begin(void **state)
{
    (void)state;
    student_begin(copied);
    return 0;
}

/* The output of a command that is run in the copy. */
static const char *said(const char *command, int *status)
{
    static char text[MOST_TEXT];
    char line[3 * PATH_LENGTH];
    snprintf(line, sizeof line,
             "cd \"%s/" STUDENT_HOME "\" && env -i PATH=\"$PATH\" %s >/dev/null 2>%s/said", scratch,
             command, scratch);
    *status = system(line);
    program_read("said", text);
    return text;
}

/* The registry of a kind, or "lists", is refused with this place and message. */
static void expect_refused(const char *what, const char *kind, const char *place,
                           const char *const *parts)
{
    char command[64], begins[512];
    int status;
    snprintf(command, sizeof command, "core/registry/make_registry %s", kind);
    const char *text = said(command, &status);
    snprintf(begins, sizeof begins, "error: %s", place);
    if (status == 0 || strncmp(text, begins, strlen(begins)) != 0 ||
        strchr(text, '\n') != text + strlen(text) - 1)
        fail_msg("%s: not one line that begins with '%s': %s", what, begins, text);
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            fail_msg("%s: '%s' is not in: %s", what, *parts, text);
}

#define REFUSED(what, kind, place, ...) \
    expect_refused(what, kind, place, (const char *const[]){__VA_ARGS__, NULL})

static void expect_accepted(const char *what, const char *kind)
{
    char command[64];
    int status;
    snprintf(command, sizeof command, "core/registry/make_registry %s", kind);
    const char *text = said(command, &status);
    if (status)
        fail_msg("%s: %s", what, text);
}

static void plant(const char *file, const char *text)
{
    scratch_write(student_file(file), "w", text);
}

static void uproot(const char *file)
{
    char path[PATH_LENGTH];
    scratch_path(path, student_file(file));
    assert_int_equal(remove(path), 0);
}

#define MINE     "kernels/limiters/mine.h"
#define FUNCTION "FN real mine(real a, real b, real theta)\n{\n    return a;\n}\n"

static void a_plugin_has_its_function_and_its_properties(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *place, *said, *remedy;
    } mistakes[] = {
        {"another function", "PROPERTIES(\"t\", \"c\", 0)\n\nFN real koren(real a, real b)\n",
         MINE ":3: ", "mine.h does not define a function mine(), but koren()",
         "rename the function to mine"},
        {"no function", "PROPERTIES(\"t\", \"c\", 0)\n",
         MINE ":1: ", "mine.h does not define a function mine()", "beginning with FN"},
        {"a function in a comment",
         "PROPERTIES(\"t\", \"c\", 0)\n/* mine(a, b) */\nFN real koren(real a)\n", MINE ":3: ",
         "mine.h does not define a function mine(), but koren()", "rename the function to mine"},
        {"no properties", "\n" FUNCTION, MINE ":1: ", "PROPERTIES is missing",
         "PROPERTIES(\"title\", \"author and year\", SYMMETRIC | TVD)"},
        {"properties in a comment", "/* PROPERTIES(\"t\", \"c\", 0) */\n" FUNCTION,
         MINE ":1: ", "PROPERTIES is missing", "PROPERTIES(\"title\""},
        {"a misspelt property", "\nPROPERTIES(\"t\", \"c\", TVD | SYMETRIC)\n" FUNCTION,
         MINE ":2: ", "no property SYMETRIC", "SYMMETRIC TVD SECOND_ORDER"},
        {"beds of cells, not declared",
         "#include \"num/stepped.h\"\nPROPERTIES(\"t\", \"c\", 0)\n" FUNCTION,
         MINE ":2: ", "mine includes num/stepped.h", "add CELL_BEDS"},
        {"beds of cells, only declared", "PROPERTIES(\"t\", \"c\", CELL_BEDS)\n" FUNCTION,
         MINE ":1: ", "mine declares CELL_BEDS", "include num/stepped.h"},
        {"two arguments", "PROPERTIES(\"t\", \"c, d (e)\")\n" FUNCTION,
         MINE ":1: ", "2 arguments, not 3", "0 for no property"},
        {"properties with commas", "PROPERTIES(\"t\", \"c\", TVD, SYMMETRIC)\n" FUNCTION,
         MINE ":1: ", "4 arguments, not 3", "SYMMETRIC | TVD"},
        {"an empty title", "PROPERTIES(\"\", \"c\", TVD)\n" FUNCTION, MINE ":1: ", "title",
         "in quotes"},
        {"a source without quotes", "PROPERTIES(\"t\", Koren 1993, TVD)\n" FUNCTION,
         MINE ":1: ", "source", "in quotes"},
        {"a bracket that is not closed", "PROPERTIES(\"t\", \"c\", TVD\n" FUNCTION,
         MINE ":1: ", "not closed", "PROPERTIES(\"title\""},
    };
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        plant(MINE, mistakes[k].text);
        REFUSED(mistakes[k].what, "limiters", mistakes[k].place, mistakes[k].said,
                mistakes[k].remedy);
    }
    plant(MINE, "PROPERTIES(\"t \\\"x\\\" // (\", \"c, d\", /* none ( */\n           TVD |\n"
                " SYMMETRIC)\n" FUNCTION);
    expect_accepted("three lines with brackets and quotes", "limiters");
    plant(MINE, "PROPERTIES(\"t\", \"c\", 0)\n" FUNCTION "this does not compile");
    expect_accepted("a body that does not compile stands in nobody's way", "limiters");
}

static void a_name_that_cannot_be_one_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *file, *said, *remedy;
    } names[] = {
        {"kernels/limiters/Koren.h", "'Koren' cannot be a name", "rename the file"},
        {"kernels/limiters/van-leer-2.h", "cannot be a name", "rename the file"},
        {"kernels/limiters/2nd.h", "cannot be a name", "lower-case letter"},
        {"kernels/limiters/int.h", "'int' is taken", "choose another"},
        {"kernels/limiters/min2.h", "'min2' is taken", "choose another"},
        {"kernels/limiters/hll.h", "kernels/fluxes/hll.h has the same name", "rename one"},
        {"kernels/limiters/a_name_of_more_than_forty_letters_is_too_long.h", "40 letters",
         "40 letters"},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        plant(names[k].file, "PROPERTIES(\"t\", \"c\", 0)\n");
        REFUSED(names[k].file, "limiters", names[k].file, names[k].said, names[k].remedy);
        uproot(names[k].file);
    }
    expect_accepted("no mistake", "limiters");
    int status;
    plant("kernels/limiters/my limiter.h", FUNCTION);
    ASSERT_HAS(said("make B=build build/registry/limiters.c", &status),
               "'kernels/limiters/my limiter.h': a name has");
    assert_int_not_equal(status, 0);
    uproot("kernels/limiters/my limiter.h");
    plant(MINE, "PROPERTIES(\"t\", \"c\", TDV)\n" FUNCTION);
    ASSERT_HAS(said("make B=build build/registry/limiters.c", &status),
               "error: " MINE ":1: there is no property TDV");
    assert_int_not_equal(status, 0);
}

#define SCHEME_HEAD                                           \
    "enum { FLUX0, RK0 };\n"                                  \
    "static const char *const kernels[] = {\"flux_fgh0\",\n"  \
    "                                      \"rk0\", NULL};\n" \
    "extern const struct scheme scheme_mine;\n"
#define SCHEME "schemes/mine/mine.c"

static void a_schemes_table_and_lists_fit_its_folder(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *place, *said, *remedy;
    } mistakes[] = {
        {"another table",
         SCHEME_HEAD "const struct scheme scheme_rk3 = {\n    .name = \"mine\",\n};\n",
         SCHEME ":5: ", "defines scheme_rk3", "scheme_mine"},
        {"no table", "enum { A };\n", SCHEME ":1: ", "no table", "scheme_mine"},
        {"a list without end",
         "static const char *const kernels[] = {\"flux_fgh0\", \"rk0\"};\n"
         "const struct scheme scheme_mine = {\n    .name = \"mine\",\n};\n",
         SCHEME ":1: ", "does not end", "NULL"},
        {"an enum too short",
         "enum { FLUX0 };\nstatic const char *const kernels[] = {\"flux_fgh0\", \"rk0\", NULL};\n"
         "const struct scheme scheme_mine = {\n    .name = \"mine\",\n};\n",
         SCHEME ":1: ", "1 handles", "2 names"},
        {"an enum too long",
         "enum {\n    FLUX0, /* A, B */\n    RK0,\n    RK1,\n};\n"
         "static const char *const kernels[] = {\"flux_fgh0\", \"rk0\", NULL};\n"
         "const struct scheme scheme_mine = {\n    .name = \"mine\",\n};\n",
         SCHEME ":1: ", "3 handles", "2 names"},
    };
    scratch_folder(student_file("schemes/mine"));
    REFUSED("an empty folder", "lists", "schemes/mine: ", "no schemes/mine/mine.c", "write it");
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        plant(SCHEME, mistakes[k].text);
        REFUSED(mistakes[k].what, "lists", mistakes[k].place, mistakes[k].said, mistakes[k].remedy);
    }
    plant(SCHEME, SCHEME_HEAD "const struct scheme scheme_mine = {\n    .name = \"mine\",\n};\n");
    expect_accepted("no mistake", "lists");
    scratch_folder(student_file("schemes/my-scheme"));
    REFUSED("a hyphen", "lists", "schemes/my-scheme: ", "cannot be a name", "rename the folder");
}

#define KERNEL_TABLE                                                                       \
    "extern const struct kernel kernels_mine[];\nconst struct kernel kernels_mine[] = {\n" \
    "    {.name = \"mine\",\n     .file = \"mine.cu\"},\n"

static void a_kernels_table_has_its_name_its_end_and_its_text(void **state)
{
    (void)state;
    plant("kernels/mine.cu", "");
    REFUSED("a text without a table", "lists", "kernels/mine.cu: ", "no table",
            "describe the kernel in kernels/mine.c");
    plant("kernels/mine.c", KERNEL_TABLE "};\n");
    REFUSED("a table without end", "lists", "kernels/mine.c:2: ", "does not end", "{.name = 0}");
    plant("kernels/mine.c", "const struct kernel kernels_other[] = {\n    {.name = 0},\n};\n");
    REFUSED("another table", "lists", "kernels/mine.c:1: ", "kernels_mine[]", "rename the file");
    plant("kernels/mine.c", KERNEL_TABLE "    {.name = 0},\n};\n");
    expect_accepted("no mistake", "lists");
    uproot("kernels/mine.cu");
    REFUSED("no text", "lists", "kernels/mine.c:4: ", "no kernels/mine.cu", "correct .file");
}

static void a_cases_table_has_its_name(void **state)
{
    (void)state;
#define CASE "verification/cases/my-case.c"
    plant(CASE, "const struct flow_case case_my_lake = {\n    .name = \"my-case\",\n};\n");
    REFUSED("another table", "lists", CASE ":1: ", "defines case_my_lake", "case_my_case");
    plant(CASE, "const struct flow_case case_my_case = {\n    .name = \"my-case\",\n};\n");
    expect_accepted("no mistake", "lists");
    plant("verification/cases/my_case.c", "");
    REFUSED("two files of one symbol", "lists", "verification/cases: ", "case_my_case", "rename");
    uproot("verification/cases/my_case.c");
    plant("verification/cases/My-case.c", "");
    REFUSED("a capital", "lists", "verification/cases/My-case.c: ", "cannot be a name", "rename");
}

int main(void)
{
#define STUDENT(test) cmocka_unit_test_setup_teardown(test, begin, student_end)
    const struct CMUnitTest tests[] = {
        STUDENT(a_plugin_has_its_function_and_its_properties),
        STUDENT(a_name_that_cannot_be_one_is_refused),
        STUDENT(a_schemes_table_and_lists_fit_its_folder),
        STUDENT(a_kernels_table_has_its_name_its_end_and_its_text),
        STUDENT(a_cases_table_has_its_name),
    };
    return cmocka_run_group_tests_name("mistakes_tables", tests, student_find, NULL);
}
