/* Contracts: what a plug-in, a scheme or a case must keep whatever the flow, asked of one of them and
 * answered in sentences that a student can act on. `shoal judge` prints them, the tests go over the
 * registry with them. */
#ifndef SHOAL_CONTRACT_H
#define SHOAL_CONTRACT_H

#include "core/base/err.h"
#include "core/registry/registry.h"
#include "verification/contracts/compilers.h"

enum answer { HOLDS, FAILS, NOTED, NOT_ASKED };

struct remark {
    char check[64];     /* what was asked: "symmetric", no tabs */
    enum answer answer; /* NOTED: a fact, not judged; NOT_ASKED: not declared, so not held to it */
    char sentence[320]; /* one sentence: what holds, or what is wrong and probably why */
    char example[320];  /* FAILS: the smallest failing input found, and what came of it; else "" */
};

enum { REMARKS = 32 };

struct remarks {
    int first_only; /* set by who wants no more of a scheme than the first check that fails */
    int count;
    struct remark remark[REMARKS];
};

/* Appends a remark; the texts are formatted. */
void remark(struct remarks *r, enum answer answer, const char *check, const char *example,
            const char *sentence, ...) __attribute__((format(printf, 5, 6)));

int remarks_failed(const struct remarks *r);

/* The remark on a check, null if it was not asked; whether it fails. */
const struct remark *remark_on(const struct remarks *r, const char *check);
int remark_fails(const struct remarks *r, const char *check);

/* The compiler's first error of err_message() as a remark: `what` does not compile. */
void remark_compile(struct remarks *r, const char *what);

/* What each compiler found here says of `what`. */
void remark_compilers(struct remarks *r, const char *what, const struct compilations *all);

/* Each asks everything of one entry of the registry, in both precisions where it makes sense, on the
 * CPU; a run's other choices are the defaults. Fails only when it cannot ask (no compiler); text that
 * does not compile is a remark. */
enum err contract_limiter(const struct plugin *limiter, struct remarks *r);
enum err contract_flux(const struct plugin *flux, struct remarks *r);
enum err contract_reconstruction(const struct plugin *reconstruction, struct remarks *r);
enum err contract_scheme(const struct scheme *scheme, struct remarks *r);
enum err contract_case(const struct flow_case *c, struct remarks *r);

#endif
