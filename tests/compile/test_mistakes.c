/* A student's mistakes in a plug-in or a kernel: each is one message with file, line and remedy, whichever compiler
 * reads the text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/compile/c_compiler.h"
#include "core/compile/nvrtc_api.h"
#include "core/compile/language_check.h"
#include "core/compile/nvrtc.h"
#include "core/registry/registry.h"
#include "tests/support/student.h"

enum { MOST_MESSAGE = 1500 }; /* a message is read, not scrolled */

#define LIMITER(line)                            \
    "#include \"real.h\"\n"                      \
    "PROPERTIES(\"mine\", \"me\", 0)\n"          \
    "FN real mine(real a, real b, real theta)\n" \
    "{\n"                                        \
    "    (void)theta;\n"                         \
    "    " line "\n"                             \
    "}\n"
#define FLUX(line)                                                \
    "#include \"num/riemann.h\"\n"                                \
    "PROPERTIES(\"mine\", \"me\", 0)\n"                           \
    "FN struct flux mine(struct side l, struct side r, real g)\n" \
    "{\n"                                                         \
    "    struct flux f = two_waves(l, r, -g, g, g);\n"            \
    "    " line "\n"                                              \
    "    return f;\n"                                             \
    "}\n"
#define STATE                       \
    "#include \"real.h\"\n"         \
    "struct pair { real a, b; };\n" \
    "FN real mine(real a, real b, real theta)\n"

struct mistake {
    const char *what, *kind, *text;
    int line;
    const char *said, *remedy;
};

/* Found by patterns, by g++, or only by a compiler; the first EVERY with the same message for a GPU. */
static const struct mistake dialect[] = {
    {"a double literal", "limiters", LIMITER("return 0.5 * (a + b);"), 6, "'double'", "REAL(0.5)"},
    {"a literal without a leading digit", "limiters", LIMITER("return .5 * (a + b);"), 6,
     "'double'", "REAL(0.5)"},
    {"a literal with an exponent", "limiters", LIMITER("return a + 1e-6;"), 6, "'double'",
     "REAL(0.5)"},
    {"a float literal", "limiters", LIMITER("return 0.1f * (a + b);"), 6, "0.1f", "without the f"},
    {"a float literal in REAL", "limiters", LIMITER("return REAL(0.1f) * (a + b);"), 6, "0.1f",
     "without the f"},
    {"an integer division", "limiters", LIMITER("return REAL(1/3) * a + b;"), 6,
     "1/3 is an integer division", "REAL(...)"},
    {"double", "limiters", LIMITER("double c = a; return (real)c + b;"), 6, "double", "write real"},
    {"float", "limiters", LIMITER("float c = a; return c + b;"), 6, "float", "write real"},
    {"sqrtf", "limiters", LIMITER("return sqrtf(a * b);"), 6, "'sqrtf'", "root(x)"},
    {"fabs", "limiters", LIMITER("return fabs(a) + b;"), 6, "'fabs'", "abs1(x)"},
    {"pow", "limiters", LIMITER("return pow(a, 2) + b;"), 6, "'pow'", "square(x)"},
    {"min", "limiters", LIMITER("return min(a, b);"), 6, "'min'", "min2(a, b)"},
    {"fmaxf", "limiters", LIMITER("return fmaxf(a, b);"), 6, "'fmaxf'", "max2(a, b)"},
    {"math.h", "limiters", "#include <math.h>\n" LIMITER("return a + b;"), 1, "<math.h>",
     "real.h has the arithmetic"},
    {"restrict", "limiters", LIMITER("const real *restrict p = &a; return *p + b;"), 6, "restrict",
     "remove it"},
    {"a designated initialiser", "limiters",
     STATE "{\n    struct pair p = {.a = a, .b = b};\n    return p.a + p.b * theta;\n}\n", 5,
     "designated initializers", "declare first"},
    {"a compound literal", "limiters",
     STATE "{\n    struct pair p;\n    p = (struct pair){a, b};\n    return p.a * theta;\n}\n", 6,
     "compound-literals", "declare first"},
    {"a compound literal that is returned", "fluxes",
     "#include \"num/riemann.h\"\nFN struct flux mine(struct side l, struct side r, real g)\n{\n"
     "    return (struct flux){l.h, r.h, g};\n}\n",
     4, "compound-literals", "declare first"},
    {"recursion", "limiters", LIMITER("return a > b ? mine(b, a, theta) : a;"), 6, "recursive",
     "write a loop"},
    {"a function without FN", "limiters",
     "static inline real phi(real r)\n{\n    return r;\n}\n" LIMITER("return phi(a) + b;"), 1,
     "static", "begin a function with FN"},
    {"a number kept between calls", "limiters", LIMITER("static real last; return last = a + b;"),
     6, "static", "keep nothing"},
    {"a brace that is not closed", "limiters", LIMITER("if (a > b) { return a;"), 4,
     "'{' is not closed", "close it"},
    {"a bracket that is not closed", "limiters", LIMITER("return (a + b;"), 6, "expected ')'",
     "is not closed"},
    {"a brace too many", "limiters", LIMITER("return a + b; }"), 7, "before '}'", "closes nothing"},
    {"another function", "limiters",
     "FN real koren(real a, real b, real theta)\n{\n"
     "    return a + b * theta;\n}\n",
     1, "there is no function mine()", "FN real mine(real a, real b, real theta)"},
    {"a missing argument", "limiters", "\nFN real mine(real a, real b)\n{\n    return a + b;\n}\n",
     2, "other arguments", "FN real mine(real a, real b, real theta)"},
    {"an argument of another type", "limiters",
     "\nFN real mine(real a, real b, int theta)\n{\n    return a + b * theta;\n}\n", 2,
     "other arguments", "FN real mine(real a, real b, real theta)"},
    {"a flux that returns a number", "fluxes",
     "#include \"num/riemann.h\"\nFN real mine(struct side l, struct side r, real g)\n{\n"
     "    return l.h + r.h * g;\n}\n",
     2, "another result", "FN struct flux mine(struct side l, struct side r, real g)"},
    {"a flux of two numbers", "fluxes", "FN struct flux mine(real l, real r, real g);\n", 1,
     "other arguments", "FN struct flux mine(struct side l, struct side r, real g)"},
    {"a reconstruction of two numbers", "reconstructions", "FN real mine(real low, real high);\n",
     1, "other arguments", "FN real mine(real d, real low, real high)"},
};

