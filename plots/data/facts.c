/* Facts of an experiment, and texts that they stand in. */
#include "plots/data/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "plots/data/number.h"

enum { FACT_ROOM = VALUE_TEXT + 32, FORMAT_ROOM = 16 };

static const struct fact *find_fact(const struct facts *f, const char *name, size_t length)
{
    for (int k = 0; k < f->count; k++)
        if (strlen(f->fact[k].name) == length && memcmp(f->fact[k].name, name, length) == 0)
            return &f->fact[k];
    return NULL;
}

int value_is_word(const struct value *v)
{
    return v->known && isnan(v->number);
}

/* The facts there are, and why the first one that was asked for is not known; "" before. */
struct asked {
    const struct facts *facts;
    char why[sizeof((struct fact *)0)->missing];
};

static enum err value_of_name(void *context, const char *name, struct sql_value *v)
{
    struct asked *a = context;
    const struct fact *fact = find_fact(a->facts, name, strlen(name));
    if (!fact)
        FAIL(USAGE, "':%s' is no fact of those above", name);
    if (value_is_word(&fact->value))
        v->text = fact->value.text;
    else if (fact->value.known)
        v->number = fact->value.number;
    else if (!*a->why)
        snprintf(a->why, sizeof a->why, "%s: %.*s", name, (int)sizeof a->why - 80, fact->missing);
    return ERR_OK;
}

/* What stands alone is an expression. */
static int is_query(const char *text)
{
    return strncasecmp(text, "SELECT ", 7) == 0 || strncasecmp(text, "WITH ", 5) == 0;
}

static enum err take_value(const struct rowset *a, struct value *v)
{
    *v = (struct value){.number = (double)NAN};
    if (a->columns != 1 || a->rows > 1)
        FAIL(USAGE, "one value is wanted, and the query has %zu rows of %d columns", a->rows,
             a->columns);
    if (!a->rows)
        return ERR_OK;
    v->number = rowset_number(a, 0, 0);
    v->known = !isnan(v->number) || strcmp(rowset_at(a, 0, 0), "-") != 0;
    if (v->known && isnan(v->number))
        snprintf(v->text, sizeof v->text, "%s", rowset_at(a, 0, 0));
    return ERR_OK;
}

static enum err ask(struct asked *asked, struct database *d, const char *text, struct value *v)
{
    const struct sql_names names = {asked, value_of_name};
    struct rowset a;
    char *query;
    if (asprintf(&query, is_query(text) ? "%s" : "SELECT (%s)", text) < 0)
        FAIL(MEMORY, "no memory for a query");
    enum err e = database_ask(d, query, &names, &a);
    if (!e)
        e = take_value(&a, v);
    rowset_free(&a);
    free(query);
    if (!e && v->known)
        *asked->why = '\0';
    else if (!e && !*asked->why)
        snprintf(asked->why, sizeof asked->why, "no row answers it, or nothing was measured");
    return e;
}

enum err facts_value(const struct facts *f, struct database *d, const char *text, struct value *v)
{
    struct asked a = {.facts = f};
    return ask(&a, d, text, v);
}

static enum err add_fact(struct facts *f, const struct experiment *x, const struct setting *s,
                         struct database *d)
{
    struct fact *fact = &f->fact[f->count];
    struct asked a = {.facts = f};
    if (strlen(s->key) >= sizeof fact->name)
        return experiment_fault(x, s->value, "this name is too long");
    strcpy(fact->name, s->key);
    const enum err e = ask(&a, d, s->value, &fact->value);
    if (e == ERR_USAGE)
        return experiment_fault(x, s->value, "%s", err_message());
    memcpy(fact->missing, a.why, sizeof fact->missing);
    f->count++;
    return e;
}

enum err facts_evaluate(struct facts *f, const struct experiment *x, struct database *d)
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
        e = add_fact(f, x, &x->file.setting[s->first + k], d);
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
    const struct fact *fact = find_fact(f, inside, name);
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
