/* What the gallery writes for the paper, and what the paper does with it. */
#include "tests/support/test.h"

#include "tests/support/gallery.h"

static void the_paper_gets_facts_in_all_forms_and_verdicts(void **state)
{
    static const char *const parts[] = {
        "\\shoalfact{speed/made-up-9/best}{2.5}{2.5}{2}{2.5}{2.50}{2.500}{2.5}{2.5}\n",
        ("\\shoalfact{speed/made-up-9/"
         "small}{0.000833}{0.00083}{0}{0.0}{0.00}{0.001}{0.000833333}{0.000833333333}\n"),
        "\\shoalunknown{speed/made-up-9/none}",
        "\\shoalword{speed/made-up-9/word}{dry \\& wet}\n",
        "\\shoalverdict{speed-much/made-up-9}{holds}\n",
        "\\shoalverdict{speed-more/made-up-9}{does not hold}\n",
        "\\shoaltable{speed/made-up-9}{speed-made-up-9}{At most 2.5 \\& no",
        "\\shoalword{environment/made-up-9/driver}{1.2}\n",
    };
    (void)state;
    without_the_figure();
    plot_all();
    ASSERT_STATUS(0);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        ASSERT_HAS(generated("out/paper/facts.tex"), parts[k]);
    ASSERT_HAS(generated("out/paper/claims.tex"),
               "\\shoalours{made-up-9}{Made Up 9}{2.5}{does not hold}");
    ASSERT_HAS(generated("out/paper/claims.tex"), "\\shoalchapter{Schemes}");
    ASSERT_HAS(generated("out/paper/claims.tex"),
               "\\shoalclaim{other}{speed}{It is fast.}{section 3}");
}

static void the_paper_gets_intervals_and_whose_a_claim_is(void **state)
{
    static const char facts[] =
        "[facts]\nbest = SELECT 2.5, 2, 3, 4\nsmall = SELECT 8, NULL AS low, NULL AS high, 1\n"
        "none = 1\nword = 'x'\n"
        "[claim]\nid = speed-much\nkind = own\nwhere = ours\nclaim = It is fast.\npublished = 2\n"
        "ours = {best:.1f}\ncompares = a with b\nholds = :best > 2.2\n"
        "since = 2014-05-16T08:00Z 8cf2ece4\n"
        "[claim]\nid = speed-more\nkind = note\nwhere = thesis 3\nclaim = It is faster.\n"
        "published = 200\nours = {best:.1f}\n";
    (void)state;
    need_gnuplot();
    write_speed_with(facts);
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out,
               "claims=0 holds=0 partly=0 fails=0 unknown=0 stale=0 undecided=0 younger=0 "
               "notes=1 own=1\n");
    ASSERT_HAS(generated("out/paper/facts.tex"), "\\shoalfact{speed/made-up-9/best.low}{2}");
    ASSERT_HAS(generated("out/paper/facts.tex"), "\\shoalfact{speed/made-up-9/best.high}{3}");
    ASSERT_HAS(generated("out/paper/facts.tex"), "\\shoalfact{speed/made-up-9/best.runs}{4}");
    ASSERT_HAS(generated("out/paper/facts.tex"), "\\shoalunknown{speed/made-up-9/small.low}");
    ASSERT_HAS(generated("out/paper/facts.tex"), "\\shoalverdict{speed-much/made-up-9}{undecided}");
    ASSERT_HAS(generated("out/paper/claims.tex"), "\\shoalclaim{own}{speed}{It is fast.}");
    ASSERT_HAS(generated("out/paper/claims.tex"), "{2.5 (2.0 to 3.0) [4 runs]}{undecided}");
    ASSERT_HAS(generated("out/paper/claims.tex"), "\\shoalclaim{thesis}{speed}{It is faster.}");
    ASSERT_HAS(text_of_page(), "## Our own expectations");
    ASSERT_HAS(text_of_page(), "| undecided, 4 runs (younger rule) | 2.5 (2.0 to 3.0) |");
}

static void the_paper_gets_its_devices(void **state)
{
    (void)state;
    without_the_figure();
    plot_all();
    ASSERT_STATUS(0);
    ASSERT_HAS(generated("out/paper/devices.tex"), "Made Up 9 & ");
    ASSERT_HAS(generated("out/paper/devices.tex"), " & 2 & 0 & 0 \\\\\n");
    ASSERT_HAS(generated("out/paper/facts.tex"), "\\shoalfact{count/made-up-9/verdicts}{2}");
    ASSERT_HAS(generated("out/paper/facts.tex"), "\\shoalword{count/all/devices}{one}");
    ASSERT_HAS(generated("out/paper/facts.tex"), "\\shoalword{count/all/kinds}{kind}");
    ASSERT_HAS(generated("out/paper/facts.tex"), "\\shoalfact{interval/all/percent}{96.9}{97}");
}

