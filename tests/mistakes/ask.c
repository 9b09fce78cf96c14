/* Takes the place of core/command/main.c in test_contracts' copy: asks the contracts about KIND NAME pairs, of schemes
 * until something fails, and prints a line per remark: kind, name, answer, check, sentence, example, between tabs. */
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "core/registry/registry.h"
#include "verification/contracts/contract.h"

static const char *const answers[] = {"HOLDS", "FAILS", "NOTED", "NOT_ASKED"};

static enum err ask(const char *kind, const char *name, struct remarks *r)
{
    if (strcmp(kind, "limiter") == 0)
        return contract_limiter(find_plugin(limiters, name), r);
    if (strcmp(kind, "flux") == 0)
        return contract_flux(find_plugin(fluxes, name), r);
    if (strcmp(kind, "reconstruction") == 0)
        return contract_reconstruction(find_plugin(reconstructions, name), r);
    if (strcmp(kind, "scheme") == 0)
        return contract_scheme(find_scheme(name), r);
    return contract_case(find_case(name), r);
}

int main(int argc, char **argv)
{
    static struct remarks r;
    log_quiet(1);
    for (int k = 1; k + 1 < argc; k += 2) {
        memset(&r, 0, sizeof r);
        r.first_only = 1;
        if (ask(argv[k], argv[k + 1], &r)) {
            fprintf(stderr, "%s %s: %s\n", argv[k], argv[k + 1], err_message());
            return 1;
        }
        for (int n = 0; n < r.count; n++)
            printf("%s\t%s\t%s\t%s\t%s\t%s\n", argv[k], argv[k + 1], answers[r.remark[n].answer],
                   r.remark[n].check, r.remark[n].sentence, r.remark[n].example);
        fflush(stdout);
    }
    return 0;
}
