/* Runs in parts, beside those in one piece. */
#include "tests/support/test.h"

#include <math.h>

#include "core/sim/balance.h"
#include "core/sim/maxima.h"
#include "core/sim/parts.h"
#include "tests/support/parts.h"
#include "tests/support/streams.h"

struct config in_parts(const struct config *c, const char *parts)
{
    char number[16];
    struct config other = *c;
    assert_int_equal(sscanf(parts, "%15s", number), 1);
    if (strcmp(number, "any") != 0)
        fine(shares_read(number, &other.parts));
    if (strstr(parts, " staged"))
        other.exchange = EXCHANGE_HOST;
    const char *in = strstr(parts, " in "), *by = strstr(parts, " by ");
    if (in) {
        assert_int_equal(sscanf(in, " in %dx%d", &other.tile.w, &other.tile.h), 2);
        configure_blocks(&other, (struct block){12, 5}, c->order != 0); /* few kernels */
    }
    other.exchange_timeout = 2;
    const char *every = strstr(parts, " every ");
    if (every)
        assert_int_equal(sscanf(every, " every %d", &other.ghost_steps), 1);
    if (by)
        assert_int_equal(sscanf(by, " by %d", &other.ranks), 1);
    return other;
}

struct scene new_shore(void)
{
    struct scene s = new_rough(NX, NY);
    scene_mixed_edges(&s);
    s.manning = 0.03;
    return s;
}

static void expect_same_maxima(struct sim *a, struct sim *b, const char *parts)
{
    static double want[CELLS], have[CELLS];
    for (int k = 0; maxima_kept(a) && k < MAXIMA; k++) {
        fine(maxima_download(a, (enum maximum)k, NULL, want));
        fine(maxima_download(b, (enum maximum)k, NULL, have));
        if (memcmp(want, have, CELLS * a->real_size) != 0)
            fail_msg("in parts %s: maximum %d differs", parts, k);
    }
}

void expect_same_outcome(const struct config *c, const struct outcome *want,
                         const struct outcome *have, const char *parts)
{
    char what[64];
    snprintf(what, sizeof what, "in parts %s", parts);
    expect_same(c, what, &want->state, &have->state, 1);
    if (memcmp(&want->clock, &have->clock, sizeof want->clock) != 0)
        fail_msg("%s %s: step %lu at %.17g s, %lu redone; not %lu at %.17g s, %lu", described(c),
                 what, have->clock.steps, have->clock.t, have->clock.redone, want->clock.steps,
                 want->clock.t, want->clock.redone);
    if (memcmp(&want->balance, &have->balance, sizeof want->balance) != 0)
        fail_msg("%s %s: volume %.17g, in %.17g, clipped %.17g m3; not %.17g, %.17g, %.17g",
                 described(c), what, have->balance.volume, have->balance.in,
                 have->balance.clipped_in, want->balance.volume, want->balance.in,
                 want->balance.clipped_in);
}

/* Of what is conserved besides water. */
static void expect_same_balances(struct sim *a, struct sim *b, const char *parts)
{
    struct balance want, have;
    for (int k = 1; k < a->system->conserveds; k++) {
        fine(sim_balance_of(a, k, &want));
        fine(sim_balance_of(b, k, &have));
        if (memcmp(&want, &have, sizeof want) != 0)
            fail_msg("in parts %s: of the %s there is %.17g, in %.17g, clipped %.17g; not %.17g, "
                     "%.17g, %.17g",
                     parts, a->system->conserved[k].name, have.volume, have.in, have.clipped_in,
                     want.volume, want.in, want.clipped_in);
    }
}

void expect_same_run(const struct config *c, const struct scene *s, const char *parts)
{
    const struct config other = in_parts(c, parts);
    struct sim *plain = create(c, s), *cut = create(&other, s);
    const int direct = cut->parts && cut->parts->waiting != BY_THE_HOST && !c->order;
    if (direct)
        streams_attach(cut);
    fine(sim_run(plain, (double)INFINITY, NULL));
    fine(sim_run(cut, (double)INFINITY, NULL));
    struct outcome want = outcome_of(c, plain, s), have = outcome_of(&other, cut, s);
    expect_same_outcome(c, &want, &have, parts);
    expect_same_balances(plain, cut, parts);
    expect_same_maxima(plain, cut, parts);
    outcome_free(&want);
    outcome_free(&have);
    sim_destroy(plain);
    sim_destroy(cut);
    if (direct)
        streams_end();
}

struct sim *create_waiting(const struct config *c, const struct scene *s, const char *parts,
                           double patience)
{
    struct config other = in_parts(c, parts);
    other.exchange_timeout = patience;
    other.threads = 1;
    rounds_on_cpus = 1;
    struct sim *sim = create(&other, s);
    rounds_on_cpus = 0;
    assert_int_equal(sim->parts->waiting, IN_KERNELS);
    return sim;
}
