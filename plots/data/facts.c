/* Facts of an experiment, and texts that they stand in. */
#include "plots/data/facts_query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plots/data/number.h"

enum { FACT_ROOM = VALUE_TEXT + 32, FORMAT_ROOM = 16 };

const struct fact *facts_find(const struct facts *f, const char *name, size_t length)
{
    for (int k = 0; k < f->count; k++)
        if (strlen(f->fact[k].name) == length && memcmp(f->fact[k].name, name, length) == 0)
            return &f->fact[k];
    return NULL;
}

static enum err value_of_name(void *context, const char *name, struct value *v)
{
    struct asked *a = context;
    const struct fact *fact = facts_find(a->facts, name, strlen(name));
    if (!fact)
        FAIL(USAGE, "'%s' is no fact of those above (a word stands in quotes)", name);
    *v = fact->value;
    if (!v->known && !*a->why)
        snprintf(a->why, sizeof a->why, "%s: %.*s", name, WHY_LENGTH - 80, fact->missing);
    return ERR_OK;
}

static enum err value_of_query(void *context, const char *function, const char *inside,
                               struct value *v)
{
    return facts_query(context, function, inside, v);
}

static enum err evaluate(struct asked *a, const char *expression, struct value *v)
{
    const struct expression_scope scope = {a, value_of_name, value_of_query};
    TRY(expression_value(expression, &scope, v));
    if (v->known)
        *a->why = '\0';
    else if (!*a->why)
        snprintf(a->why, sizeof a->why, "a division by zero, or what else has no finite result");
    return ERR_OK;
}

enum err facts_value(const struct facts *f, const struct plot_tables *t, const char *expression,
                     struct value *v)
{
    struct asked a = {.facts = f, .tables = t};
    return evaluate(&a, expression, v);
}

static enum err add_fact(struct facts *f, const struct experiment *x, const struct setting *s,
                         const struct plot_tables *t)
{
    struct fact *fact = &f->fact[f->count];
    struct asked a = {.facts = f, .tables = t};
    if (strlen(s->key) >= sizeof fact->name)
        return experiment_fault(x, s->value, "this name is too long");
    strcpy(fact->name, s->key);
    const enum err e = evaluate(&a, s->value, &fact->value);
    if (e == ERR_USAGE)
        return experiment_fault(x, s->value, "%s", err_message());
    memcpy(fact->missing, a.why, sizeof fact->missing);
    f->count++;
    return e;
}

enum err facts_evaluate(struct facts *f, const struct experiment *x, const struct plot_tables *t)
{
    const struct section *s = experiment_section(x, "facts", 0);
    enum err e = ERR_OK;
    *f = (struct facts){.experiment = x};
    if (!s || s->count == 0)
        return ERR_OK;
    f->fact = calloc((size_t)s->count, sizeof *f->fact);
    if (!f->fact)
        FAIL(MEMORY, "no memory for %d facts", s->count);
    for (int k = 0; k < s->count && !e; k++)
        e = add_fact(f, x, &x->file.setting[s->first + k], t);
    if (e)
        facts_free(f);
    return e;
}

void facts_free(struct facts *f)
{
    free(f->fact);
    *f = (struct facts){0};
}

/* What "{...}" stands for; `inside` is without braces. */
static enum err write_fact(const struct facts *f, const char *inside, size_t length,
                           char text[FACT_ROOM])
{
    char format[FORMAT_ROOM] = ".3g";
    const char *colon = memchr(inside, ':', length);
    const size_t name = colon ? (size_t)(colon - inside) : length;
    const struct fact *fact = facts_find(f, inside, name);
    if (!fact)
        FAIL(INPUT, "{%.*s}: '%.*s' is no fact of [facts]; a brace itself is {{", (int)length,
             inside, (int)name, inside);
    if (colon)
        snprintf(format, sizeof format, "%.*s", (int)(length - name - 1), colon + 1);
    if (!number_format_valid(format))
        FAIL(INPUT,
             "{%.*s}: after the colon stands [+][.DIGITS] and e, f or g, like .2f: a printf "
             "format without its %%",
             (int)length, inside);
    if (!fact->value.known)
        strcpy(text, "not measured");
    else if (value_is_word(&fact->value))
        strcpy(text, fact->value.text);
    else
        number_write(fact->value.number, format, text, FACT_ROOM);
    return ERR_OK;
}

static enum err fill(const struct facts *f, const char *text, char *filled, size_t n)
{
    size_t used = 0;
    while (*text) {
        char part[FACT_ROOM] = {*text, '\0'};
        const size_t length = *text == '{' ? strcspn(text, "}") : 0;
        if (text[0] == '{' && text[1] == '{')
            text++;
        else if (*text == '{' && !text[length])
            FAIL(INPUT, "'%.40s': this brace is not closed; a brace itself is {{", text);
        else if (*text == '{') {
            TRY(write_fact(f, text + 1, length - 1, part));
            text += length;
        }
        text++;
        used += (size_t)snprintf(filled + used, n - used, "%s", part);
        if (used >= n)
            FAIL(INPUT, "the text with its facts is longer than %zu characters", n - 1);
    }
    filled[used] = '\0';
    return ERR_OK;
}

enum err facts_fill(const struct facts *f, const char *text, char *filled, size_t n)
{
    const enum err e = fill(f, text, filled, n);
    return e == ERR_INPUT && f->experiment
               ? experiment_fault(f->experiment, text, "%s", err_message())
               : e;
}
