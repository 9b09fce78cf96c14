/* The strategies that search spaces of blocks, on made-up times. */
#include "tests/support/test.h"

#include "core/registry/registry.h"
#include "core/base/sorted.h"
#include "experiments/tuner/search_parts.h"
#include "tests/support/blocks.h"
#include "tests/support/landscape.h"

/* A search carried through to its end. */
struct play {
    struct search_setup setup;
    double (*time)(const void *context, struct block b);
    const void *context;
    int abreast;       /* blocks being timed at once */
    unsigned shuffled; /* answers in random order; 0: as asked */
    int watched;       /* stopped by the watch-dog */
};

enum { MOST_ASKED = 1024 };

struct played {
    struct block asked[MOST_ASKED], best;
    int count;
    double us;
};

static void answer(struct search *s, const struct play *p, struct block b, struct played *r)
{
    const double us = p->time(p->context, b);
    const double limit = p->watched ? search_limit(s, b) : (double)INFINITY;
    const int ended = isfinite(us) && us > limit;
    search_tell(s, b, ended ? limit : us, ended);
    if (us < r->us) {
        r->us = us;
        r->best = b;
    }
}

static void note(struct played *r, struct block b)
{
    for (int k = 0; k < r->count; k++)
        if (same(r->asked[k], b))
            fail_msg("%dx%d was asked for twice", b.w, b.h);
    assert_true(r->count < MOST_ASKED);
    r->asked[r->count++] = b;
}

static struct played play(const struct play *p)
{
    struct search *s;
    struct played r = {.us = (double)INFINITY};
    struct block out[64];
    int count = 0, expected = 0;
    unsigned turn = 0;
    fine(search_create(&s, &p->setup));
    while (!search_done(s)) {
        const int got = search_ask(s, &out[count], p->abreast - count);
        for (int k = 0; k < got; k++)
            note(&r, out[count + k]);
        count += got;
        assert_true(count > 0);
        assert_true(search_expected(s) >= r.count);
        const double chance = landscape_chance(p->shuffled, ++turn, 7);
        const int k = p->shuffled ? (int)(chance * count) : 0;
        answer(s, p, out[k], &r);
        memmove(&out[k], &out[k + 1], (size_t)(--count - k) * sizeof *out);
        expected = search_expected(s);
    }
    assert_int_equal(count, 0);
    assert_int_equal(expected, r.count);
    assert_int_equal(search_ask(s, out, 64), 0);
    search_destroy(s);
    return r;
}

static double fastest(const struct play *p)
{
    struct blocks all;
    double best = (double)INFINITY;
    fine(space_list(p->setup.kernel, p->setup.backend, &all));
    for (int k = 0; k < all.count; k++)
        best = fmin(best, p->time(p->context, all.at[k]));
    blocks_free(&all);
    return best;
}

/* The best block is 48x10, without irregularities. */
static double bowl(const void *context, struct block b)
{
    (void)context;
    const double x = log2(b.w / 48.0), y = log2(b.h / 10.0);
    return b.w * b.h > 1024 ? (double)INFINITY : 100 * exp(0.3 * x * x + 0.2 * y * y);
}

/* The optimum of one side depends on the other. */
static double ridge(const void *context, struct block b)
{
    (void)context;
    const double x = log2(b.w), y = log2(b.h), size = x + y - 8.6, shape = x - y - 3;
    return b.w * b.h > 1024 ? (double)INFINITY
                            : 100 * exp(0.15 * size * size + 0.02 * shape * shape);
}

static double flat(const void *context, struct block b)
{
    (void)context;
    return b.w * b.h > 1024 ? (double)INFINITY : 100;
}

static double only_one(const void *context, struct block b)
{
    return same(b, *(const struct block *)context) ? 100 : (double)INFINITY;
}

static double made_up(const void *context, struct block b)
{
    return landscape_time(context, b);
}

static struct play play_of(enum strategy strategy, double (*time)(const void *, struct block),
                           const void *context)
{
    return (struct play){.setup = {.kernel = find_kernel("flux_fgh0"),
                                   .backend = CUDA,
                                   .strategy = strategy,
                                   .random = 1},
                         .time = time,
                         .context = context,
                         .abreast = 1};
}

