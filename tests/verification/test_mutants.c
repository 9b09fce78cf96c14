/* The verification verifies: mistakes are planted in a copy of the kernels, and checks must catch them. `make test`
 * plants the first three, every other of those in edges and tracers, and runs a few cases. `make mutants` (SHOAL_TEST_FULL=1) plants all of them, runs all that
 * `shoal verify --quick` runs, and prints a table. */
#include "tests/support/test.h"

#include "tests/support/everything.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/program.h"

enum { EDITS = 6 };

struct mutant {
    const char *mistake, *file;
    struct {
        const char *right, *wrong;
    } edit[EDITS];
};

static const struct mutant mutants[] = {
    {"wrong sign in the source",
     "num/face.h",
     {{"(REAL(-0.5) * g) * ((low.h", "(REAL(0.5) * g) * ((low.h"}}},
    {"limiter on one side of a face only",
     "num/face.h",
     {{"(s.here.rest - s.low) + (s.here.eta - half)",
       "(s.here.rest - s.low) + (s.here.eta - REAL(0.25) * (s.rise_to + s.rise_from))"},
      {"w.low, c.n - n, c.t - t,", "w.low, c.n - REAL(0.25) * (s.after.n - s.before.n),"
                                   " c.t - REAL(0.25) * (s.after.t - s.before.t),"}}},
    {"friction factor dropped in x", "num/update.h", {{"q.hu = q.hu * left;", ""}}},
    {"slopes of h instead of w",
     "num/face.h",
     {{"HALF_LIMITED(s.rise_to, s.rise_from, theta);",
       "HALF_LIMITED(s.rise_to - (s.high - s.low), s.rise_from - (s.high - s.low), theta);"}}},
    {"a wall turns the tangential discharge",
     "ghosts.h",
     {{"turn && p.vertical ? -g.hu", "turn && !p.vertical ? -g.hu"},
      {"turn && !p.vertical ? -g.hv", "turn && p.vertical ? -g.hv"}}},
    {"slopes of first order",
     "num/face.h",
     {{"return HALF_LIMITED(here", "return REAL(0) * HALF_LIMITED(here"},
      {"return HALF_LIMITED(s", "return REAL(0) * HALF_LIMITED(s"}}},
    {"friction of a full step in the second substep",
     "num/update.h",
     {{"SUBSTEP == 0 ? by.dt : REAL(0.5) * by.dt", "SUBSTEP == 0 ? by.dt : by.dt"}}},
    {"friction from the updated state",
     "num/update.h",
     {{"friction_rate(from.eta - floor, from.hu, from.hv, p)",
       "friction_rate(q.eta - floor, q.hu, q.hv, p)"}}},
    {"second substep does nothing",
     "num/update.h",
     {{"REAL(0.5) * (base + euler)", "from"},
      {"REAL(0.5) * mul_add(dt, r, from - base)", "from - base"}}},
    {"first substep of half a step",
     "num/update.h",
     {{"mul_add(dt, r, from);", "mul_add(SUBSTEP == 0 ? REAL(0.5) * dt : dt, r, from);"},
      {"SUBSTEP == 0 ? dt * r :", "SUBSTEP == 0 ? REAL(0.5) * dt * r :"}}},
    {"cell width used for cell height",
     "flux.cu",
     {{"real gw = (t->south.h[j][i] - t->south.h[j + 1][i]) * a.p.inv_dy",
       "real gw = (t->south.h[j][i] - t->south.h[j + 1][i]) * a.p.inv_dx"},
      {"real ghu = (t->south.t[j][i] - t->south.t[j + 1][i]) * a.p.inv_dy",
       "real ghu = (t->south.t[j][i] - t->south.t[j + 1][i]) * a.p.inv_dx"}}},
    {"waves in y left out of the time step",
     "flux.cu",
     {{"TAKE_MAX(fastest, i, faster(l, r, a.p.g) * a.p.inv_dy);", ";"}}},
    {"no correction at wet-dry fronts",
     "reconstructions/kp.h",
     {{"min2(max2(d, -high), low)", "d"}}},
    {"kappa lacks its power",
     "num/depth.h",
     {{"max2(h4, kappa4)", "max2(h4, root(root(kappa4)))"}}},
    {"clipped water not counted",
     "num/update.h",
     {{"*gained = h < REAL(0) ? -h : REAL(0);", "*gained = REAL(0);"}}},
    {"dry cells keep their momentum",
     "num/update.h",
     {{"d.hu = h < p.dry ? REAL(0) : q.hu;", "d.hu = q.hu;"},
      {"d.hv = h < p.dry ? REAL(0) : q.hv;", "d.hv = q.hv;"}}},
    {"a wall keeps the sign of the discharge towards it",
     "ghosts.h",
     {{"turn && p.vertical ? -g.hu", "0 ? -g.hu"}, {"turn && !p.vertical ? -g.hv", "0 ? -g.hv"}}},
    {"a wall mirrors about the first cell",
     "ghosts.h",
     {{"mirrored = p.n > 1 ? ghost - 1 : 0, twice", "mirrored = p.n > 2 ? ghost : 0, twice"}}},
    {"a cell of the ground for its neighbour's",
     "flux.cu",
     {{"centre[a->bed_pitch], a->p);", "centre[0], a->p);"}}},
    {"one wave of the flux from one state",
     "fluxes/central_upwind.h",
     {{"max2(max2(l.un + cl, r.un + cr), zero)", "max2(l.un + cl, zero)"}}},
};

