/* Facts and claims over a database with two small tables; include after cmocka.h. */
#ifndef SHOAL_TEST_FACTS_H
#define SHOAL_TEST_FACTS_H

#include "plots/data/facts.h"
#include "tests/support/tables.h"

static struct database *database;
static struct experiment x;
static struct facts facts;
static struct claims claims;

/* Medians of wall_s: ds1 at 0.5: 4, at 0.95: 2; ds2 at 0.5: 3, at 0.95: 1, at 1: 9. */
#define ROWS                   \
    "scheme,r,wall_s,blocks\n" \
    "ds1,0.5,4,16x16\n"        \
    "ds1,0.50,4.5,16x16\n"     \
    "ds1,0.95,2,16x16\n"       \
    "ds2,0.5,3,32x8\n"         \
    "ds2,0.95,1.5,32x8\n"      \
    "ds2,0.95,0.5,32x8\n"      \
    "ds2,0.95,1,32x8\n"        \
    "ds2,1,9,-\n"              \
    "rk2,-,7,-\n"              \
    "euler,0.5,-,-\n"

static inline int set_up(void **state)
{
    install(state);
    database = open_without_devices();
    keep_table(database, "data", ROWS);
    keep_table(database, "other", "scheme,wall_s\nds2,20\nrk2,10\n");
    return 0;
}

static inline int tear_down(void **state)
{
    claims_free(&claims);
    facts_free(&facts);
    experiment_free(&x);
    database_close(database);
    return uninstall(state);
}

#define WITH_TABLES(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

/* The facts that lines of an experiment define; the first is on line 6. */
static inline void evaluate(const char *lines)
{
    char text[4096];
    facts_free(&facts);
    experiment_free(&x);
    snprintf(text, sizeof text, "[facts]\n%s", lines);
    x = experiment_of(text);
    fine(facts_evaluate(&facts, &x, database));
}

#endif