/* Found by the compilers, each with its own message. */
static const struct mistake compiled[] = {
    {"a missing semicolon", "limiters", LIMITER("real c = a + b return c;"), 6, "expected",
     "a semicolon is missing"},
    {"an undeclared variable", "limiters", LIMITER("return a + ratio * b;"), 6, "ratio",
     "declare ratio"},
    {"an undeclared function", "limiters", LIMITER("return phi(a) + b;"), 6, "phi", "declare phi"},
    {"a function that is only declared", "limiters",
     "#include \"real.h\"\nFN real phi(real r);\nFN real mine(real a, real b, real theta)\n{\n"
     "    return phi(a) + b * theta;\n}\n",
     2, "phi", "the function itself"},
    {"an unknown member", "fluxes", FLUX("f.h = l.u;"), 6, "u", "correct the member's name"},
    {"a member of a number", "limiters", LIMITER("return a.h + b;"), 6, "", ""},
    {"a name that is taken", "limiters",
     "#include \"real.h\"\nFN real root(real x)\n{\n    return x;\n}\n"
     "FN real mine(real a, real b, real theta)\n{\n    return root(a) + b * theta;\n}\n",
     2, "root", "choose another name"},
    {"a word of C++", "limiters", LIMITER("real new = a + b; return new;"), 6, "",
     "choose another name"},
    {"an array of variable length", "limiters",
     LIMITER("int n = a > b ? 1 : 2; real c[n]; c[0] = a; return c[0] + b;"), 6, "",
     "known when compiling"},
    {"a pointer to something else", "limiters", LIMITER("int *p = &a; return b + (real)*p;"), 6, "",
     "write the conversion out"},
    {"an implicit conversion from void *", "limiters",
     LIMITER("void *v = &a; real *p = v; return b + *p;"), 6, "", "write the conversion out"},
};