static void exhaustive_asks_for_every_block_and_then_for_the_winner_s_surroundings(void **state)
{
    (void)state;
    const struct play p = play_of(SEARCH_EXHAUSTIVE, bowl, NULL);
    struct played r = play(&p);
    struct blocks all;
    fine(space_list(p.setup.kernel, CUDA, &all));
    const struct blocks first = {.at = r.asked, .count = all.count};
    struct block best = all.at[0];
    for (int k = 0; k < all.count; k++) {
        assert_true(has(&first, all.at[k]));
        if (bowl(NULL, all.at[k]) < bowl(NULL, best))
            best = all.at[k];
    }
    assert_in_range(r.count, all.count + 1, all.count + SPACE_AROUND);
    for (int k = all.count; k < r.count; k++) {
        assert_false(has(&all, r.asked[k]));
        assert_in_range(abs(r.asked[k].w - best.w), 0, 4);
        assert_in_range(abs(r.asked[k].h - best.h), 0, 2);
    }
    assert_true(same(r.best, (struct block){48, 10}));
    blocks_free(&all);
}

static void pruned_and_random_ask_for_their_blocks_in_another_order_each_time(void **state)
{
    (void)state;
    static const enum strategy which[] = {SEARCH_PRUNED, SEARCH_RANDOM, SEARCH_EXHAUSTIVE};
    for (int n = 0; n < 3; n++) {
        struct play p = play_of(which[n], bowl, NULL);
        const struct played a = play(&p), again = play(&p);
        p.setup.random = 2;
        const struct played other = play(&p);
        assert_int_equal(a.count, other.count);
        assert_memory_equal(a.asked, again.asked, (size_t)a.count * sizeof *a.asked);
        assert_memory_not_equal(a.asked, other.asked, (size_t)a.count * sizeof *a.asked);
    }
    const struct play p = play_of(SEARCH_PRUNED, bowl, NULL);
    const struct played r = play(&p);
    int kept = 0, default_block = 0, square = 0;
    for (int k = 0; k < r.count; k++) {
        kept += space_keeps(p.setup.kernel, CUDA, r.asked[k]);
        default_block += same(r.asked[k], p.setup.kernel->block[CUDA]);
        square += same(r.asked[k], (struct block){16, 16});
    }
    assert_true(kept >= r.count - 2 && default_block == 1 && square == 1);
}

static void guided_finds_the_best_of_smooth_times_in_few_steps(void **state)
{
    (void)state;
    double (*const times[])(const void *, struct block) = {bowl, ridge};
    for (int n = 0; n < 2; n++) {
        const struct play p = play_of(SEARCH_GUIDED, times[n], NULL);
        const struct played r = play(&p);
        if (r.count > 40 || r.us > 1.01 * fastest(&p))
            fail_msg("%d blocks, %dx%d: %g, and %g can be had", r.count, r.best.w, r.best.h, r.us,
                     fastest(&p));
    }
}

/* 60 devices for each of the 29 kernels that do not march over rows, with times that have steps, cliffs and 4 % of
 * noise. */
static void guided_is_within_5_percent_nearly_always_and_after_few_blocks(void **state)
{
    (void)state;
    enum { DEVICES = 60 };
    double counts[29 * DEVICES] = {0};
    int n = 0, far = 0;
    for (int t = 0; kernel_tables[t]; t++)
        for (const struct kernel *k = kernel_tables[t]; k->name; k++)
            for (unsigned d = 1; k->tuned && !k->threads && d <= DEVICES; d++) {
                const struct landscape l = landscape_of(k, d);
                struct play p = play_of(SEARCH_GUIDED, made_up, &l);
                p.setup.kernel = k;
                p.watched = 1;
                const struct played r = play(&p);
                far += fastest(&p) < 0.95 * r.us;
                counts[n++] = r.count;
            }
    assert_int_equal(n, 29 * DEVICES);
    const double median = sorted_median(counts, (size_t)n);
    if (median > 28 || counts[n * 9 / 10] > 34 || counts[n - 1] > 40 || far > n * 6 / 100)
        fail_msg("blocks: median %g, 90 %% %g, most %g; %d of %d searches end far off", median,
                 counts[n * 9 / 10], counts[n - 1], far, n);
}

