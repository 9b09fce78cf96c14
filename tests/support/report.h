/* The outcomes of a verification, and the report on it; include after cmocka.h. */
#ifndef SHOAL_TEST_REPORT_H
#define SHOAL_TEST_REPORT_H

#include <math.h>

#include "core/registry/registry.h"
#include "tests/support/html.h"
#include "verification/report/report.h"

enum { MOST_LINES = 16, RUNS = 2 };

static struct line line[MOST_LINES];
static struct verdicts verdicts;
static struct job job[RUNS];
static struct job_outcome outcome[RUNS];
static struct plan plan;
static struct fact facts[FACTS];
static char path_of_the_tools[4096];

static inline struct line *add_line(const char *case_name, const char *scheme, int n,
                                    const char *what, double value, double limit,
                                    enum line_kind kind, enum verdict verdict, const char *why)
{
    struct line *l = &line[verdicts.count++];
    assert_true(verdicts.count <= MOST_LINES);
    *l = (struct line){.case_name = case_name,
                       .variant = {.precision = F64, .backend = CPU, .mode = STRICT},
                       .n = n,
                       .value = value,
                       .limit = limit,
                       .kind = kind,
                       .verdict = verdict};
    snprintf(l->variant.scheme, sizeof l->variant.scheme, "%s", scheme);
    strcpy(l->variant.limiter, "minmod");
    variant_complete(&l->variant);
    snprintf(l->time, sizeof l->time, "%s", kind == LINE_INVARIANT ? "-" : "6");
    snprintf(l->what, sizeof l->what, "%s", what);
    snprintf(l->why, sizeof l->why, "%s", why);
    return l;
}

static inline void add_fact(const char *name, const char *value)
{
    int n = 0;
    while (facts[n].name[0])
        n++;
    snprintf(facts[n].name, sizeof facts[n].name, "%s", name);
    snprintf(facts[n].value, sizeof facts[n].value, "%s", value);
}

/* The output of run_measure for a run of three or six cells. */
static inline void add_run(int k, int n)
{
    static const char profile[] = "t\tx\tbed\tw\th\thu\thv\trh\trhu\trhv\n"
                                  "6\t1\t0\t5\t5\t0\t0\t5\t0\t0\n"
                                  "6\t2\t0\t3\t3\t1\t0\t2.5\t1.1\t0\n"
                                  "6\t3\t0\t1\t1\t0\t0\t1\t0\t0\n";
    char name[100];
    job[k] = (struct job){.kind = JOB_RUN,
                          .run = {find_case("stoker"), line[0].variant, n, (double)NAN}};
    outcome[k] = (struct job_outcome){.state = DONE,
                                      .seconds = 0.1,
                                      .measured = {.value = {{n == 3 ? 0.001234567 : 0.5}, {0.01}},
                                                   .t = {6},
                                                   .snapshots = 1,
                                                   .steady_at = (double)NAN,
                                                   .nx = n,
                                                   .ny = 1,
                                                   .kappa = 1e-5,
                                                   .dry = 1e-12,
                                                   .dt_min = 0.01,
                                                   .dt_max = 0.02,
                                                   .steps = 100,
                                                   .mass_error = 1e-16}};
    snprintf(name, sizeof name, "data/stoker.rk2.minmod.f64.cpu.%d.profile.tsv", n);
    scratch_write(name, "w", profile);
    snprintf(name, sizeof name, "data/stoker.rk2.minmod.f64.cpu.%d.series.tsv", n);
    scratch_write(name, "w", n == 3 ? "t\tL1 h\n6\t0.001234567\n" : "t\tL1 h\n6\t0.5\n");
}

static inline int set_up(void **state)
{
    const char *path = getenv("PATH");
    (void)state;
    snprintf(path_of_the_tools, sizeof path_of_the_tools, "%s", path ? path : "/usr/bin:/bin");
    scratch_create();
    scratch_folder("data");
    memset(facts, 0, sizeof facts);
    verdicts = (struct verdicts){.line = line};
    plan = (struct plan){.count = RUNS, .job = job};
    add_line("stoker", "rk2", 3, "L1 h", 0.001234567, 0.002, LINE_ERROR, VERDICT_OK,
             "a < b & \"c\" | <script>");
    add_line("stoker", "rk2", 3, "L1 h", 0.001234567, 0.004, LINE_PUBLISHED, VERDICT_NOTE,
             "Sea Code 9");
    add_line("stoker", "rk2", 6, "L1 h", 0.5, 0.002, LINE_ERROR, VERDICT_FAIL, "the first failure");
    add_line("stoker", "rk2", 6, "order of L1 h from 3", 0.25, 0.8, LINE_ORDER, VERDICT_FAIL,
             "the second failure");
    add_line("unheard-of", "rk2", 3, "mass error", (double)NAN, (double)NAN, LINE_INVARIANT,
             VERDICT_FAIL, "the third failure");
    add_line("-", "euler", 0, "lake & shore", 1e-7, 1e-6, LINE_INVARIANT, VERDICT_OK, "rounding")
        ->variant.precision = F32;
    add_run(0, 6);
    add_run(1, 3);
    add_fact("cpu", "a <fast> one");
    return 0;
}

static inline int tear_down(void **state)
{
    setenv("PATH", path_of_the_tools, 1);
    return scratch_remove(state);
}

static inline enum err write_to(const char *folder)
{
    const struct reported what = {folder, &plan, outcome, &verdicts, facts};
    FILE *nobody = fopen("/dev/null", "w");
    assert_non_null(nobody);
    const enum err e = report_write(&what, nobody);
    fclose(nobody);
    return e;
}

static inline char *written(void)
{
    if (write_to(scratch))
        fail_msg("%s", err_message());
    return scratch_read("report.md", NULL);
}

static inline void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("the report does not contain: %s", part);
}

static inline void without_gnuplot(void)
{
    char path[PATH_LENGTH];
    scratch_path(path, "data");
    setenv("PATH", path, 1);
}

#endif
