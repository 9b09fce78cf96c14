/* `shoal run --live`: samples of the state, how they are drawn, and how a terminal is treated. */
#include "tests/support/test.h"

#include "core/problem/initial_state.h"
#include "core/run/live_view.h"
#include "core/picture/terminal_picture.h"
#include "tests/support/need_gpu.h"
#include "tests/support/near.h"
#include "tests/support/program.h"
#include "tests/support/simulate.h"
#include "tests/support/terminal.h"

static void terminals_are_told_apart_by_their_variables(void **state)
{
    static const struct {
        const char *term, *colorterm, *no_color, *locale;
        enum screen_kind kind;
    } all[] = {
        {"xterm-256color", "truecolor", NULL, "de_DE.UTF-8", SCREEN_TRUE},
        {"xterm", "24bit", "", "C.utf8", SCREEN_TRUE},
        {"xterm-256color", NULL, NULL, "en_US.UTF-8", SCREEN_256},
        {"screen", "", NULL, "en_US.utf8", SCREEN_256},
        {"xterm-256color", "truecolor", NULL, "C", SCREEN_LETTERS},
        {"xterm-256color", "truecolor", NULL, NULL, SCREEN_LETTERS},
        {"xterm", "truecolor", "1", "C.UTF-8", SCREEN_LETTERS},
        {"dumb", "truecolor", NULL, "C.UTF-8", SCREEN_NONE},
        {"", "truecolor", NULL, "C.UTF-8", SCREEN_NONE},
        {NULL, "truecolor", NULL, "C.UTF-8", SCREEN_NONE},
    };
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        assert_int_equal(
            screen_kind_of(all[k].term, all[k].colorterm, all[k].no_color, all[k].locale),
            all[k].kind);
}

static void a_picture_fits_the_terminal_and_keeps_the_shape(void **state)
{
    /* metres, characters, and the pixels that fit: two in a character, one above the other */
    static const struct {
        double x, y;
        int columns, rows, width, height;
    } all[] = {{40, 40, 100, 30, 60, 60}, {75, 30, 100, 40, 100, 40}, {1, 100, 80, 24, 1, 48},
               {1000, 1, 80, 24, 80, 2},  {1, 1, 1, 1, 1, 2},         {2, 1, 900, 900, 0, 0}};
    int w, h;
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        live_fit(all[k].x, all[k].y, all[k].columns, all[k].rows, &w, &h);
        assert_true(w >= 1 && w <= all[k].columns && h >= 2 && h <= 2 * all[k].rows);
        assert_true(h % 2 == 0 && (long)w * h <= SAMPLES);
        if (all[k].width)
            assert_true(w == all[k].width && h == all[k].height);
    }
}

enum { WIDE = 6, HIGH = 4, ALL = WIDE * HIGH };

/* Land that rises to the east from 0 to 5 m, and water up to a level. */
struct flooded {
    struct live_picture p;
    float number[5][ALL];
};

static void flood(struct flooded *v, float level)
{
    struct live_picture *p = &v->p;
    p->width = WIDE;
    p->height = HIGH;
    p->metres_x = p->metres_y = 10;
    p->bed = v->number[0];
    p->level = v->number[1];
    p->land = v->number[2];
    p->light = v->number[3];
    p->work = v->number[4];
    for (int k = 0; k < ALL; k++) {
        p->bed[k] = (float)(k % WIDE);
        p->level[k] = level > p->bed[k] ? level : p->bed[k];
    }
    live_light(p);
}

static void water_is_coloured_by_its_depth_and_land_is_land(void **state)
{
    static struct flooded v;
    char letter[WIDE + 1] = "";
    struct colour c[WIDE];
    (void)state;
    flood(&v, 3.9f);
    ASSERT_NEAR(v.p.high, 4, 0);
    for (int i = 0; i < WIDE; i++)
        c[i] = live_colour(&v.p, i, 1, &letter[i]);
    assert_string_equal(letter, "@*=:  "); /* 3.9, 2.9, 1.9 and 0.9 m of 4; bright slopes */
    for (int i = 0; i < 3; i++)
        assert_true(colour_lightness(c[i]) < colour_lightness(c[i + 1]));
    assert_true(c[0].b > c[0].r && c[5].r > c[5].b);
    flood(&v, 2.1f); /* not so much darker that the colours would change their meaning */
    ASSERT_NEAR(v.p.high, 4, 0);
    flood(&v, 1.4f);
    ASSERT_NEAR(v.p.high, 1.5, 0);
    flood(&v, -1); /* all dry */
    live_colour(&v.p, 0, 0, &letter[0]);
    assert_int_equal(letter[0], ' ');
}

