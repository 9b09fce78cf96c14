/* Contracts: properties that a plug-in, a scheme or a case must have, whatever the flow. They test
 * one entry and answer in sentences that a student can act on. `shoal judge` prints them, the tests
 * apply them to the whole registry. */
#ifndef SHOAL_CONTRACT_H
#define SHOAL_CONTRACT_H

#include "core/base/err.h"
#include "core/registry/registry.h"
#include "verification/contracts/compilers.h"

enum answer { HOLDS, FAILS, NOTED, NOT_ASKED };

struct remark {
    char check[64];     /* the property: "symmetric", no tabs */
    enum answer answer; /* NOTED: a fact, not judged; NOT_ASKED: not declared, so not checked */
    char sentence[320]; /* one sentence: what holds, or what is wrong and the probable cause */
    char example[320];  /* FAILS: the smallest failing input found, and its result; else "" */
};

enum { REMARKS = 32 };

struct remarks {
    int first_only; /* set to stop at the first check of a scheme that fails */
    int count;
    struct remark remark[REMARKS];
};

/* Appends a remark; the texts are formatted. */
void remark(struct remarks *r, enum answer answer, const char *check, const char *example,
            const char *sentence, ...) __attribute__((format(printf, 5, 6)));

int remarks_failed(const struct remarks *r);

/* The remark on a check, null if it was not made; whether it fails. */
const struct remark *remark_on(const struct remarks *r, const char *check);
int remark_fails(const struct remarks *r, const char *check);

/* The compiler's first error of err_message() as a remark: `what` does not compile. */
void remark_compile(struct remarks *r, const char *what);

/* The result of each installed compiler for `what`. */
void remark_compilers(struct remarks *r, const char *what, const struct compilations *all);

/* Each tests one entry of the registry completely, in both precisions where that matters, on the
 * CPU; a run's other choices are the defaults. Fails only if it cannot test (no compiler); code
 * that does not compile is a remark. */
enum err contract_limiter(const struct plugin *limiter, struct remarks *r);
enum err contract_flux(const struct plugin *flux, struct remarks *r);
enum err contract_reconstruction(const struct plugin *reconstruction, struct remarks *r);
enum err contract_scheme(const struct scheme *scheme, struct remarks *r);
enum err contract_case(const struct flow_case *c, struct remarks *r);

#endif
