/* Contracts in tests: what fails is printed; include after cmocka.h. */
#ifndef SHOAL_TEST_CONTRACTS_H
#define SHOAL_TEST_CONTRACTS_H

#include <string.h>

#include "core/base/log.h"
#include "verification/contracts/contract.h"

enum { CHECKS = 64 };

/* How often each check's answer was HOLDS. */
struct contract_tally {
    int asked, failed, checks, holds[CHECKS];
    char check[CHECKS][64];
};

static inline int tally_of(struct contract_tally *t, const char *check)
{
    for (int k = 0; k < t->checks; k++)
        if (strcmp(t->check[k], check) == 0)
            return k;
    assert_true(t->checks < CHECKS);
    strcpy(t->check[t->checks], check);
    return t->checks++;
}

/* Adds a contract's remarks on an entry, and prints those that fail. */
static inline void tally(struct contract_tally *t, const char *name, enum err e,
                         const struct remarks *r)
{
    t->asked++;
    if (e) {
        print_error("%s: %s\n", name, err_message());
        t->failed++;
    }
    for (int k = 0; k < r->count; k++) {
        const struct remark *one = &r->remark[k];
        t->holds[tally_of(t, one->check)] += one->answer == HOLDS;
        if (one->answer != FAILS)
            continue;
        t->failed++;
        print_error("%s: %s: %s\n  %s\n", name, one->check, one->sentence, one->example);
    }
}

/* Fails if anything failed, or if one of the checks held for no entry. */
static inline void assert_kept(struct contract_tally *t, const char *const *checks)
{
    assert_true(t->asked > 0);
    assert_int_equal(t->failed, 0);
    for (; *checks; checks++)
        if (t->holds[tally_of(t, *checks)] == 0)
            fail_msg("nobody was held to '%s'", *checks);
}

/* Applies a contract to those of a list, by the index k, for which a condition holds, or to all. */
#define ASK_ALL_IF(t, list, contract, condition)         \
    do {                                                 \
        static struct remarks said;                      \
        log_quiet(1);                                    \
        for (int k = 0; (list)[k]; k++)                  \
            if (condition) {                             \
                memset(&said, 0, sizeof said);           \
                enum err e = contract((list)[k], &said); \
                tally((t), (list)[k]->name, e, &said);   \
            }                                            \
    } while (0)
#define ASK_ALL(t, list, contract) ASK_ALL_IF(t, list, contract, 1)

#endif
