/* The paper's sources: typed numbers are found, and permitted digits are let through. */
#include "tests/support/test.h"

#include <sys/wait.h>

#include "tests/support/scratch.h"

static char said[1 << 14];

/* Runs a command; returns its status. Its output is in `said`. */
static int run(const char *command)
{
    FILE *f = popen(command, "r");
    assert_non_null(f);
    said[fread(said, 1, sizeof said - 1, f)] = '\0';
    const int status = pclose(f);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Runs paper/check on the given files, or on the paper's; returns its status. */
static int check(const char *file)
{
    char script[PATH_LENGTH], command[3 * PATH_LENGTH];
    assert_int_equal(paths_file("paper/check", script), ERR_OK);
    snprintf(command, sizeof command, "'%s' %s%s%s 2>&1", script, file ? scratch : "",
             file ? "/" : "", file ? file : "");
    return run(command);
}

static void assert_refused(const char *text, const char *place)
{
    scratch_write("a.tex", "w", text);
    if (check("a.tex") != 1)
        fail_msg("accepted: %s", text);
    if (!strstr(said, place))
        fail_msg("'%s' is not in '%s'", place, said);
}

static void assert_accepted(const char *text)
{
    scratch_write("a.tex", "w", text);
    if (check("a.tex") != 0)
        fail_msg("refused: %s: %s", text, said);
}

static void a_number_that_is_typed_is_refused_with_its_line(void **state)
{
    static const char *const texts[] = {
        "We gain 12 \\% here.\n",
        "$h = 0.5$\n",
        "A run takes 3\\,s.\n",
        "\\fact{a/b/c}5\n",
        "\\section{The 2nd one}\n",
        "$x^{12}$\n",
        "$x^{1.5}$\n",
        "5rk2\n",
        "rk25\n",
        "\\experimentfigure{a1}{b2}{It is 7.}\n",
        "\\citep5{a}\n",
        "\\emph{\\fact{a1/b/c}, not 4}\n",
        "\\assertfact{a1/b/c}{>}{2}3\n",
        "\\experimentfigure*{a1}{b2}{It is 7.}\n",
        "100\\% % \\published{100}\n",
    };
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char text[512];
        snprintf(text, sizeof text, "\n%% a comment with 1\n%s", texts[k]);
        assert_refused(text, "a.tex:3: ");
    }
}

static void what_spans_lines_does_not_shift_their_numbers(void **state)
{
    (void)state;
    assert_refused("\\published{1\n2\n3} and\n\\cite\n[table 4.1]{amundsen}\n7\n", "a.tex:6: ");
    if (strstr(said, "a.tex:1:") || strstr(said, "a.tex:5:"))
        fail_msg("more than line 6 is refused: %s", said);
}

static void what_may_hold_digits_is_accepted(void **state)
{
    (void)state;
    assert_accepted(
        "\\documentclass[11pt]{article}\n\\usepackage[a4paper]{shoal}\n"
        "% 12 comments\n"
        "\\fact{dt-factor/nvidia-h200/best_dry}, \\fact[s2]{a/b/c1}, \\withrange[1]{a/b1/c}, "
        "\\published{0.95 to 1}, \\verdict{a1/b2}\\assertverdict{a1/h200}{holds}\n"
        "\\assertfact{a1/h200/x}{>}{2.5}\\assertfact{a1/b/c}{=}{a2/b/c}\\claimtable{h200}\n"
        "\\experimentfigure*{a1}{h200}{Speed.}\n"
        "\\cite[section 3.1.2]{amundsen2014}, figure~\\ref{fig:a1/b2}\\label{x1}\n"
        "\\experimentfigure{a1}{h200}{Speed: \\fact[1]{a1/h200/x}.}\n"
        "$O(h^2)$, $Q^{n+1}$, $F_{i-1/2,j}$, rk2, srk2-ds1, float32 and f64,\n"
        "(H200), GTX480, Q1800M, \\texttt{flux\\_fgh0} and \\texttt{rk1\\_ee}, C11.\n");
}

#define COLUMNS \
    "case\tscheme\tlimiter\treconstruction\tprecision\tn\tnorm\tvalue\tlimit\tkind\tverdict\n"

/* What paper/verification writes from these results; returns its status. */
static int verified(const char *results)
{
    char script[PATH_LENGTH], command[3 * PATH_LENGTH];
    assert_int_equal(paths_file("paper/verification", script), ERR_OK);
    scratch_write("results.tsv", "w", results);
    scratch_write("environment.tsv", "w",
                  "key\tvalue\ncommit\tabc\noptions\tshoal verify --quick\n");
    snprintf(command, sizeof command, "'%s' '%s' 2>&1", script, scratch);
    return run(command);
}