/* Planted in beds with steps at faces, which only audusse sees. */
static const struct mutant of_steps[] = {
    {"a cell's own pressure left in at a face",
     "num/riemann.h",
     {{"c.f.n = mul_add(c.share_r, push, n);",
       "c.f.n = mul_add(c.share_r, push, n) + pressure(l.h, g);"}}},
    {"the surface's slope pulls twice over a bed with steps",
     "num/face.h",
     {{"source_between(ends.low, ends.high, tilt_of(w, careful), REAL(2) * p.g)",
       "source_between(ends.low, ends.high, tilt_of(w, careful), REAL(4) * p.g)"}}},
    {"one side's velocity without its slope over a bed with steps",
     "num/face.h",
     {{"side_under(c.eta + w.to_low, w.low, c.n - n,",
       "side_under(c.eta + w.to_low, w.low, c.n,"}}},
    {"a shore's cell is deeper than its water at a face",
     "num/face_stepped.h",
     {{"min2(max2(d - REAL(0.5) * (s.high - s.low), -h), h)", "d - REAL(0.5) * (s.high - s.low)"}}},
    {"water is seen through a step of the bed",
     "reconstructions/audusse.h",
     {{"max2(l.b, r.b)", "l.b"}}},
};

/* Planted in edges that impose values over time. */
static const struct mutant of_edges[] = {
    {"what comes does not limit the time step",
     "series.cu",
     {{"longest = a->longest[k] < longest ? a->longest[k] : longest;", ""}}},
    {"a rising level does not limit the time step",
     "series.cu",
     {{": level <= reach * reach;", ": 1;"}}},
    {"a discharge that comes does not limit the time step",
     "series.cu",
     {{"? flux <= reach * reach * reach", "? 1"}}},
    {"substeps take a series' values where it bends",
     "series.cu",
     {{"keeps && small <= range ? now + more : mean;",
       "keeps && small <= range ? now + more : now;"}}},
    {"a tried step is not shortened for what comes",
     "series.cu",
     {{"shorten_tried(c, a->ahead, longest);", ";"}}},
};

