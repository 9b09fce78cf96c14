/* Compares computed bits with stored ones, and with those of another backend. */
#include <stdio.h>
#include <string.h>

#include "core/device/backend.h"
#include "core/registry/registry.h"
#include "verification/certify/certify.h"

enum standing { SAME_BITS, NOT_STORED, APART, OTHER_START, OTHER_BITS };

/* Another start with the same C library functions means that the case changed. */
static enum standing standing(const struct certifying *c, enum backend_kind b,
                              const struct certified_run *run)
{
    const struct certified_run *stored = certificate_find(&c->stored, run);
    if (!stored)
        return NOT_STORED;
    if (strcmp(stored->initial, run->initial) != 0)
        return strcmp(c->stored.functions, c->computed[b].functions) != 0 ? APART : OTHER_START;
    return strcmp(stored->final, run->final) != 0 ? OTHER_BITS : SAME_BITS;
}

enum { BY_SCHEME, BY_CASE, BY_PRECISION, SORTS };

static const char *name_of(const struct certified_run *run, int which)
{
    return which == BY_SCHEME ? run->scheme
           : which == BY_CASE ? run->flow_case
                              : precision_names[run->precision];
}

enum { LIST = 4096, MOST_NAMES = 12, SHORT_LIST = MOST_NAMES * NAME_LENGTH };

/* Adds a name to a list of words, unless it has it; returns how many were added. */
static int add_name(char list[LIST], const char *name)
{
    const size_t n = strlen(list), length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at++)
        if (at[-1] == ' ' && (at[length] == ' ' || !at[length]))
            return 0;
    snprintf(list + n, LIST - n, " %s", name);
    return 1;
}

/* The cases whose runs give other bits: " bump-shock macdonald-sub", or " all 34 cases". */
static void list_names(const struct certifying *c, enum backend_kind b, int which,
                       char text[SHORT_LIST])
{
    static const char *const words[SORTS] = {"schemes", "cases", "precisions"};
    char list[LIST] = "", every[LIST] = "";
    int some = 0, all = 0;
    for (int k = 0; k < c->computed[b].count; k++) {
        const struct certified_run *run = &c->computed[b].run[k];
        all += add_name(every, name_of(run, which));
        if (standing(c, b, run) >= OTHER_START)
            some += add_name(list, name_of(run, which));
    }
    if (some == all && all > 1)
        snprintf(text, SHORT_LIST, " all %d %s", all, words[which]);
    else if (some > MOST_NAMES)
        snprintf(text, SHORT_LIST, " %d of %d %s", some, all, words[which]);
    else
        snprintf(text, SHORT_LIST, "%s", list);
}

/* The pattern often shows what was changed. */
static enum err say_where(struct certifying *c, enum backend_kind b, int count)
{
    char list[SORTS][SHORT_LIST];
    if (count < 2)
        return ERR_OK;
    for (int which = 0; which < SORTS; which++)
        list_names(c, b, which, list[which]);
    return certify_differs(c, "%d runs on %s give other bits than the stored ones:%s;%s;%s", count,
                           backends[b]->name, list[BY_CASE], list[BY_SCHEME], list[BY_PRECISION]);
}

static enum err say_which(struct certifying *c, enum backend_kind b)
{
    char text[RUN_TEXT];
    for (int k = 0; k < c->computed[b].count; k++) {
        const struct certified_run *run = &c->computed[b].run[k];
        const struct certified_run *stored = certificate_find(&c->stored, run);
        const enum standing how = standing(c, b, run);
        if (how == OTHER_START)
            TRY(certify_differs(c, "%s on %s: starts from %s, stored is %s",
                                certified_text(run, text), backends[b]->name, run->initial,
                                stored->initial));
        else if (how == OTHER_BITS)
            TRY(certify_differs(c, "%s on %s: %s, stored is %s", certified_text(run, text),
                                backends[b]->name, run->final, stored->final));
    }
    return ERR_OK;
}

/* For a new scheme or case: a line for each scheme. */
static enum err say_what_is_missing(struct certifying *c, enum backend_kind b)
{
    for (int s = 0; schemes[s]; s++) {
        int missing = 0;
        for (int k = 0; k < c->computed[b].count; k++) {
            const struct certified_run *run = &c->computed[b].run[k];
            missing +=
                strcmp(run->scheme, schemes[s]->name) == 0 && !certificate_find(&c->stored, run);
        }
        if (missing)
            TRY(certify_differs(c, "%s: %d runs have no stored bits yet", schemes[s]->name,
                                missing));
    }
    return ERR_OK;
}