static void a_verification_becomes_a_row_for_each_case(void **state)
{
    static const char *const parts[] = {
        "\\shoalword{verify/all/held}{5}",
        "\\shoalword{verify/all/failed}{1}",
        "\\shoalword{verify/all/options}{shoal verify -{}-quick}",
        "a\\_dam & L1 h & 200 & 0.049 & 0.08 & 1.01 & 4 \\\\\n",
        "lake & level & 50 & $1.0\\cdot10^{-9}$ & 0 & - & 0 \\\\\n",
    };
    (void)state;
    assert_int_equal(
        verified(
            COLUMNS
            "a_dam\trk2\tminmod\tkp\tf64\t100\tL1 h\t0.1\t0.2\terror\tok\n"
            "a_dam\trk2\tminmod\tkp\tf64\t200\tL1 h\t0.0494\t0.08\terror\tok\n"
            "a_dam\trk2\tminmod\tkp\tf64\t200\tL1 q\t7\t8\terror\tok\n"
            "a_dam\trk2\tminmod\tkp\tf32\t400\tL1 h\t9\t10\terror\tok\n"
            "a_dam\trk2\tminmod\tkp\tf64\t200\torder of L1 h from 100\t1.012\t0.75\torder\tok\n"
            "lake\trk2\tminmod\tkp\tf64\t50\tlevel\t1e-9\t0\terror\tFAIL\n"),
        0);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (!strstr(said, parts[k]))
            fail_msg("no '%s' in: %s", parts[k], said);
}

static void results_of_another_form_are_refused(void **state)
{
    (void)state;
    assert_int_equal(verified("case\tvalue\nlake\t0\n"), 1);
    assert_non_null(strstr(said, "results.tsv has other columns than expected"));
}

/* What paper/verdicts says of this paper, given these facts; returns its status. */
static int judged(const char *paper)
{
    char script[PATH_LENGTH], command[4 * PATH_LENGTH];
    assert_int_equal(paths_file("paper/verdicts", script), ERR_OK);
    scratch_write("facts.tex", "w",
                  "\\shoalverdict{tuning-gains/h200}{does not hold}{-}\n"
                  "\\shoalfact{a/h200/x}{9.53}{9.5}{10}{9.5}{9.53}{9.530}{9.5}{9.5312}\n"
                  "\\shoalfact{a/h200/y}{100}{100}{100}{100.0}{100}{100}{100}{100}\n"
                  "\\shoalword{a/h200/best}{rk2}\n");
    scratch_write("p.tex", "w", paper);
    snprintf(command, sizeof command, "'%s' '%s/facts.tex' '%s/p.tex' 2>&1", script, scratch,
             scratch);
    return run(command);
}

static void sentences_that_the_database_contradicts_are_named_without_latex(void **state)
{
    static const char *const wrong[] = {
        "\\assertverdict{tuning-gains/h200}{holds}", "\\assertverdict{unknown/h200}{holds}",
        "\\assertfact{a/h200/x}{>}{a/h200/y}",       "\\assertfact{a/h200/x}{<}{9.5}",
        "\\assertfact{a/h200/x}{=}{9.53}",           "\\assertfact{a/h200/best}{=}{ds2}",
        "\\assertfact{a/h200/unknown}{<}{5}",        "\\assertfact{a/h200/x}%\n{<}{2}",
    };
    (void)state;
    assert_int_equal(
        judged("% \\assertverdict{tuning-gains/h200}{holds}\n100 \\%\n"
               "\\assertverdict{tuning-gains/h200}{does not\nhold}\\assertfact{a/h200/x}{<}"
               "{a/h200/y}%\n\\assertfact{a/h200/best}{=}{rk2}\\assertfact{a/h200/y}{=}{100}"),
        0);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char paper[256];
        snprintf(paper, sizeof paper, "a 50 \\%% of\n%% %s\n%s\\assertfact{a/h200/y}{>}{1}\n",
                 "a comment", wrong[k]);
        if (judged(paper) != 1 || !strstr(said, "p.tex:3: \\assert"))
            fail_msg("accepted, or another line: %s: %s", wrong[k], said);
    }
    assert_int_equal(judged("nothing\n"), 2);
}

static void the_paper_has_no_number_typed(void **state)
{
    (void)state;
    if (check(NULL) != 0)
        fail_msg("%s", said);
}

static int set_up(void **state)
{
    (void)state;
    scratch_create();
    return 0;
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, scratch_remove)
    const struct CMUnitTest tests[] = {
        FRESH(a_number_that_is_typed_is_refused_with_its_line),
        FRESH(what_spans_lines_does_not_shift_their_numbers),
        FRESH(what_may_hold_digits_is_accepted),
        FRESH(a_verification_becomes_a_row_for_each_case),
        FRESH(results_of_another_form_are_refused),
        FRESH(sentences_that_the_database_contradicts_are_named_without_latex),
        FRESH(the_paper_has_no_number_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
