/* Facts of an experiment, and texts that use them. */
#include "plots/data/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "plots/data/number.h"

const char facts_unknown[] = "not measured";

int facts_unknown_in(const char *filled)
{
    return strstr(filled, facts_unknown) != NULL;
}

enum { FACT_ROOM = 2 * VALUE_TEXT, FORMAT_ROOM = 16 };

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

/* Points of an interval: its ends, the value, and half way between. */
enum { LEVELS = 5, AT_VALUE = 2, MOST_UNCERTAIN = 8, FEW_UNCERTAIN = 3 };

/* The facts, and why the first one that was used is unknown; "" before. Of those that were used and
 * have intervals: which, and the chosen point of each. */
struct asked {
    const struct facts *facts;
    char why[sizeof((struct fact *)0)->missing];
    const struct fact *uncertain[MOST_UNCERTAIN];
    int level[MOST_UNCERTAIN], count;
};

static double at_level(const struct value *v, int level)
{
    const double end = level < AT_VALUE ? v->low : v->high;
    return level == AT_VALUE                   ? v->number
           : level == 0 || level == LEVELS - 1 ? end
                                               : (v->number + end) / 2;
}

static enum err find_uncertain(struct asked *a, const struct fact *fact, int *which)
{
    for (*which = 0; *which < a->count; ++*which)
        if (a->uncertain[*which] == fact)
            return ERR_OK;
    if (a->count == MOST_UNCERTAIN)
        FAIL(USAGE, "more than %d facts with an interval, of which ':%s' is one", MOST_UNCERTAIN,
             fact->name);
    a->level[a->count] = AT_VALUE;
    a->uncertain[a->count++] = fact;
    return ERR_OK;
}

static enum err value_of_name(void *context, const char *name, struct sql_value *v)
{
    struct asked *a = context;
    const struct fact *fact = find_fact(a->facts, name, strlen(name));
    int which;
    if (!fact)
        FAIL(USAGE, "':%s' is not a fact above this one", name);
    if (value_is_word(&fact->value))
        v->text = fact->value.text;
    else if (fact->value.known && fact->value.runs) {
        TRY(find_uncertain(a, fact, &which));
        v->number = at_level(&fact->value, a->level[which]);
    } else if (fact->value.known)
        v->number = fact->value.number;
    else if (!*a->why)
        snprintf(a->why, sizeof a->why, "%s: %.*s", name, (int)sizeof a->why - 80, fact->missing);
    return ERR_OK;
}

/* Without SELECT it is an expression. */
static int is_query(const char *text)
{
    return strncasecmp(text, "SELECT ", 7) == 0 || strncasecmp(text, "WITH ", 5) == 0;
}

/* Value, low, high, runs. */
enum { WITH_INTERVAL = 4 };

/* An unknown end of an interval is infinite. */
static double end_at(const struct rowset *a, int column, double unknown)
{
    const double x = rowset_number(a, 0, column);
    return isnan(x) ? unknown : x;
}

