/* What compilers' logs are turned into: one error with its place and remedy, whatever else they contain. */
#include "tests/support/test.h"

#include "core/compile/compiler_message.h"
#include "tests/support/scratch.h"

#define HOME "@/kernels/" /* @ stands for the installation */

static int make_home(void **state)
{
    (void)state;
    scratch_create();
    scratch_folder("kernels");
    scratch_folder("kernels/limiters");
    scratch_folder("kernels/num");
    scratch_write("kernels/tile.h", "w", "");
    scratch_write(
        "kernels/limiters/koren.h", "w",
        "/* Koren's. */\n#include \"real.h\"\n\nFN real koren(real a, real b, real theta)\n"
        "{\n\treturn a * ratio;\n}\n");
    return setenv("SHOAL_HOME", scratch, 1);
}

/* The log with the path of the installation in place of each @; the caller frees it. */
static char *log_of(const char *text)
{
    char *log = malloc(64 * strlen(text) + 1), *to = log;
    assert_non_null(log);
    for (; *text; text++) {
        if (*text == '@')
            to += sprintf(to, "%s", scratch);
        else
            *to++ = *text;
    }
    *to = '\0';
    return log;
}

static struct diagnosis found_in(const char *text)
{
    static struct diagnosis d;
    char *log = log_of(text);
    const int found = diagnosis_find(log, &d);
    free(log);
    if (!found)
        fail_msg("no error is found in: %s", text);
    return d;
}

static void each_compilers_error_is_found_with_place_and_remedy(void **state)
{
    (void)state;
    static const struct {
        const char *log, *file;
        int line, column;
        const char *what, *remedy;
    } examples[] = {
        {"In file included from " HOME "flux.cu:8:\n" HOME
         "limiters/koren.h:6:13: error: 'ratio' undeclared (first use in this function)\n"
         "    6 |  return a * ratio;\n      |             ^~~~~\n" HOME
         "limiters/koren.h:6:13: note: each undeclared identifier is reported only once\n",
         "kernels/limiters/koren.h", 6, 13, "'ratio' undeclared (first use in this function)",
         "declare ratio"},
        {HOME "limiters/koren.h(6): error: identifier \"ratio\" is undefined\n"
              "   return a * ratio;\n              ^\n\n1 error detected in the compilation of x\n",
         "kernels/limiters/koren.h", 6, 13, "identifier \"ratio\" is undefined", "declare ratio"},
        {HOME "limiters/koren.h(6): error #20: identifier \"sqrtx\" is undefined\n",
         "kernels/limiters/koren.h", 6, 0, "identifier \"sqrtx\" is undefined", "declare sqrtx"},
        {HOME "limiters/koren.h:6:13: warning: unused variable 'x' [-Wunused]\n" HOME
              "limiters/koren.h:4:2: error: implicit declaration of function 'fabs' "
              "[-Werror=implicit-function-declaration]\n",
         "kernels/limiters/koren.h", 4, 2, "implicit declaration of function 'fabs'",
         "abs1(x), of kernels/real.h"},
        {HOME "limiters/koren.h:6:9: fatal error: math.h: No such file or directory\n",
         "kernels/limiters/koren.h", 6, 9, "math.h: No such file or directory", "real.h"},
        {HOME "limiters/koren.h(6): catastrophic error: cannot open source file \"math.h\"\n",
         "kernels/limiters/koren.h", 6, 0, "cannot open source file \"math.h\"", "real.h"},
        {"<command-line>: error: too many arguments to function 'koren'\n" HOME
         "num/face.h:24:24: note: in expansion of macro 'LIMITER'\n   24 | LIMITER(a, b, c)\n" HOME
         "limiters/koren.h:4:9: note: declared here\n",
         "kernels/limiters/koren.h", 4, 9, "too many arguments to function 'koren'",
         "FN real NAME(real a, real b, real theta)"},
        {HOME "tile.h:30:5: error: expected ';' before 'for'\n" HOME
              "my.cu:12:3: note: in expansion of macro 'FOR_TILE'\n",
         "kernels/my.cu", 12, 3, "expected ';' before 'for'", "semicolon"},
        {HOME "my.cu:12:3: error: first\n" HOME "limiters/koren.h:4:3: error: second\n",
         "kernels/my.cu", 12, 3, "first", ""},
        {"/else where/a (1): b/x.cu:3:1: error: expected ')' before '}' token\n",
         "/else where/a (1): b/x.cu", 3, 1, "expected ')' before '}' token", "parenthesis"},
        {"/it's \"here\"/x.cu(3): error: expected a \")\"\n", "/it's \"here\"/x.cu", 3, 0,
         "expected a \")\"", "parenthesis"},
    };
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        const struct diagnosis d = found_in(examples[k].log);
        assert_string_equal(d.file, examples[k].file);
        assert_int_equal(d.line, examples[k].line);
        assert_int_equal(d.column, examples[k].column);
        assert_string_equal(d.what, examples[k].what);
        if (!strstr(d.remedy, examples[k].remedy))
            fail_msg("'%s' is not in the remedy '%s'", examples[k].remedy, d.remedy);
    }
}