/* Do scheme and case still exist? */
static int exists(const struct certified_run *run)
{
    return find_scheme(run->scheme) && find_case(run->flow_case);
}

static enum err say_what_is_left(struct certifying *c)
{
    char text[RUN_TEXT];
    for (int k = 0; k < c->stored.count; k++)
        if (!exists(&c->stored.run[k]))
            return certify_differs(c, "%s: bits are stored, but there is no such run any more",
                                   certified_text(&c->stored.run[k], text));
    return ERR_OK;
}

enum err ask_stored(struct certifying *c, enum backend_kind b, struct answer *a)
{
    int count[OTHER_BITS + 1] = {0};
    TRY(certify_cases(c, b));
    for (int k = 0; k < c->computed[b].count; k++)
        count[standing(c, b, &c->computed[b].run[k])]++;
    a->same = count[SAME_BITS];
    a->apart = count[APART];
    a->compared = c->computed[b].count - a->apart;
    TRY(say_where(c, b, count[OTHER_START] + count[OTHER_BITS]));
    TRY(say_which(c, b));
    if (b == CUDA && c->on[CPU]) /* the CPU has reported it */
        return ERR_OK;
    TRY(say_what_is_missing(c, b));
    return *c->schemes || *c->cases ? ERR_OK : say_what_is_left(c);
}

/* For the GPU if there is one; otherwise the CPU's column says why not. */
enum err ask_backends(struct certifying *c, enum backend_kind b, struct answer *a)
{
    char text[RUN_TEXT];
    if (!*c->no_cuda && b == CPU)
        return ERR_OK;
    a->asked = 1;
    snprintf(a->absent, sizeof a->absent, "%s", c->no_cuda);
    if (*c->no_cuda)
        return ERR_OK;
    TRY(certify_cases(c, CPU));
    TRY(certify_cases(c, CUDA));
    for (int k = 0; k < c->computed[CUDA].count; k++) {
        const struct certified_run *cuda = &c->computed[CUDA].run[k];
        const struct certified_run *cpu = certificate_find(&c->computed[CPU], cuda);
        a->compared++;
        if (cpu && strcmp(cpu->final, cuda->final) == 0)
            a->same++;
        else
            TRY(certify_differs(c, "%s: %s on the CPU, %s on the GPU", certified_text(cuda, text),
                                cpu ? cpu->final : "-", cuda->final));
    }
    return ERR_OK;
}

static enum err put_run(struct certifying *c, const struct certified_run *run, struct update *done)
{
    const struct certified_run *old = certificate_find(&c->stored, run);
    char text[RUN_TEXT];
    if (strcmp(run->final, certified_broken) == 0)
        FAIL(CHECK, "%s broke down: nothing is stored", certified_text(run, text));
    if (!old)
        done->added++;
    else if (strcmp(old->initial, run->initial) != 0 || strcmp(old->final, run->final) != 0)
        done->changed++;
    return certificate_put(&c->stored, run);
}

enum err certify_update(struct certifying *c, struct update *done)
{
    char path[PATH_LENGTH];
    int kept = 0;
    *done = (struct update){0};
    TRY(certify_cases(c, CPU));
    TRY(certificate_path(path));
    if (c->stored.count && (*c->schemes || *c->cases) &&
        strcmp(c->stored.functions, c->computed[CPU].functions) != 0)
        FAIL(USAGE, "the stored bits were made with another C library: update all of them, without "
                    "--scheme "
                    "and --case, or do it on a machine like the one that made them");
    for (int k = 0; k < c->stored.count; k++) {
        done->dropped += !exists(&c->stored.run[k]);
        if (exists(&c->stored.run[k]))
            c->stored.run[kept++] = c->stored.run[k];
    }
    c->stored.count = kept;
    for (int k = 0; k < c->computed[CPU].count; k++)
        TRY(put_run(c, &c->computed[CPU].run[k], done));
    strcpy(c->stored.functions, c->computed[CPU].functions);
    return certificate_write(&c->stored, path);
}