/* Planted in what the water carries. */
static const struct mutant of_tracer[] = {
    {"c from the side that the water flows to",
     "num/tracer.h",
     {{"return flux > REAL(0) ? before : after;", "return flux > REAL(0) ? after : before;"}}},
    {"the amount that crosses an edge counted twice",
     "flux.cu",
     {{"keep(&rim[WEST][Y0 + j], t->west.h[j][0] *",
       "keep(&rim[WEST][Y0 + j], REAL(2) * t->west.h[j][0] *"}}},
};
enum {
    MUTANTS = sizeof mutants / sizeof *mutants,
    OF_STEPS = sizeof of_steps / sizeof *of_steps,
    OF_EDGES = sizeof of_edges / sizeof *of_edges,
    OF_TRACER = sizeof of_tracer / sizeof *of_tracer,
    FIRST_ONES = 3
};

static void plant(const struct mutant *m)
{
    char copy[PATH_LENGTH];
    scratch_path(copy, "home");
    kernel_copy(copy);
    for (int k = 0; k < EDITS && m->edit[k].right; k++)
        kernel_plant(m->file, m->edit[k].right, m->edit[k].wrong);
}

static void verify_edges(void)
{
    SHOAL("verify", "--quick", "--precision", "f64", "--scheme", "rk2,rk2_fused", "--backend",
          "cpu", "--output", "out", "--case", "hydrograph,tide");
}

static void verify_tracer(void)
{
    SHOAL("verify", "--quick", "--precision", "f64", "--scheme", "rk2", "--backend", "cpu",
          "--output", "out", "--case", "tracer");
}

static void verify(const char *reconstruction)
{
    /* One mistake of each kind, by what it breaks: rest, order, friction, walls, symmetry. */
    static const char *const few = "smooth,macdonald-sub,lake-at-rest,mass,symmetry";
    /* The limits of the other cases were determined with the default reconstruction. */
    static const char *const any = "smooth,vortex,lake-at-rest,mass,symmetry,positivity";
    if (reconstruction)
        SHOAL("verify", "--quick", "--precision", "f64", "--scheme", "rk2", "--backend", "cpu",
              "--output", "out", "--case", any, "--reconstruction", reconstruction);
    else
        SHOAL("verify", "--quick", "--precision", "f64", "--scheme", "rk2", "--backend", "cpu",
              "--output", "out", everything() ? "--mode" : "--case", everything() ? "strict" : few);
}

/* Adds `what` to a list, once. */
static void add(char *list, size_t size, const char *what)
{
    const size_t n = strlen(what);
    for (const char *at = list; (at = strstr(at, what)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ',' || at[n] == '\0'))
            return;
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", what);
}

/* How many lines of results.tsv failed, and which cases and invariants they belong to; also which norms, if only a
 * few cases were run. */
static int caught_by(char *list, size_t size)
{
    enum { CASE, WHAT = 9, VERDICT = 13, COLUMNS };
    static char results[MOST_TEXT];
    int n = 0;
    program_read("out/results.tsv", results);
    *list = '\0';
    for (char *rest = results, *line; (line = strsep(&rest, "\n"));) {
        char *column[COLUMNS] = {0}, what[256];
        for (int k = 0; k < COLUMNS && line; k++)
            column[k] = strsep(&line, "\t");
        if (!column[VERDICT] || strcmp(column[VERDICT], "FAIL") != 0)
            continue;
        n++;
        const int invariant = strcmp(column[CASE], "-") == 0;
        snprintf(what, sizeof what, "%s%s%s", invariant ? "" : column[CASE], invariant ? "" : ": ",
                 column[WHAT]);
        if (everything())
            what[strcspn(what, ":")] = '\0';
        add(list, size, what);
    }
    return n;
}

static int set_up(void **state)
{
    char copy[PATH_LENGTH], path[PATH_LENGTH], search[4 * PATH_LENGTH];
    const char *cache; /* the usual one: unchanged kernels are not compiled again */
    (void)state;
    scratch_create();
    if (program_find() || kernel_home_find() || paths_cache(&cache))
        return -1;
    scratch_folder("home");
    scratch_path(copy, "home");
    kernel_copy(copy);
    scratch_folder("bin");
    scratch_write("bin/gnuplot", "w", "#!/bin/sh\nexit 1\n");
    scratch_path(path, "bin/gnuplot");
    assert_int_equal(chmod(path, 0700), 0);
    scratch_path(path, "bin");
    /* Figures take time and show nothing here: this gnuplot does not work. */
    assert_true(snprintf(search, sizeof search, "%s:%s", path, getenv("PATH")) <
                (int)sizeof search);
    setenv("PATH", search, 1);
    return setenv("SHOAL_CACHE", cache, 1);
}