static void a_message_shows_the_line_and_the_column(void **state)
{
    (void)state;
    char text[1024];
    const struct diagnosis d = {.file = "kernels/limiters/koren.h",
                                .line = 6,
                                .column = 13,
                                .what = "what",
                                .remedy = "do this"};
    diagnosis_text(&d, text, sizeof text);
    assert_string_equal(text, "kernels/limiters/koren.h:6:13: error: what\n"
                              "     6 |  return a * ratio;\n"
                              "       |             ^\n"
                              "remedy: do this");
}

static void a_place_that_is_not_there_leaves_the_line_out(void **state)
{
    (void)state;
    static const struct diagnosis nowhere[] = {
        {.file = "kernels/limiters/koren.h", .line = 99, .column = 4, .what = "w"},
        {.file = "kernels/gone.h", .line = 1, .column = 1, .what = "w"},
        {.file = "kernels", .line = 1, .what = "w"},
        {.what = "w"},
    };
    char text[1024];
    for (size_t k = 0; k < sizeof nowhere / sizeof *nowhere; k++) {
        diagnosis_text(&nowhere[k], text, sizeof text);
        assert_null(strchr(text, '\n'));
        assert_non_null(strstr(text, "error: w"));
    }
}

static void a_line_of_any_length_shows_the_place(void **state)
{
    (void)state;
    char line[3001], text[1024];
    memset(line, 'x', sizeof line - 1);
    memcpy(line + 1500, "HERE", 4);
    line[sizeof line - 1] = '\0';
    scratch_write("kernels/long.h", "w", line);
    const struct diagnosis d = {.file = "kernels/long.h", .line = 1, .column = 1501, .what = "w"};
    diagnosis_text(&d, text, sizeof text);
    assert_true(strlen(text) < 400);
    const char *shown = strstr(text, "xHERE"), *caret = strchr(text, '^');
    assert_non_null(shown);
    assert_non_null(caret);
    const char *line_begins = strstr(text, "\n     1 | "), *below = strstr(text, "\n       | ");
    assert_int_equal(shown + 1 - line_begins, caret - below);
}

/* The text is UTF-8 and moves no cursor. */
static void assert_printable(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    for (; *s; s++) {
        assert_true(*s == '\n' || (*s >= ' ' && *s != 0x7f));
        const int more = *s >= 0xf0 ? 3 : *s >= 0xe0 ? 2 : *s >= 0xc0 ? 1 : 0;
        assert_true(*s < 0x80 || more > 0);
        for (int k = 0; k < more; k++)
            assert_true((*++s & 0xc0) == 0x80);
    }
}

static void bytes_that_are_no_text_do_not_reach_the_terminal(void **state)
{
    (void)state;
    char text[1024];
    scratch_write("kernels/odd.h", "w",
                  "\x1b[2J caf\xe9 \xff na\xc3\xafve \xe2\x82\xac \xc0\x80\n");
    const struct diagnosis d =
        found_in(HOME "odd.h:1:3: error: stray '\\351' \x1b]0;title\x07 \xfe\xc3\xaf in program\n");
    diagnosis_text(&d, text, sizeof text);
    assert_printable(text);
    assert_non_null(strstr(text, "na\xc3\xafve \xe2\x82\xac"));
    assert_non_null(strstr(text, "caf? ?"));
    for (size_t n = 2; n < 200; n++) {
        diagnosis_text(&d, text, n);
        assert_true(strlen(text) < n);
        assert_printable(text);
    }
}

