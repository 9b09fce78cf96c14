/* Kernels of parts that meet (kernels/meeting.h): a substep sends what it has computed along the part's sides, the
 * kernel that fills ghost cells takes it in, and the one that chooses the time step finds the largest wave speed. No
 * launch is left for that, the bits are those of an undivided run, and mistakes are noticed. */
#include "tests/support/test.h"

#include <math.h>

#include "core/sim/parts.h"
#include "tests/support/kernel_copy.h"
#include "tests/support/parts.h"

/* Edges that impose nothing, which a kernel of another name would fill. */
static struct scene new_pool(enum boundary x, enum boundary y)
{
    struct scene s = new_rough(NX, NY);
    scene_edges(&s, x, y);
    return s;
}

/* A part's exchanges begin shortly before the numbers of rounds begin again at 0. */
static void count_from_the_end(struct sim *part)
{
    static const char *const names[] = {"halo_rounds", "largest_rounds"};
    static const unsigned almost_all = -16u + 1;
    for (int k = 0; k < 2; k++)
        fine(part->backend->upload(part->device, sim_find_array(part, names[k])->memory,
                                   &almost_all, sizeof almost_all));
}

static struct sim *create_meeting(const struct config *c, const struct scene *s, const char *parts,
                                  double patience)
{
    struct sim *sim = create_waiting(c, s, parts, patience);
    for (int k = 0; k < sim->parts->count; k++)
        count_from_the_end(sim->parts->sim[k]);
    return sim;
}

/* Launches for other parts alone. */
static enum err count_others(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    int *others = context;
    (void)args, (void)bytes;
    *others +=
        k->recipe.kernel == find_kernel("halo") || k->recipe.kernel == find_kernel("largest");
    return ERR_OK;
}

/* Some passes, then some from a changed solution: what is on its way must not be taken in. Slower water allows the step
 * that is tried next; a rejected one would exchange again. */
static enum err step(struct sim *sim)
{
    static const double nothing[CELLS];
    TRY(sim_step_many(sim, 5));
    TRY(sim_write(sim, sim->state[0][1], NULL, nothing));
    TRY(sim_write(sim, sim->state[0][2], NULL, nothing));
    TRY(sim_step_many(sim, 4));
    return sim_run(sim, (double)INFINITY, NULL);
}

/* Does a run in parts end as an undivided one? */
static int is_same(const struct config *c, const struct scene *s, const char *parts, int launches,
                   double patience)
{
    char text[256];
    int others = 0;
    struct sim *plain = create(c, s), *cut = create_meeting(c, s, parts, patience);
    cut->parts->sim[1]->hook = (struct launch_hook){count_others, &others};
    fine(step(plain));
    int same = step(cut) == ERR_OK;
    if (same) {
        struct outcome want = outcome_of(c, plain, s), have = outcome_of(c, cut, s);
        same = !differ(&want.state, &have.state, 1, text, sizeof text) &&
               memcmp(&want.clock, &have.clock, sizeof want.clock) == 0;
        outcome_free(&want);
        outcome_free(&have);
    }
    assert_true(launches == (others > 0));
    sim_destroy(plain);
    sim_destroy(cut);
    return same;
}

static void expect_same_bits(const char *scheme, enum precision p, const struct scene *s,
                             const char *parts, int launches)
{
    struct config c;
    configure(&c, scheme, p);
    c.steps = 40;
    c.early_exit = EARLY_EXIT_OFF;
    if (!is_same(&c, s, parts, launches, 60))
        fail_msg("%s in parts %s: other bits than in one piece, or: %s", described(&c), parts,
                 err_message());
}

static void they_give_the_same_bits_without_launches_of_their_own(void **state)
{
    (void)state;
    struct scene walls = new_pool(WALL, WALL), round = new_pool(PERIODIC, PERIODIC);
    expect_same_bits("rk2_fused", F32, &walls, "2", 0);
    expect_same_bits("rk2_fused", F64, &round, "2", 0);
    expect_same_bits("rk2_fused", F32, &round, "2x2", 0);
    expect_same_bits("rk2_fused", F64, &walls, "3x1", 0);
    expect_same_bits("euler", F32, &round, "3", 0);
    expect_same_bits("rk2", F64, &walls, "2x2", 0);
    scene_free(&walls);
    scene_free(&round);
}

/* Cells outside the domain are sent, too, when they are filled; or change behind the step. */
static void schemes_that_read_corners_exchange_in_a_launch_of_its_own(void **state)
{
    (void)state;
    struct scene round = new_pool(PERIODIC, WALL);
    expect_same_bits("hancock", F32, &round, "2", 1);
    expect_same_bits("ds2", F32, &round, "2", 1);
    scene_free(&round);
}

static int is_noticed(double patience)
{
    struct scene s = new_pool(WALL, PERIODIC);
    struct config c;
    configure(&c, "rk2_fused", F32);
    c.steps = 40;
    c.early_exit = EARLY_EXIT_OFF;
    const int same = is_same(&c, &s, "2", 0, patience);
    scene_free(&s);
    return !same;
}

static void planted_mistakes_are_noticed(void **state)
{
    static const struct {
        const char *what, *file, *right, *wrong;
    } mistakes[] = {
        {"a part that goes by its own wave speed", "boards.h",
         "most = of_part > most ? of_part : most;", "most = k == 0 ? of_part : most;"},
        {"rows that are noted as sent, and are not", "fused_rim.h", "k < o.cells; u++",
         "k < 0; u++"},
        {"rows that are sent before they are computed", "fused_rim.h", "q[0] = a->to.eta[k];",
         "q[0] = a->q.eta[k];"},
    };
    (void)state;
    if (is_noticed(60))
        fail_msg("nothing planted: %s", err_message());
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        kernel_copy(scratch);
        kernel_plant(mistakes[k].file, mistakes[k].right, mistakes[k].wrong);
        if (!is_noticed(0.3))
            fail_msg("%s: not noticed", mistakes[k].what);
    }
}

/* The second part leaves out an exchange: the first waits, and ends the run. */
static enum err leave_out(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    struct sim *part = context;
    (void)args, (void)bytes;
    if (k == &part->auxiliary[GHOSTS_KERNEL] && part->now.steps > 0)
        part->meeting = NULL;
    return ERR_OK;
}

static void an_exchange_that_one_part_skips_ends_the_run(void **state)
{
    (void)state;
    struct scene s = new_pool(WALL, WALL);
    struct config c;
    configure(&c, "rk2", F32);
    c.steps = 40;
    c.early_exit = EARLY_EXIT_OFF;
    struct sim *sim = create_meeting(&c, &s, "2", 0.05);
    fine(sim_step_many(sim, 2));
    sim->parts->sim[1]->hook = (struct launch_hook){leave_out, sim->parts->sim[1]};
    assert_int_equal(sim_run(sim, (double)INFINITY, NULL), ERR_MACHINE);
    if (!strstr(err_message(), "has waited for another one for 0.05 s (--exchange-timeout)"))
        fail_msg("%s", err_message());
    sim_destroy(sim);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_give_the_same_bits_without_launches_of_their_own),
        cmocka_unit_test(schemes_that_read_corners_exchange_in_a_launch_of_its_own),
        cmocka_unit_test(an_exchange_that_one_part_skips_ends_the_run),
        ON_COPY(planted_mistakes_are_noticed),
    };
    if (kernel_home_find())
        return 1;
    return cmocka_run_group_tests_name("meeting", tests, kernel_home_keep, NULL);
}