static double marched(const void *context, struct block b)
{
    return march_time(context, b);
}

static void guided_is_within_5_percent_for_kernels_that_march_over_rows(void **state)
{
    (void)state;
    for (int backend = 0; backend < BACKENDS; backend++)
        for (unsigned seed = 1; seed <= 30; seed++) {
            const struct march m = {(enum backend_kind)backend, seed, 256 << seed % 6, seed % 5};
            struct play p = play_of(SEARCH_GUIDED, marched, &m);
            p.setup.kernel = find_kernel("fused0");
            p.setup.backend = m.backend;
            p.watched = 1;
            const struct played r = play(&p);
            char why[SPACE_WHY];
            for (int k = 0; k < r.count; k++)
                if (space_breaks(p.setup.kernel, m.backend, r.asked[k], why, sizeof why))
                    fail_msg("%dx%d was asked for: %s", r.asked[k].w, r.asked[k].h, why);
            if (r.count > 40 || r.us > 1.05 * fastest(&p))
                fail_msg("%s, seed %u: %d blocks, %dx%d: %g, and %g can be had",
                         backend == CUDA ? "GPU" : "CPU", seed, r.count, r.best.w, r.best.h, r.us,
                         fastest(&p));
        }
}

static void every_strategy_finds_the_only_block_that_works(void **state)
{
    (void)state;
    const struct block lonely[] = {{60, 16}, {32, 8}, {16, 13}};
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < STRATEGIES; k++) {
            const struct block seed = {64, 4};
            struct play p = play_of((enum strategy)k, only_one, &lonely[n]);
            p.setup.seeds = &seed;
            p.setup.seed_count = 1;
            p.abreast = 5;
            const struct played r = play(&p);
            if (!same(r.best, lonely[n]))
                fail_msg("%s did not find %dx%d", strategy_names[k], lonely[n].w, lonely[n].h);
        }
}

static void every_strategy_ends_where_nothing_works_and_where_all_is_equal(void **state)
{
    (void)state;
    static const struct block nowhere = {1024, 1024};
    for (int k = 0; k < STRATEGIES; k++) {
        const struct play none = play_of((enum strategy)k, only_one, &nowhere);
        const struct play ties = play_of((enum strategy)k, flat, NULL);
        const struct played r = play(&none), tied = play(&ties);
        assert_true(isinf(r.us));
        assert_true(r.count > 20);
        assert_true(tied.count > 0);
        if (k == SEARCH_GUIDED)
            assert_in_range(tied.count, 1, 40);
    }
}

static int by_block(const void *x, const void *y)
{
    const struct block *a = x, *b = y;
    return a->h != b->h ? a->h - b->h : a->w - b->w;
}

static void the_order_of_answers_changes_nothing(void **state)
{
    (void)state;
    const struct landscape l = landscape_of(find_kernel("flux_fgh0"), 5);
    for (int k = 0; k < STRATEGIES; k++) {
        struct play p = play_of((enum strategy)k, made_up, &l);
        struct played one = play(&p);
        qsort(one.asked, (size_t)one.count, sizeof *one.asked, by_block);
        for (unsigned shuffled = 1; shuffled <= 5; shuffled++) {
            p.abreast = 3 * (int)shuffled;
            p.shuffled = shuffled;
            struct played other = play(&p);
            qsort(other.asked, (size_t)other.count, sizeof *other.asked, by_block);
            assert_int_equal(one.count, other.count);
            assert_memory_equal(one.asked, other.asked, (size_t)one.count * sizeof *one.asked);
            assert_true(same(one.best, other.best));
        }
    }
}

static void seeded_begins_with_its_seeds_and_without_any_it_is_guided(void **state)
{
    (void)state;
    const struct block seeds[] = {{44, 9}, {32, 8}, {16, 4}, {4000, 1}};
    struct play p = play_of(SEARCH_SEEDED, bowl, NULL);
    p.setup.seeds = seeds;
    p.setup.seed_count = 4;
    const struct played r = play(&p);
    assert_memory_equal(r.asked, seeds, 3 * sizeof *seeds);
    assert_true(same(r.best, (struct block){48, 10}));
    assert_in_range(r.count, 4, 25);

    p.setup.seed_count = 0;
    const struct play guided = play_of(SEARCH_GUIDED, bowl, NULL);
    const struct played a = play(&p), b = play(&guided);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.asked, b.asked, (size_t)a.count * sizeof *a.asked);
}

