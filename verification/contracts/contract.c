/* Shared by contracts: remarks, and errors of compilers. */
#include "verification/contracts/contract.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void remark(struct remarks *r, enum answer answer, const char *check, const char *example,
            const char *sentence, ...)
{
    if (r->count == REMARKS)
        return;
    struct remark *one = &r->remark[r->count++];
    va_list ap;
    *one = (struct remark){.answer = answer};
    snprintf(one->check, sizeof one->check, "%s", check);
    snprintf(one->example, sizeof one->example, "%s", example ? example : "");
    va_start(ap, sentence);
    vsnprintf(one->sentence, sizeof one->sentence, sentence, ap);
    va_end(ap);
}

int remarks_failed(const struct remarks *r)
{
    int failed = 0;
    for (int k = 0; k < r->count; k++)
        failed += r->remark[k].answer == FAILS;
    return failed;
}

const struct remark *remark_on(const struct remarks *r, const char *check)
{
    for (int k = 0; k < r->count; k++)
        if (strcmp(r->remark[k].check, check) == 0)
            return &r->remark[k];
    return NULL;
}

int remark_fails(const struct remarks *r, const char *check)
{
    const struct remark *one = remark_on(r, check);
    return one && one->answer == FAILS;
}

/* The most useful line of a message: the compiler's first error, else the first line. */
static const char *telling_line(const char *message)
{
    const char *at = strstr(message, " error: ");
    if (!at)
        return message;
    while (at > message && at[-1] != '\n')
        at--;
    const char *folder = strstr(at, "/kernels/"), *end = strchr(at, '\n');
    return folder && (!end || folder < end) ? folder + 1 : at;
}

/* The remedy in the message, if any. */
static const char *remedy_in(const char *message)
{
    static const char begins[] = "\nremedy: ";
    const char *at = strstr(message, begins);
    return at ? at + sizeof begins - 1 : "correct the line of the compiler's first error";
}

static void remark_refusal(struct remarks *r, const char *check, const char *what,
                           const char *message)
{
    char text[sizeof r->remark[0].example];
    const char *from = telling_line(message), *remedy = remedy_in(message);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(from, "\n"), from);
    remark(r, FAILS, check, text, "%s: %.*s", what, (int)strcspn(remedy, "\n"), remedy);
}

void remark_compile(struct remarks *r, const char *what)
{
    char text[sizeof r->remark[0].sentence];
    snprintf(text, sizeof text, "%s does not compile", what);
    remark_refusal(r, "compiles", text, err_message());
}

void remark_compilers(struct remarks *r, const char *what, const struct compilations *all)
{
    char took[sizeof r->remark[0].sentence] = "", text[sizeof took];
    for (int k = 0; k < all->count; k++) {
        const struct compilation *one = &all->of[k];
        const size_t used = strlen(took);
        if (one->answer == COMPILES)
            snprintf(took + used, sizeof took - used, "%s%s", used ? ", " : "", one->compiler);
        if (one->answer != REFUSED)
            continue;
        snprintf(text, sizeof text, "%s does not compile with %s", what, one->compiler);
        remark_refusal(r, "compiles everywhere", text, one->message);
    }
    if (compilations_refused(all) == 0)
        remark(r, HOLDS, "compiles everywhere", "", "in both precisions with %s", took);
}
