/* A folder as a verification leaves it, and the report on it; include after cmocka.h. */
#ifndef SHOAL_TEST_REPORT_H
#define SHOAL_TEST_REPORT_H

#include "tests/support/html.h"
#include "tests/support/scratch.h"
#include "verification/report/report.h"

#define VARIANT "rk2\tminmod\tcentral_upwind\tkp\tf64\tcpu\t"

static const char results[] =
    "case\tscheme\tlimiter\tflux\treconstruction\tprecision\tbackend\tn\ttime\tnorm\tvalue\tlimit\t"
    "kind\tverdict\t"
    "seconds\twhy\n"
    "stoker\t" VARIANT "3\t6\tL1 h\t0.001234567\t0.002\terror\tok\t0.1\ta < b & \"c\"\n"
    "stoker\t" VARIANT "3\t6\tL1 h\t0.001234567\t0.004\tpublished\tnote\t0.1\tSea Code 9\n"
    "stoker\t" VARIANT "6\t6\tL1 h\t0.5\t0.002\terror\tFAIL\t0.1\tthe first failure\n"
    "stoker\t" VARIANT "6\t6\torder of L1 h from 3\t0.25\t0.8\torder\tFAIL\t0.1\tthe second "
    "failure\n"
    "unheard-of\t" VARIANT "3\t-\tmass error\tnan\tnan\tinvariant\tFAIL\t0.1\tthe third failure\n"
    "-\teuler\tminmod\tcentral_upwind\tkp\tf32\tcpu\t0\t-\tlake & "
    "shore\t1e-07\t1e-06\tinvariant\tok\t0.1\trounding\n";

#define RUN(n) \
    "stoker\t" VARIANT #n "\t1\t1e-5\t1e-12\t0.01\t0.02\t100\t0\t1e-16\t0\t0\tnan\t0.1\tabc\n"

static const char runs[] =
    "case\tscheme\tlimiter\tflux\treconstruction\tprecision\tbackend\tnx\tny\tkappa\tdry\tdt_"
    "min\tdt_max\tsteps\tredone\t"
    "mass_error\tclipped\tleast_depth\tsteady_at\tseconds\tdigest\n" RUN(6) RUN(3);

static const char profile[] = "t\tx\tbed\tw\th\thu\thv\trh\trhu\trhv\n"
                              "6\t1\t0\t5\t5\t0\t0\t5\t0\t0\n"
                              "6\t2\t0\t3\t3\t1\t0\t2.5\t1.1\t0\n"
                              "6\t3\t0\t1\t1\t0\t0\t1\t0\t0\n";

static char path_of_the_tools[4096];

static inline int set_up(void **state)
{
    const char *path = getenv("PATH");
    (void)state;
    snprintf(path_of_the_tools, sizeof path_of_the_tools, "%s", path ? path : "/usr/bin:/bin");
    scratch_create();
    scratch_folder("data");
    scratch_write("results.tsv", "w", results);
    scratch_write("runs.tsv", "w", runs);
    scratch_write("environment.tsv", "w", "key\tvalue\ncpu\ta <fast> one\n");
    for (int n = 3; n <= 6; n += 3) {
        char name[100];
        snprintf(name, sizeof name, "data/stoker.rk2.minmod.f64.cpu.%d.profile.tsv", n);
        scratch_write(name, "w", profile);
        snprintf(name, sizeof name, "data/stoker.rk2.minmod.f64.cpu.%d.series.tsv", n);
        scratch_write(name, "w", n == 3 ? "t\tL1 h\n6\t0.001234567\n" : "t\tL1 h\n6\t0.5\n");
    }
    return 0;
}

static inline int tear_down(void **state)
{
    setenv("PATH", path_of_the_tools, 1);
    return scratch_remove(state);
}

/* The page; to be freed. */
static inline char *page(void)
{
    char path[PATH_LENGTH];
    scratch_path(path, "report.html");
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *text = calloc(1, 1 << 22);
    assert_non_null(text);
    assert_in_range(fread(text, 1, (1 << 22) - 1, f), 1000, (1 << 22) - 2);
    fclose(f);
    return text;
}

static inline char *written(void)
{
    if (report_write(scratch))
        fail_msg("%s", err_message());
    return page();
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