enum { EVERY = 3 }; /* this many are compiled where patterns and g++ alone would suffice */

static const char *const copied[] = {"kernels", NULL};

static int begin(void **state)
{
    (void)state;
    student_begin(copied);
    return 0;
}

static struct recipe recipe_with(const char *kind, const char *name)
{
    const int flux = strcmp(kind, "fluxes") == 0, other = strcmp(kind, "reconstructions") == 0;
    return (struct recipe){.kernel = find_kernel("flux_fgh0"),
                           .block = {32, 8},
                           .mode = FAST_MODE,
                           .limiter = flux || other ? "minmod" : name,
                           .flux = flux ? name : "central_upwind",
                           .reconstruction = other ? name : "kp"};
}

static enum err check(const struct recipe *r)
{
    TRY(language_hints(r));
    return language_check(r, NULL);
}

static void plant(const struct mistake *m)
{
    char name[256];
    snprintf(name, sizeof name, "kernels/%s/mine.h", m->kind);
    scratch_write(student_file(name), "w", m->text);
}

static void expect_in(const struct mistake *m, const char *message, const char *part)
{
    if (!strstr(message, part))
        fail_msg("%s: '%s' is not in: %s", m->what, part, message);
}

static void expect_message(const struct mistake *m, enum err e, const char *message)
{
    char place[256];
    if (e != ERR_KERNEL)
        fail_msg("%s: error %d: %s", m->what, e, e ? message : "none");
    snprintf(place, sizeof place, "\nkernels/%s/mine.h:%d:", m->kind, m->line);
    if (m->line == 1 && strstr(m->said, "no function"))
        snprintf(place, sizeof place, "\nkernels/%s/mine.h:1: error", m->kind);
    expect_in(m, message, place);
    expect_in(m, message, ": error: ");
    expect_in(m, message, m->said);
    expect_in(m, message, m->remedy);
    if (*m->remedy)
        expect_in(m, message, "\nremedy: ");
    if (strlen(message) > MOST_MESSAGE || strstr(message, "-DBW") ||
        strstr(strstr(message, ": error: ") + 1, ": error: "))
        fail_msg("%s: more than one error in: %s", m->what, message);
}

static enum err compile_here(const struct recipe *r)
{
    char version[256], target[8192], path[PATH_LENGTH];
    TRY(cc_version(version, sizeof version));
    TRY(cc_target("native", target, sizeof target));
    return cc_compile(r, "native", version, target, path);
}

static void require_nvrtc(void)
{
    char why[2 * PATH_LENGTH];
    if (!nvrtc_api_open(why, sizeof why)) {
        print_message("skipped: %s\n", why);
        skip();
    }
}