/* The cells that are sampled, for 17 x 9 cells and 5 x 4 samples. */
static void check_samples(const struct config *c, const struct scene *s)
{
    enum { W = 5, H = 4 };
    double room[2 * W * H];
    float level[W * H], bed[W * H];
    struct sim *sim = create(c, s);
    assert_int_equal(sim_step_many(sim, 3), ERR_OK);
    if (sim_sample(sim, W, H, room, level, bed))
        fail_msg("%s: %s", described(c), err_message());
    void *stored = calloc((size_t)s->nx * (size_t)s->ny, sizeof(double));
    assert_non_null(stored);
    assert_int_equal(sim_read(sim, sim_unknown(sim, 0), NULL, stored), ERR_OK);
    for (int n = 0; n < W * H; n++) {
        const int i = (2 * (n % W) + 1) * s->nx / (2 * W), j = (2 * (n / W) + 1) * s->ny / (2 * H);
        const int x = sim->turned ? j : i, y = sim->turned ? i : j;
        const size_t k = scene_cell(s, i, j);
        const double eta =
            c->precision == F64 ? ((const double *)stored)[k] : (double)((const float *)stored)[k];
        ASSERT_NEAR((double)level[n], (double)(float)(initial_rest(sim->initial, x, y) + eta), 0);
        ASSERT_NEAR((double)bed[n], (double)(float)initial_centre(sim->initial, x, y), 0);
    }
    free(stored);
    sim_destroy(sim);
}

static void samples_are_the_numbers_of_their_cells(void **state)
{
    struct scene s = new_rough(17, 9);
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct config c;
        configure(&c, k < 2 ? "rk2" : "ds1", k % 2 ? F64 : F32);
        c.live = 1;
        c.sweep = k == 3 ? SWEEP_YX : SWEEP_XY;
        check_samples(&c, &s);
    }
    scene_free(&s);
}

static void so_they_are_on_a_gpu(void **state)
{
    (void)state;
    need_gpu("samples on a GPU");
    struct scene s = new_rough(17, 9);
    for (int p = 0; p < PRECISIONS; p++) {
        struct config c;
        configure(&c, "rk2_fused", (enum precision)p);
        snprintf(c.backend, sizeof c.backend, "cuda");
        c.live = 1;
        check_samples(&c, &s);
    }
    scene_free(&s);
}

static struct sim *watched;
static int looks;

static int look(const struct sim *s)
{
    static double room[2 * 64];
    static float level[64], bed[64];
    assert_ptr_equal(s, watched);
    assert_int_equal(sim_sample(watched, 8, 8, room, level, bed), ERR_OK);
    looks++;
    return 0;
}

static void looking_changes_no_bit_of_the_result(void **state)
{
    struct config c;
    struct scene s = new_rough(64, 48);
    (void)state;
    configure(&c, "rk2", F32);
    c.steps = 400;
    struct outcome blind = simulated(&c, &s);
    c.live = 1;
    watched = create(&c, &s);
    assert_int_equal(sim_run(watched, (double)INFINITY, look), ERR_OK);
    struct outcome seen = outcome_of(&c, watched, &s);
    assert_true(looks > 0);
    assert_int_equal(seen.clock.steps, blind.clock.steps);
    expect_same(&c, "looked at", &blind.state, &seen.state, 1);
    sim_destroy(watched);
    outcome_free(&blind);
    outcome_free(&seen);
    scene_free(&s);
}

static void assert_given_back(void)
{
    assert_int_equal(count(TAKEN), 1);
    assert_int_equal(count(GIVEN), 1);
    assert_true(strstr(sent, GIVEN) > strstr(sent, TAKEN));
    assert_int_equal(count("\033[?25h"), 1); /* the cursor */
}

static void the_terminal_shows_the_water_and_is_given_back(void **state)
{
    const char *const words[] = {"run", "three-humps", "--live", "--nx",      "75", "--t-end",
                                 "60",  "--backend",   "cpu",    "--threads", "1",  NULL};
    (void)state;
    run_in_terminal(60, 20, words, 0);
    ASSERT_STATUS(0);
    assert_given_back();
    ASSERT_HAS(sent, "\033[48;2;");
    ASSERT_HAS(sent, "\xe2\x96\x80");
    ASSERT_HAS(sent, "of 60 s  step ");
    ASSERT_HAS(sent, "depth 0 ");
    ASSERT_HAS(strstr(sent, GIVEN), "\xe2\x96\x80");  /* the last picture stays */
    ASSERT_HAS(strstr(sent, GIVEN), "shoal: volume"); /* after it */
    assert_int_equal(strncmp(result.out, "run: case=three-humps", 21), 0);
    assert_null(strchr(result.out, '\033'));
    for (const char *s = sent; (s = strstr(s, "\033[")); s++) { /* the cursor stays inside */
        char *end;
        const long row = strtol(s + 2, &end, 10);
        const long column = *end == ';' ? strtol(end + 1, &end, 10) : 0;
        if (*end == 'H')
            assert_true(row <= 20 && column <= 60);
    }
}

