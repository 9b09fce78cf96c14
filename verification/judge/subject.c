/* Finds the subject of the judgement by kind and name. */
#include <string.h>

#include "core/registry/catalog.h"
#include "verification/judge/judge.h"

const char *const subject_words[SUBJECT_KINDS + 1] = {"limiter", "flux", "reconstruction",
                                                      "scheme",  "case", NULL};

static const enum listed lists[SUBJECT_KINDS] = {LIST_LIMITERS, LIST_FLUXES, LIST_RECONSTRUCTIONS,
                                                 LIST_SCHEMES, LIST_CASES};

static const struct plugin *const *const plugins[SUBJECT_KINDS] = {limiters, fluxes,
                                                                   reconstructions, NULL, NULL};

enum err subject_find(struct subject *s, enum subject_kind kind, const char *name)
{
    struct catalog known;
    *s = (struct subject){.kind = kind, .name = name};
    catalog_fill(&known, lists[kind]);
    if (!catalog_has(&known, name))
        return catalog_unknown(&known, subject_words[kind], name, NULL);
    if (plugins[kind]) {
        s->plugin = find_plugin(plugins[kind], name);
        s->title = s->plugin->title;
        s->cite = s->plugin->cite;
    } else if (kind == SUBJECT_SCHEME) {
        s->scheme = find_scheme(name);
        s->title = s->scheme->title;
        s->cite = s->scheme->cite;
    } else {
        s->flow_case = find_case(name);
        s->title = s->flow_case->title;
        s->cite = s->flow_case->cite;
    }
    return ERR_OK;
}

/* Kernels that the compiler of these runs rejects need no other compiler. */
static enum err ask_compilers(const struct subject *s, struct remarks *r)
{
    static struct compilations all;
    if (remark_fails(r, "compiles"))
        return ERR_OK;
    TRY(compile_plugin_everywhere(catalog_kinds[lists[s->kind]], s->name, &all));
    remark_compilers(r, s->name, &all);
    return ERR_OK;
}

enum err subject_contract(const struct subject *s, struct remarks *r)
{
    switch (s->kind) {
    case SUBJECT_LIMITER:
        TRY(contract_limiter(s->plugin, r));
        return ask_compilers(s, r);
    case SUBJECT_FLUX:
        TRY(contract_flux(s->plugin, r));
        return ask_compilers(s, r);
    case SUBJECT_RECONSTRUCTION:
        TRY(contract_reconstruction(s->plugin, r));
        return ask_compilers(s, r);
    case SUBJECT_SCHEME:
        return contract_scheme(s->scheme, r);
    case SUBJECT_CASE:
    case SUBJECT_KINDS:
        break;
    }
    return contract_case(s->flow_case, r);
}

const char *subject_rivals(const struct subject *s)
{
    return subject_words[s->kind == SUBJECT_CASE ? SUBJECT_SCHEME : s->kind];
}