static void the_paper_gets_a_description_of_every_experiment(void **state)
{
    static const char *const parts[] = {
        "\\shoalartifact{speed}{Speed of a scheme}{thesis 3.2}{kind = runs; case = sine; scheme = "
        "rk2; nx = "
        "64 128; repeat = 1}{a moment}{1~kB of rows, of all devices; 1~kB when drawn}{%\n",
        "\\shoaljudged{speed-much}{It is fast.}{:best \\textgreater{} 1}{}{2014-05-14T08:00Z}{%\n"
        "\\shoalfound{Made Up 9}{2.5}{holds}%\n}%\n",
        "\\shoalrows{Made Up 9}{2}{speed-made-up-9}{0000000a of 2014-05-15T12:00:00Z (commit "
        "abc)}\n\\shoalsql{SELECT * FROM measured\\_speed ORDER BY nx}{ -{}-device made-up-9}%\n",
        "\\shoalartifact{table}{Speed as a table}{new}{nothing of its own: rows of others}{no time "
        "of its own}{1~kB "
        "when drawn}{%\n}{%\n",
        "\\shoalsource{count}{count}{",
        "\\shoalsource{environment/made-up-9}{Made Up 9}{tuning\\_db/made-up-9/",
    };
    (void)state;
    without_the_figure();
    plot_all();
    ASSERT_STATUS(0);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        ASSERT_HAS(generated("out/paper/artifacts.tex"), parts[k]);
}

/* LaTeX's status for a paper with one sentence. */
static int typeset(const char *sentence, const char *sources)
{
    char text[1024], command[4 * PATH_LENGTH];
    snprintf(text, sizeof text,
             "\\documentclass{article}\\usepackage{shoal}\\begin{document}\n%s\n\\end{document}\n",
             sentence);
    scratch_write("a.tex", "w", text);
    snprintf(command, sizeof command,
             "cd '%s' && TEXINPUTS='%s:out/paper:out:' pdflatex -interaction=nonstopmode "
             "-halt-on-error a.tex >said 2>&1",
             scratch, sources);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_number_or_verdict_that_is_stale_ends_the_build_of_the_paper(void **state)
{
    static const char *const wrong[][2] = {
        {"\\fact{speed/made-up-9/gone}", "speed/made-up-9/gone"},
        {"\\fact{speed/made-up-9/none}", "it is"},
        {"\\withrange{speed/made-up-9/best}", "speed/made-up-9/best.low"},
        {"\\assertverdict{speed-more/made-up-9}{holds}", "does not hold"},
        {"\\assertfact{speed/made-up-9/best}{>}{2.6}", "not > 2.6"},
        {"\\assertfact{speed/made-up-9/best}{<}{speed/made-up-9/small}", "0.000833"},
        {"\\assertfact{speed/made-up-9/word}{=}{wet}", "not = wet"},
        {"\\assertfact{speed/made-up-9/none}{>}{0}", "speed/made-up-9/none"},
        {"\\experimentfigure{speed}{made-up-8}{It.}", "speed/made-up-8"},
    };
    char sources[PATH_LENGTH];
    (void)state;
    if (system("command -v pdflatex kpsewhich >/dev/null && kpsewhich booktabs.sty microtype.sty "
               "utmr8a.pfb >/dev/null") != 0) {
        print_message("skipped: there is no LaTeX\n");
        skip();
    }
    without_the_figure();
    plot_all();
    ASSERT_STATUS(0);
    snprintf(sources, sizeof sources, "%.4000s/paper", installation);
    if (typeset("\\fact[1]{speed/made-up-9/best} \\fact{speed/made-up-9/word}"
                "\\assertverdict{speed-more/made-up-9}{does not hold}"
                "\\assertfact{speed/made-up-9/best}{>}{2.4}"
                "\\assertfact{speed/made-up-9/small}{<}{speed/made-up-9/best}"
                "\\experimenttable{speed}{made-up-9}{}\\claimtable{made-up-9}"
                "\\claimtable[thesis]{made-up-9}\\claimtable[own]{made-up-9}\\devicetable"
                "\\plainfact{count/all/kinds}\\fact{environment/made-up-9/driver}\\artifacts",
                sources) != 0)
        fail_msg("LaTeX failed: %s", generated("said"));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        if (typeset(wrong[k][0], sources) == 0)
            fail_msg("LaTeX accepts %s", wrong[k][0]);
        ASSERT_HAS(generated("said"), "Package shoal Error");
        ASSERT_HAS(generated("said"), wrong[k][1]);
    }
}

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        FRESH(the_paper_gets_facts_in_all_forms_and_verdicts),
        FRESH(the_paper_gets_intervals_and_whose_a_claim_is),
        FRESH(the_paper_gets_its_devices),
        FRESH(the_paper_gets_a_description_of_every_experiment),
        FRESH(a_number_or_verdict_that_is_stale_ends_the_build_of_the_paper),
    };
    const char *found;
    if (program_find() || paths_home(&found)) {
        fputs("there is no build/shoal: run make, or set SHOAL_BIN\n", stderr);
        return 1;
    }
    snprintf(installation, sizeof installation, "%s", found);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