static void kernels_without_a_mistake_pass(void **state)
{
    (void)state;
    verify(NULL);
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, " failed=0 ");
    if (everything()) { /* mistakes are planted for it, too */
        verify("audusse");
        ASSERT_STATUS(0);
        ASSERT_HAS(result.out, " failed=0 ");
    }
    verify_tracer();
    ASSERT_STATUS(0);
    ASSERT_HAS(result.out, " failed=0 ");
}

/* A compiler's messages have several lines and characters of any kind; no file may suffer from them. */
static void a_kernel_that_does_not_compile_fails_what_needs_it(void **state)
{
    static const struct mutant broken = {"a kernel that does not compile",
                                         "num/update.h",
                                         {{"FN struct state dried(", "FN struct state dried((("}}};
    static char text[MOST_TEXT];
    (void)state;
    plant(&broken);
    verify(NULL);
    ASSERT_STATUS(1);
    ASSERT_HAS(result.out, "compiles");
    ASSERT_HAS(result.out, "update.h");
    program_read("out/results.tsv", text);
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) && *line;) {
        int columns = 0;
        while (strsep(&line, "\t"))
            columns++;
        assert_int_equal(columns, 16);
    }
    program_read("out/junit.xml", text);
    for (const char *c = text; *c; c++)
        assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
}

/* 1: nothing caught it. Mistakes with "edges" are tested on series at edges, those with "tracer" on what the water
 * carries. */
static int is_missed(const struct mutant *m, const char *reconstruction)
{
    static char by[1 << 14];
    plant(m);
    if (reconstruction && strcmp(reconstruction, "edges") == 0)
        verify_edges();
    else if (reconstruction && strcmp(reconstruction, "tracer") == 0)
        verify_tracer();
    else
        verify(reconstruction);
    if (result.status != 0 && result.status != 1)
        fail_msg("%s: status %d: %s", m->mistake, result.status, result.err);
    const int failed = caught_by(by, sizeof by);
    assert_int_equal(failed > 0, result.status == 1);
    printf("| %s | %d | %s |\n", m->mistake, failed, failed ? by : "nothing");
    fflush(stdout);
    return !failed;
}

/* `make test` plants only some; `make mutants` all. */
static void every_mistake_has_a_place(void **state)
{
    (void)state;
    for (int k = 0; k < MUTANTS; k++)
        plant(&mutants[k]);
    for (int k = 0; k < OF_STEPS; k++)
        plant(&of_steps[k]);
}

static void every_mistake_is_caught(void **state)
{
    int missed = 0;
    (void)state;
    for (int k = 0; k < (everything() ? MUTANTS : FIRST_ONES); k++)
        missed += is_missed(&mutants[k], NULL);
    for (int k = 0; k < OF_STEPS && everything(); k++)
        missed += is_missed(&of_steps[k], "audusse");
    for (int k = 0; k < OF_EDGES; k += everything() ? 1 : 2)
        missed += is_missed(&of_edges[k], "edges");
    for (int k = 0; k < OF_TRACER; k += everything() ? 1 : 2)
        missed += is_missed(&of_tracer[k], "tracer");
    if (missed)
        fail_msg("%d mistakes were not caught", missed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_without_a_mistake_pass),
        cmocka_unit_test(a_kernel_that_does_not_compile_fails_what_needs_it),
        cmocka_unit_test(every_mistake_has_a_place),
        cmocka_unit_test(every_mistake_is_caught),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_remove);
}
