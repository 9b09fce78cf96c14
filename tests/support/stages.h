/* Small stages of a flow, and trials on them; include after cmocka.h. */
#ifndef SHOAL_TEST_STAGES_H
#define SHOAL_TEST_STAGES_H

#include <string.h>

#include "tests/support/test.h"
#include "core/registry/registry.h"
#include "experiments/tuner/stage_parts.h"

enum { NX = 96, NY = 80, STEPS = 6 };

static const struct backend *backend; /* of the test under way */

static inline struct config small(enum mode mode, enum precision p)
{
    struct config c;
    config_case_defaults(&c);
    strcpy(c.input, "circular-dam");
    strcpy(c.backend, backend->name);
    c.nx = NX;
    c.ny = NY;
    c.mode = (int)mode;
    c.precision = (int)p;
    c.threads = 2;
    return c;
}

static inline int stages_of(const struct kernel *const kernels[], enum mode mode, enum precision p,
                            struct stage_setup setups[MOST_STAGES])
{
    const struct config c = small(mode, p);
    const int n = stages_for(kernels, &c, setups);
    if (n < 0)
        fail_msg("%s", err_message());
    for (int k = 0; k < n; k++) {
        assert_true(setups[k].steps > STEPS);
        setups[k].steps = STEPS;
    }
    return n;
}

/* A stage with one kernel on it. */
static inline struct stage *stage_with(const char *kernel, enum mode mode, enum precision p,
                                       struct stage_setup *setup)
{
    static struct stage_setup setups[MOST_STAGES];
    const struct kernel *const one[] = {find_kernel(kernel), NULL};
    struct stage *s = NULL;
    assert_int_equal(stages_of(one, mode, p, setups), 1);
    *setup = setups[0];
    fine(stage_create(&s, setup));
    assert_true(stage_has(s, one[0]));
    return s;
}

static inline void start(const struct stage_setup *setup, const char *kernel, struct block b,
                         struct trial *t)
{
    struct recipe r;
    fine(stage_recipe(setup, find_kernel(kernel), b, &r));
    trial_start(t, &r, 0);
}

static inline void assert_outcome(const struct trial *t, enum db_outcome wanted, const char *part)
{
    char what[256];
    recipe_describe(&t->recipe, what, sizeof what);
    if (t->outcome != wanted)
        fail_msg("%s: %s, not %s: %s", what, db_outcomes[t->outcome], db_outcomes[wanted],
                 t->reason);
    if (!strstr(t->reason, part))
        fail_msg("%s: '%s' is not in '%s'", what, part, t->reason);
    assert_int_equal(t->loaded != 0, wanted == DB_OK);
}

#endif
