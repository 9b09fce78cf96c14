/* What became of what was claimed. */
#include <stdlib.h>
#include <string.h>

#include "plots/data/facts.h"

const char *const claim_verdicts[VERDICTS] = {"holds", "partly", "does not hold", "not measured"};

/* What a claim is judged by. */
struct evidence {
    const struct experiment *experiment;
    const struct facts *facts;
    struct database *database;
    const struct section *section;
};

static enum err text_of(const struct evidence *e, const char *key, const char **text)
{
    *text = experiment_value(e->experiment, e->section, key);
    if (!*text)
        FAIL(INPUT, "%s:%d: [claim] must have '%s = ...'", e->experiment->file.path,
             e->section->line, key);
    return ERR_OK;
}

static enum err fill(const struct evidence *e, const char *key, char *filled, size_t n)
{
    const char *text;
    TRY(text_of(e, key, &text));
    return facts_fill(e->facts, text, filled, n);
}

/* 1: it holds; 0: it does not; -1: not known. */
static enum err ask(const struct evidence *e, const char *expression, int *holds)
{
    struct value v;
    const enum err failed = facts_value(e->facts, e->database, expression, &v);
    if (failed == ERR_USAGE)
        return experiment_fault(e->experiment, expression, "%s", err_message());
    if (!failed && value_is_word(&v))
        return experiment_fault(e->experiment, expression,
                                "'%s' is a word; it must be a comparison", v.text);
    *holds = v.known ? v.number != 0 : -1;
    return failed;
}

static enum err judge(const struct evidence *e, enum verdict *verdict)
{
    const char *holds, *partly = experiment_value(e->experiment, e->section, "partly");
    int whole = -1, part = 0;
    TRY(text_of(e, "holds", &holds));
    TRY(ask(e, holds, &whole));
    if (partly)
        TRY(ask(e, partly, &part));
    if (whole < 0 || (whole == 0 && part < 0))
        *verdict = VERDICT_UNKNOWN;
    else if (whole)
        *verdict = VERDICT_HOLDS;
    else
        *verdict = part ? VERDICT_PARTLY : VERDICT_FAILS;
    return ERR_OK;
}

/* The paper's texts name claims by it. */
static enum err check_id(const struct claims *all, const struct evidence *e, const char *id)
{
    if (id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-")])
        return experiment_fault(e->experiment, id,
                                "'%s' has more than small letters, digits and hyphens", id);
    for (int k = 0; k < all->count; k++)
        if (strcmp(all->claim[k].id, id) == 0)
            return experiment_fault(e->experiment, id, "another claim is called '%s'", id);
    return ERR_OK;
}

static enum err add_claim(struct claims *all, const struct evidence *e)
{
    struct claim *c = &all->claim[all->count];
    TRY(text_of(e, "id", &c->id));
    TRY(check_id(all, e, c->id));
    TRY(text_of(e, "where", &c->where));
    TRY(text_of(e, "claim", &c->text));
    TRY(fill(e, "published", c->published, sizeof c->published));
    TRY(fill(e, "ours", c->ours, sizeof c->ours));
    if (experiment_value(e->experiment, e->section, "finding"))
        TRY(fill(e, "finding", c->finding, sizeof c->finding));
    TRY(judge(e, &c->verdict));
    all->count++;
    return ERR_OK;
}

enum err claims_judge(struct claims *c, const struct experiment *x, const struct facts *f,
                      struct database *d)
{
    struct evidence evidence = {x, f, d, NULL};
    int count = 0;
    enum err e = ERR_OK;
    *c = (struct claims){0};
    while (experiment_section(x, "claim", count))
        count++;
    if (!count)
        return ERR_OK;
    c->claim = calloc((size_t)count, sizeof *c->claim);
    if (!c->claim)
        FAIL(MEMORY, "no memory for %d claims", count);
    for (int k = 0; k < count && !e; k++) {
        evidence.section = experiment_section(x, "claim", k);
        e = add_claim(c, &evidence);
    }
    if (e)
        claims_free(c);
    return e;
}

void claims_free(struct claims *c)
{
    free(c->claim);
    *c = (struct claims){0};
}