static void compile_all(const struct mistake *list, size_t count, int with_nvrtc)
{
    for (size_t k = 0; k < count; k++) {
        const struct recipe r = recipe_with(list[k].kind, "mine");
        char path[PATH_LENGTH];
        plant(&list[k]);
        const enum err e = with_nvrtc ? nvrtc_compile(&r, "sm_80", path) : compile_here(&r);
        expect_message(&list[k], e, err_message());
    }
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void what_the_two_languages_do_not_share_is_named(void **state)
{
    (void)state;
    compile_all(dialect, COUNT(dialect), 0);
}

static void nvrtc_refuses_what_the_languages_do_not_share(void **state)
{
    (void)state;
    require_nvrtc();
    compile_all(dialect, EVERY, 1);
}

static void the_c_compilers_first_error_is_the_message(void **state)
{
    (void)state;
    compile_all(compiled, COUNT(compiled), 0);
}

static void clangs_first_error_is_the_message(void **state)
{
    (void)state;
    if (system("clang --version >/dev/null 2>&1") != 0) {
        print_message("skipped: there is no clang\n");
        skip();
    }
    setenv("SHOAL_CC", "clang", 1);
    for (size_t k = 0; k < COUNT(compiled); k++) {
        const struct recipe r = recipe_with(compiled[k].kind, "mine");
        plant(&compiled[k]);
        const enum err e = compile_here(&r); /* clang lets C++ words pass */
        if (!strstr(compiled[k].what, "C++") && !strstr(compiled[k].what, "void") &&
            !strstr(compiled[k].what, "only declared"))
            expect_message(&compiled[k], e, err_message());
    }
}

static void nvrtcs_first_error_is_the_message(void **state)
{
    (void)state;
    require_nvrtc();
    compile_all(compiled, COUNT(compiled), 1);
}

static void a_text_that_compiles_passes(void **state)
{
    (void)state;
    static const char *const fine[] = {
        LIMITER("return REAL(0.5) * (a + b); /* 0.5, min(a, b), { */ // sqrt(x) \"{"),
        LIMITER("const real c[2] = {REAL(1.0 / 3), REAL(1e-3)}; return c[a > b] * b;"),
        LIMITER("return a > REAL(0x10) ? a : REAL(2) * (a / 2 + b);"),
        LIMITER("if (a > b) {\n return a;\n }\n for (int k = 0; k < 3; k++) {\n a = a + b;\n }\n"
                "return a;"),
        "#define HALF 0.5\n#if PRECISION == 64\n#define LEAST 1e-300\n#else\n#define LEAST 1e-30f\n"
        "#endif\n" LIMITER("return REAL(HALF) * (a + b) + REAL(LEAST);"),
        "#include \"real.h\"\nstruct pair { real min, sqrt; };\nFN real mine(const real a, real "
        "const b,\n             real theta)\n{\n    struct pair p = {a, b};\n    "
        "p.min = p.min * theta;\n    return p.min * (p.sqrt);\n}\n",
        "#include \"real.h\"\nFN real mine(real a, real b, real theta);\n"
        "FN real not_mine(real a)\n{\n    return a;\n}\n" LIMITER("return not_mine(a) + b;"),
        LIMITER("return a + b;") "FN real other(real a)\n{\n    return mine(a, a, REAL(1));\n}\n",
    };
    for (size_t k = 0; k < COUNT(fine); k++) {
        const struct mistake m = {.kind = "limiters", .text = fine[k]};
        const struct recipe r = recipe_with("limiters", "mine");
        plant(&m);
        if (check(&r))
            fail_msg("%s: %s", fine[k], err_message());
        if (k < EVERY && compile_here(&r))
            fail_msg("%s: %s", fine[k], err_message());
    }
}

static void every_plugin_and_kernel_speaks_the_common_language(void **state)
{
    (void)state;
    static const char *const kinds[] = {"limiters", "fluxes", "reconstructions"};
    const struct plugin *const *lists[] = {limiters, fluxes, reconstructions};
    for (int k = 0; k < 3; k++)
        for (const struct plugin *const *p = lists[k]; *p; p++)
            if (language_hints_plugin(kinds[k], (*p)->name))
                fail_msg("%s", err_message());
    for (const struct kernel *const *table = kernel_tables; *table; table++)
        for (const struct kernel *k = *table; k->name; k++) {
            struct recipe r = recipe_with("limiters", "minmod");
            r.kernel = k;
            if (check(&r))
                fail_msg("%s", err_message());
        }
}

static void a_kernel_may_not_use_the_c_library_either(void **state)
{
    (void)state;
    static const struct kernel kernel = {
        .name = "mine", .stem = "mine", .file = "mine.cu", .defines = ""};
    struct recipe r = recipe_with("limiters", "minmod");
    r.kernel = &kernel;
    scratch_write(student_file("kernels/mine.cu"), "w",
                  "#include \"args.h\"\nNO_TILES;\nKERNEL(mine, struct flux_args)\n{\n"
                  "    double sum = 0.5;\n    a.r.eta[0] = (real)(sqrt(sum));\n}\n");
    assert_int_equal(check(&r), ERR_KERNEL);
    ASSERT_HAS(err_message(), "kernels/mine.cu:6:25: error: 'sqrt'");
    ASSERT_HAS(err_message(), "root(x)");
}

static enum err check_with_path(const struct recipe *r, const char *path)
{
    char before[PATH_LENGTH];
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    setenv("PATH", path, 1);
    const enum err e = language_check(r, NULL);
    setenv("PATH", before, 1);
    return e;
}

static void without_gxx_a_text_is_not_read_as_cxx(void **state)
{
    (void)state;
    static const struct mistake m = {.kind = "limiters",
                                     .text = STATE "{\n    struct pair p = {.a = a, .b = b};\n"
                                                   "    return p.a + p.b * theta;\n}\n"};
    const struct recipe r = recipe_with("limiters", "mine");
    plant(&m);
    assert_int_equal(language_check(&r, NULL), ERR_KERNEL);
    assert_int_equal(check_with_path(&r, "/nowhere"), ERR_OK);
}

/* By a g++ that accepts nothing. */
static void a_text_that_gxx_accepted_is_not_checked_again(void **state)
{
    (void)state;
    const struct mistake good = {"", "limiters", LIMITER("return theta * (a + b);"), 0, "", ""},
                         other = {"", "limiters", LIMITER("return theta * (b + a);"), 0, "", ""};
    const struct recipe r = recipe_with("limiters", "mine");
    char refusing[PATH_LENGTH];
    scratch_folder("bin");
    scratch_write("bin/g++", "w", "#!/bin/sh\nexit 1\n");
    scratch_path(refusing, "bin/g++");
    assert_int_equal(chmod(refusing, 0700), 0);
    scratch_path(refusing, "bin");
    plant(&good);
    assert_int_equal(check_with_path(&r, refusing), ERR_KERNEL);
    assert_int_equal(check_with_path(&r, "/nowhere"), ERR_OK); /* there it was not accepted */
    assert_int_equal(check_with_path(&r, refusing), ERR_KERNEL);
    assert_int_equal(language_check(&r, NULL), ERR_OK);
    assert_int_equal(check_with_path(&r, refusing), ERR_OK);
    plant(&other);
    assert_int_equal(check_with_path(&r, refusing), ERR_KERNEL);
    plant(&good);
    assert_int_equal(check_with_path(&r, refusing), ERR_OK);
}

static void the_program_prints_one_message_and_ends_with_status_2(void **state)
{
    (void)state;
    const struct mistake m = {"", "limiters", LIMITER("return a + ratio * b;"), 0, "", ""};
    char log[PATH_LENGTH] = "";
    plant(&m);
    scratch_write(student_file("kernels/limiters/minmod.h"), "w",
                  "#include \"real.h\"\nFN real minmod(real a, real b, real theta)\n{\n"
                  "    return theta * (a + ratio * b);\n}\n");
    SHOAL("run", "circular-dam", "--nx", "20", "--steps", "2", "--backend", "cpu", "--quiet",
          "--tuned", "off");
    ASSERT_STATUS(2);
    ASSERT_HAS(result.err, "kernels/limiters/minmod.h:4:25: error: ");
    ASSERT_HAS(result.err, "\nremedy: declare ratio");
    assert_null(strstr(result.err, "-DLIMITER"));
    assert_null(strstr(strstr(result.err, "shoal: error: ") + 1, "shoal: "));
    const char *named = strstr(result.err, "compiler's whole output: ");
    assert_non_null(named);
    assert_int_equal(sscanf(named, "compiler's whole output: %4095[^)]", log), 1);
    FILE *f = fopen(log, "r");
    assert_non_null(f);
    fclose(f);
}

int main(void)
{
#define STUDENT(test) cmocka_unit_test_setup_teardown(test, begin, student_end)
    const struct CMUnitTest tests[] = {
        STUDENT(what_the_two_languages_do_not_share_is_named),
        STUDENT(nvrtc_refuses_what_the_languages_do_not_share),
        STUDENT(the_c_compilers_first_error_is_the_message),
        STUDENT(clangs_first_error_is_the_message),
        STUDENT(nvrtcs_first_error_is_the_message),
        STUDENT(a_text_that_compiles_passes),
        cmocka_unit_test(every_plugin_and_kernel_speaks_the_common_language),
        STUDENT(a_kernel_may_not_use_the_c_library_either),
        STUDENT(without_gxx_a_text_is_not_read_as_cxx),
        STUDENT(a_text_that_gxx_accepted_is_not_checked_again),
        STUDENT(the_program_prints_one_message_and_ends_with_status_2),
    };
    return cmocka_run_group_tests_name("mistakes", tests, student_find, NULL);
}
