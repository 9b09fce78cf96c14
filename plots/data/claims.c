/* Judges claims. */
#include <stdlib.h>
#include <string.h>

#include "plots/data/facts.h"
#include "plots/data/rule.h"

const char *const claim_verdicts[VERDICTS] = {"holds",     "partly",       "does not hold",
                                              "undecided", "not measured", "note"};

/* The rule of a claim. */
struct evidence {
    const struct experiment *experiment;
    const struct facts *facts;
    struct database *database;
    const struct section *section;
    const char *began;
};

static const char *optional(const struct evidence *e, const char *key)
{
    return experiment_value(e->experiment, e->section, key);
}

static enum err text_of(const struct evidence *e, const char *key, const char **text)
{
    *text = optional(e, key);
    if (!*text)
        FAIL(INPUT, "%s:%d: [claim] must have '%s = ...'", e->experiment->file.path,
             e->section->line, key);
    return ERR_OK;
}

/* The value of an expression everywhere within the intervals. */
enum truth { FALSE_ALL_OVER, TRUE_ALL_OVER, TRUE_HERE_AND_THERE, NOT_KNOWN };

static enum err ask(const struct evidence *e, const char *expression, enum truth *truth, int *runs)
{
    struct value v;
    const enum err failed = facts_value(e->facts, e->database, expression, &v);
    if (failed == ERR_USAGE)
        return experiment_fault(e->experiment, expression, "%s", err_message());
    if (!failed && value_is_word(&v))
        return experiment_fault(e->experiment, expression,
                                "'%s' is a word; it must be a comparison", v.text);
    if (v.runs && (!*runs || v.runs < *runs))
        *runs = v.runs;
    *truth = !v.known                                            ? NOT_KNOWN
             : v.runs && (v.low < v.number || v.high > v.number) ? TRUE_HERE_AND_THERE
             : v.number != 0                                     ? TRUE_ALL_OVER
                                                                 : FALSE_ALL_OVER;
    return failed;
}

static enum err judge(const struct evidence *e, struct claim *c)
{
    enum truth whole = NOT_KNOWN, part = FALSE_ALL_OVER;
    TRY(text_of(e, "holds", &c->holds));
    c->partly = optional(e, "partly");
    TRY(ask(e, c->holds, &whole, &c->runs));
    if (c->partly)
        TRY(ask(e, c->partly, &part, &c->runs));
    if (whole == NOT_KNOWN || (whole == FALSE_ALL_OVER && part == NOT_KNOWN))
        c->verdict = VERDICT_UNKNOWN;
    else if (whole == TRUE_ALL_OVER)
        c->verdict = VERDICT_HOLDS;
    else if (whole == TRUE_HERE_AND_THERE || part == TRUE_HERE_AND_THERE)
        c->verdict = VERDICT_UNDECIDED;
    else
        c->verdict = part == TRUE_ALL_OVER ? VERDICT_PARTLY : VERDICT_FAILS;
    return ERR_OK;
}

/* The paper refers to claims by id. */
static enum err check_id(const struct claims *all, const struct evidence *e, const char *id)
{
    if (id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-")])
        return experiment_fault(e->experiment, id,
                                "expected lower-case letters, digits and hyphens, got '%s'", id);
    for (int k = 0; k < all->count; k++)
        if (strcmp(all->claim[k].id, id) == 0)
            return experiment_fault(e->experiment, id, "another claim is called '%s'", id);
    return ERR_OK;
}

static enum err read_kind(const struct evidence *e, enum claim_kind *kind)
{
    static const char *const kinds[] = {"published", "own", "note"};
    const char *text = optional(e, "kind");
    int k = 0;
    while (text && k < 3 && strcmp(text, kinds[k]) != 0)
        k++;
    if (k == 3)
        return experiment_fault(e->experiment, text, "expected published, own or note, got '%s'",
                                text);
    *kind = (enum claim_kind)k;
    return ERR_OK;
}

/* A verdict needs a rule with a date and a comparison; a note has none of them. */
static enum err read_rule(const struct evidence *e, struct claim *c)
{
    if (c->kind == CLAIM_NOTE) {
        if (optional(e, "holds"))
            return experiment_fault(e->experiment, optional(e, "holds"),
                                    "a note has no rule: delete 'holds', or 'kind = note'");
        c->verdict = facts_unknown_in(c->ours) ? VERDICT_UNKNOWN : VERDICT_NOTE;
        return ERR_OK;
    }
    rule_since(e->experiment, e->section, c->since, c->fault, sizeof c->fault);
    if (!*c->fault && !*c->compares)
        snprintf(c->fault, sizeof c->fault,
                 "expected 'compares = ...': what is compared with what, and why they are alike");
    TRY(judge(e, c));
    c->younger =
        c->verdict != VERDICT_UNKNOWN && *c->since && *e->began && strcmp(c->since, e->began) > 0;
    return ERR_OK;
}

static enum err add_claim(struct claims *all, const struct evidence *e)
{
    struct claim *c = &all->claim[all->count];
    const char *text;
    TRY(text_of(e, "id", &c->id));
    TRY(check_id(all, e, c->id));
    TRY(read_kind(e, &c->kind));
    TRY(text_of(e, "where", &c->where));
    TRY(text_of(e, "claim", &c->text));
    TRY(text_of(e, "published", &text));
    TRY(facts_fill(e->facts, text, c->published, sizeof c->published));
    TRY(text_of(e, "ours", &text));
    TRY(facts_fill_ranges(e->facts, text, c->ours, sizeof c->ours));
    text = optional(e, "remark");
    TRY(facts_fill(e->facts, text ? text : "", c->remark, sizeof c->remark));
    if (facts_unknown_in(c->remark))
        *c->remark = '\0';
    c->compares = optional(e, "compares") ? optional(e, "compares") : "";
    c->chosen = optional(e, "chosen") ? optional(e, "chosen") : "";
    TRY(read_rule(e, c));
    all->count++;
    return ERR_OK;
}

enum err claims_judge(struct claims *c, const struct experiment *x, const struct facts *f,
                      struct database *d, const char *began)
{
    struct evidence evidence = {x, f, d, NULL, began};
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