static void the_watch_dog_waits_for_the_base_and_not_for_what_cannot_win(void **state)
{
    (void)state;
    struct search *s;
    struct block b[64];
    const struct play p = play_of(SEARCH_GUIDED, bowl, NULL);
    fine(search_create(&s, &p.setup));
    const int count = search_ask(s, b, 64);
    assert_true(count > 8 && same(b[0], p.setup.kernel->block[CUDA]));
    for (int k = 0; k < count; k++)
        assert_true(isinf(search_limit(s, b[k])));
    search_tell(s, b[1], 100, 0);
    assert_true(isinf(search_limit(s, b[0])));
    int limited = 0;
    for (int k = 2; k < count; k++)
        limited += search_limit(s, b[k]) == 200;
    assert_in_range(limited, 2, count - 3);
    for (int k = 0; k < count; k++)
        search_tell(s, b[k], 100 + k, 0);
    assert_true(search_ask(s, b, 64) > 0);
    assert_true(search_limit(s, b[0]) == 150);
    search_destroy(s);

    const struct play all = play_of(SEARCH_EXHAUSTIVE, bowl, NULL);
    fine(search_create(&s, &all.setup));
    assert_int_equal(search_ask(s, b, 3), 3);
    search_tell(s, b[0], 50, 1);
    assert_true(isinf(search_limit(s, b[2])));
    search_tell(s, b[1], 100, 0);
    assert_true(search_limit(s, b[2]) == 300);
    search_destroy(s);
}

static void answers_to_what_was_not_asked_are_ignored_and_strange_ones_are_failures(void **state)
{
    (void)state;
    struct search *s;
    struct block b[2];
    const struct play p = play_of(SEARCH_RANDOM, bowl, NULL);
    fine(search_create(&s, &p.setup));
    assert_int_equal(search_ask(s, b, 2), 2);
    search_tell(s, (struct block){999, 1}, 1, 0);
    search_tell(s, b[0], (double)NAN, 0);
    search_tell(s, b[0], 1, 0);
    assert_true(isinf(search_limit(s, b[1])));
    search_tell(s, b[1], 100, 0);
    assert_int_equal(search_ask(s, b, 1), 1);
    assert_true(search_limit(s, b[0]) == 300);
    search_destroy(s);
    search_destroy(NULL);
}

/* On a CPU there are no threads to count, and widths double. */
static void searches_work_on_a_cpu_s_spaces(void **state)
{
    (void)state;
    for (int k = 0; k < STRATEGIES; k++) {
        const struct landscape l = landscape_of(find_kernel("rk0"), 3);
        struct play p = play_of((enum strategy)k, k % 2 ? bowl : made_up, &l);
        p.setup.kernel = find_kernel("rk0");
        p.setup.backend = CPU;
        const struct played r = play(&p);
        assert_true(fastest(&p) >= 0.9 * r.us);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exhaustive_asks_for_every_block_and_then_for_the_winner_s_surroundings),
        cmocka_unit_test(pruned_and_random_ask_for_their_blocks_in_another_order_each_time),
        cmocka_unit_test(guided_finds_the_best_of_smooth_times_in_few_steps),
        cmocka_unit_test(guided_is_within_5_percent_nearly_always_and_after_few_blocks),
        cmocka_unit_test(guided_is_within_5_percent_for_kernels_that_march_over_rows),
        cmocka_unit_test(every_strategy_finds_the_only_block_that_works),
        cmocka_unit_test(every_strategy_ends_where_nothing_works_and_where_all_is_equal),
        cmocka_unit_test(the_order_of_answers_changes_nothing),
        cmocka_unit_test(seeded_begins_with_its_seeds_and_without_any_it_is_guided),
        cmocka_unit_test(the_watch_dog_waits_for_the_base_and_not_for_what_cannot_win),
        cmocka_unit_test(answers_to_what_was_not_asked_are_ignored_and_strange_ones_are_failures),
        cmocka_unit_test(searches_work_on_a_cpu_s_spaces),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