static enum err take_value(const struct rowset *a, struct value *v)
{
    *v = (struct value){.number = (double)NAN};
    if ((a->columns != 1 && a->columns != WITH_INTERVAL) || a->rows > 1)
        FAIL(
            USAGE,
            "expected one value, or one row of a value, the ends of its interval and the number of "
            "runs, got %zu rows of %d columns",
            a->rows, a->columns);
    if (!a->rows)
        return ERR_OK;
    v->number = rowset_number(a, 0, 0);
    v->known = !isnan(v->number) || strcmp(rowset_at(a, 0, 0), "-") != 0;
    if (v->known && isnan(v->number))
        snprintf(v->text, sizeof v->text, "%s", rowset_at(a, 0, 0));
    else if (v->known && a->columns == WITH_INTERVAL) {
        v->low = end_at(a, 1, -(double)INFINITY);
        v->high = end_at(a, 2, (double)INFINITY);
        v->runs = (int)end_at(a, 3, 0);
        if (!(v->low <= v->number && v->number <= v->high && v->runs > 0))
            FAIL(USAGE,
                 "expected a value, its interval around it, and the number of runs, got %g, %g, "
                 "%g, %d",
                 v->number, v->low, v->high, v->runs);
    }
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

/* Extends the interval of a value to its values elsewhere in the intervals of its facts. */
static void cover(struct value *v, const struct value *elsewhere)
{
    const int measured = elsewhere->runs > 0;
    if (!elsewhere->known) {
        v->low = -(double)INFINITY;
        v->high = (double)INFINITY;
        return;
    }
    v->low = fmin(v->low, measured ? elsewhere->low : elsewhere->number);
    v->high = fmax(v->high, measured ? elsewhere->high : elsewhere->number);
}

/* Evaluates again with every combination of points of the facts with intervals: for few facts also
 * inner points, for many only the ends. */
static enum err ask_around(const struct asked *first, struct database *d, const char *text,
                           struct value *v)
{
    const int levels = first->count <= FEW_UNCERTAIN ? LEVELS : 2;
    int combinations = 1, runs = v->runs;
    if (!runs)
        v->low = v->high = v->number;
    for (int k = 0; k < first->count; k++) {
        const int own = first->uncertain[k]->value.runs;
        combinations *= levels;
        runs = !runs || own < runs ? own : runs;
    }
    for (int c = 0; c < combinations; c++) {
        struct asked a = *first;
        struct value there;
        for (int k = 0, rest = c; k < a.count; k++, rest /= levels)
            a.level[k] = rest % levels * (levels == LEVELS ? 1 : LEVELS - 1);
        TRY(ask(&a, d, text, &there));
        cover(v, &there);
    }
    v->runs = runs;
    return ERR_OK;
}

static enum err ask_with_interval(struct asked *a, struct database *d, const char *text,
                                  struct value *v)
{
    TRY(ask(a, d, text, v));
    return a->count && v->known && !value_is_word(v) ? ask_around(a, d, text, v) : ERR_OK;
}

enum err facts_value(const struct facts *f, struct database *d, const char *text, struct value *v)
{
    struct asked a = {.facts = f};
    return ask_with_interval(&a, d, text, v);
}

static enum err add_fact(struct facts *f, const struct experiment *x, const struct setting *s,
                         struct database *d)
{
    struct fact *fact = &f->fact[f->count];
    struct asked a = {.facts = f};
    if (strlen(s->key) >= sizeof fact->name)
        return experiment_fault(x, s->value, "this name is too long");
    strcpy(fact->name, s->key);
    const enum err e = ask_with_interval(&a, d, s->value, &fact->value);
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

/* "1.2 (1.1 to 1.4)", if the ends are printed differently from the value. */
static void add_range(const struct value *v, const char *format, char text[FACT_ROOM])
{
    char low[VALUE_TEXT], high[VALUE_TEXT];
    size_t n = strlen(text);
    if (!v->runs)
        return;
    if (isinf(v->low) || isinf(v->high)) {
        snprintf(text + n, FACT_ROOM - n, " (%s)", v->runs == 1 ? "one run" : "no interval");
        return;
    }
    number_write(v->low, format, low, sizeof low);
    number_write(v->high, format, high, sizeof high);
    if (strcmp(low, text) != 0 || strcmp(high, text) != 0)
        snprintf(text + n, FACT_ROOM - n, " (%.40s to %.40s)", low, high);
}

/* The value of "{...}"; `inside` is without braces. */
static enum err write_fact(const struct facts *f, const char *inside, size_t length, int ranges,
                           char text[FACT_ROOM])
{
    char format[FORMAT_ROOM] = ".3g";
    const char *colon = memchr(inside, ':', length);
    const size_t name = colon ? (size_t)(colon - inside) : length;
    const struct fact *fact = find_fact(f, inside, name);
    if (!fact)
        FAIL(INPUT, "{%.*s}: '%.*s' is not a fact of [facts]; for a brace write {{", (int)length,
             inside, (int)name, inside);
    if (colon)
        snprintf(format, sizeof format, "%.*s", (int)(length - name - 1), colon + 1);
    if (!number_format_valid(format))
        FAIL(INPUT,
             "{%.*s}: expected [+][.DIGITS] and e, f or g after the colon, such as .2f: a printf "
             "format without its %%",
             (int)length, inside);
    if (!fact->value.known)
        strcpy(text, facts_unknown);
    else if (value_is_word(&fact->value))
        strcpy(text, fact->value.text);
    else
        number_write(fact->value.number, format, text, FACT_ROOM);
    if (ranges && fact->value.known && !value_is_word(&fact->value))
        add_range(&fact->value, format, text);
    return ERR_OK;
}

static enum err fill_text(const struct facts *f, const char *text, int ranges, char *filled,
                          size_t n)
{
    size_t used = 0;
    while (*text) {
        char part[FACT_ROOM] = {*text, '\0'};
        const size_t length = *text == '{' ? strcspn(text, "}") : 0;
        if (text[0] == '{' && text[1] == '{')
            text++;
        else if (*text == '{' && !text[length])
            FAIL(INPUT, "'%.40s': this brace is not closed; for a brace write {{", text);
        else if (*text == '{') {
            TRY(write_fact(f, text + 1, length - 1, ranges, part));
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

static enum err fill_or_blame(const struct facts *f, const char *text, int ranges, char *filled,
                              size_t n)
{
    const enum err e = fill_text(f, text, ranges, filled, n);
    return e == ERR_INPUT && f->experiment
               ? experiment_fault(f->experiment, text, "%s", err_message())
               : e;
}

enum err facts_fill(const struct facts *f, const char *text, char *filled, size_t n)
{
    return fill_or_blame(f, text, 0, filled, n);
}

enum err facts_fill_ranges(const struct facts *f, const char *text, char *filled, size_t n)
{
    return fill_or_blame(f, text, 1, filled, n);
}