/* The colours of the picture that stays, row by row. */
static void last_picture(char text[MOST_TEXT])
{
    const char *last = strstr(sent, GIVEN);
    assert_non_null(last);
    const char *end = strstr(last, "shoal: ");
    assert_non_null(end);
    const char *from = strstr(last, "\033[38;2;");
    assert_true(from && from < end);
    snprintf(text, MOST_TEXT, "%.*s", (int)(end - from), from);
}

/* Also of processes, which the first draws for. */
static void parts_show_the_picture_of_the_whole(void **state)
{
    static const char *const ways[][2] = {
        {"--parts", "1"}, {"--parts", "3"}, {"--parts", "2x2"}, {"--ranks", "3"}};
    static char whole[MOST_TEXT], parts[MOST_TEXT];
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const char *const words[] = {
            "run", "three-humps", "--live", "--nx",      "75", "--mode",   "strict",   "--t-end",
            "20",  "--backend",   "cpu",    "--threads", "1",  ways[k][0], ways[k][1], NULL};
        run_in_terminal(60, 20, words, 0);
        ASSERT_STATUS(0);
        assert_given_back();
        last_picture(k ? parts : whole);
        if (k)
            assert_string_equal(parts, whole);
    }
}

/* Without colours an outline is a letter that nothing else has. */
static void a_sparse_domain_shows_outlines_of_its_tiles(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        const char *const words[] = {
            "run",    "circular-dam-100", "--live", "--nx",      "120", "--steps",
            "20",     "--backend",        "cpu",    "--threads", "1",   sparse ? "--domain" : NULL,
            "sparse", "--tile",           "20",     NULL};
        assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
        run_in_terminal(80, 40, words, 0);
        unsetenv("NO_COLOR");
        ASSERT_STATUS(0);
        const char *last = strstr(sent, GIVEN);
        assert_non_null(last);
        if (!sparse) {
            assert_null(strchr(last, '#'));
            continue;
        }
        ASSERT_HAS(last, "of 36 tiles are stored");
        ASSERT_HAS(last, "##########"); /* the side of a tile */
    }
}

static void a_signal_gives_the_terminal_back(void **state)
{
    const char *const words[] = {"run",       "three-humps", "--live",    "--nx", "75",
                                 "--backend", "cpu",         "--threads", "1",    NULL};
    (void)state;
    run_in_terminal(60, 20, words, SIGINT);
    ASSERT_STATUS(5);
    assert_given_back();
    ASSERT_HAS(strstr(sent, GIVEN), "shoal: error: stopped by a signal");
}

static void without_a_terminal_the_run_goes_on_and_says_so(void **state)
{
    (void)state;
    SHOAL("run", "circular-dam", "--live", "--nx", "40", "--backend", "cpu", "--threads", "1");
    ASSERT_STATUS(0);
    ASSERT_HAS(result.err, "--live: stderr is not a terminal; the run continues without pictures");
    assert_null(strchr(result.err, '\033'));
    SHOAL("run", "circular-dam", "--live", "--nx", "40", "--quiet", "--backend", "cpu");
    ASSERT_STATUS(0);
    assert_string_equal(result.err, "");
}

static int build(void **state)
{
    (void)state;
    scratch_create();
    setenv("TERM", "xterm-256color", 1);
    setenv("COLORTERM", "truecolor", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("NO_COLOR");
    return program_find();
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, build, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terminals_are_told_apart_by_their_variables),
        cmocka_unit_test(a_picture_fits_the_terminal_and_keeps_the_shape),
        cmocka_unit_test(water_is_coloured_by_its_depth_and_land_is_land),
        cmocka_unit_test(samples_are_the_numbers_of_their_cells),
        cmocka_unit_test(so_they_are_on_a_gpu),
        cmocka_unit_test(looking_changes_no_bit_of_the_result),
        IN_SCRATCH(the_terminal_shows_the_water_and_is_given_back),
        IN_SCRATCH(parts_show_the_picture_of_the_whole),
        IN_SCRATCH(a_sparse_domain_shows_outlines_of_its_tiles),
        IN_SCRATCH(a_signal_gives_the_terminal_back),
        IN_SCRATCH(without_a_terminal_the_run_goes_on_and_says_so),
    };
    return cmocka_run_group_tests_name("live_view", tests, NULL, NULL);
}