static void an_error_behind_megabytes_of_warnings_is_found(void **state)
{
    (void)state;
    enum { SIZE = 5 << 20 };
    static const char warning[] = "/x/kernels/tile.h:1:1: warning: unused [-Wunused]\n";
    char *log = malloc(SIZE + 200), *to = log;
    struct diagnosis d;
    assert_non_null(log);
    while (to < log + SIZE)
        to = stpcpy(to, warning);
    strcpy(to, "/x/kernels/my.cu:7:5: error: expected ';' before 'x'\n");
    assert_int_equal(diagnosis_find(log, &d), 1);
    assert_string_equal(d.file, "/x/kernels/my.cu");
    assert_int_equal(d.line, 7);
    free(log);
}

static void a_log_without_an_error_is_shown_from_its_end(void **state)
{
    (void)state;
    char keep[PATH_LENGTH];
    scratch_path(keep, "entry.so");
    static char log[100000];
    memset(log, 'y', sizeof log - 1);
    strcpy(log + sizeof log - 40, "\ncollect2: ld returned 1 exit status\n");
    assert_int_equal(diagnosis_of_log("flux 8x8", "cc -c x", log, keep), ERR_KERNEL);
    assert_true(strlen(err_message()) < PATH_LENGTH + 300);
    assert_non_null(strstr(err_message(), "flux 8x8 does not compile"));
    assert_non_null(strstr(err_message(), "\ncollect2: ld returned 1 exit status"));
    assert_non_null(strstr(err_message(), "entry.so.log"));
    assert_int_equal(diagnosis_of_log("flux 8x8", "cc -c x", "", NULL), ERR_KERNEL);
    assert_non_null(strstr(err_message(), "prints nothing"));
}

static void command_and_log_are_kept_where_that_is_possible(void **state)
{
    (void)state;
    char keep[PATH_LENGTH], path[PATH_LENGTH + 8], text[1024];
    scratch_path(keep, "entry.so");
    const char log[] = "/x/my.cu:7:5: error: one\n/x/my.cu:8:5: error: two\n";
    assert_int_equal(diagnosis_of_log("flux 8x8", "cc -DBW=8", log, keep), ERR_KERNEL);
    assert_null(strstr(err_message(), "-DBW=8"));
    assert_null(strstr(err_message(), "two"));
    snprintf(path, sizeof path, "%s.log", keep);
    assert_non_null(strstr(err_message(), path));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    assert_non_null(strstr(text, "cc -DBW=8"));
    assert_non_null(strstr(text, log));
    scratch_path(keep, "no/such/folder/entry.so");
    assert_int_equal(diagnosis_of_log("flux 8x8", "cc -DBW=8", log, keep), ERR_KERNEL);
    assert_null(strstr(err_message(), "entry.so"));
    assert_non_null(strstr(err_message(), "/x/my.cu:7:5: error: one"));
}

static void what_is_no_log_has_no_error(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "\n\n",
                                        "error",
                                        ": error: ",
                                        "(): error:",
                                        "x(12345678901234567890): error: y",
                                        "make: Nothing to be done",
                                        "x.c:1:1: warning: no error: here"};
    struct diagnosis d;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (diagnosis_find(texts[k], &d) && d.line != 0)
            fail_msg("'%s' is read as %s:%d", texts[k], d.file, d.line);
}

int main(void)
{
#define ALONE(test) cmocka_unit_test_setup_teardown(test, make_home, scratch_remove)
    const struct CMUnitTest tests[] = {
        ALONE(each_compilers_error_is_found_with_place_and_remedy),
        ALONE(a_message_shows_the_line_and_the_column),
        ALONE(a_place_that_is_not_there_leaves_the_line_out),
        ALONE(a_line_of_any_length_shows_the_place),
        ALONE(bytes_that_are_no_text_do_not_reach_the_terminal),
        ALONE(an_error_behind_megabytes_of_warnings_is_found),
        ALONE(a_log_without_an_error_is_shown_from_its_end),
        ALONE(command_and_log_are_kept_where_that_is_possible),
        ALONE(what_is_no_log_has_no_error),
    };
    return cmocka_run_group_tests_name("compiler_message", tests, NULL, NULL);
}
