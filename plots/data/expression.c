/* Expressions over numbers and words, by recursive descent. */
#include "plots/data/operations.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, NAME_ROOM = 64, INSIDE_ROOM = 1024, SHOWN_BEFORE = 60, SHOWN = 120 };

struct parser {
    const char *text, *at;
    const struct expression_scope *scope;
    int depth;
};

/* Of a long expression what stands near the place. */
static void tell_place(const struct parser *p, const char *at, char text[SHOWN + 64])
{
    const size_t length = strlen(p->text), place = (size_t)(at - p->text);
    const size_t from = length > SHOWN && place > SHOWN_BEFORE ? place - SHOWN_BEFORE : 0;
    snprintf(text, SHOWN + 64, "'%s%.*s%s', character %zu", from ? "..." : "", SHOWN,
             p->text + from, length - from > SHOWN ? "..." : "", place + 1);
}

static enum err wrong(const struct parser *p, const char *at, const char *what)
{
    char place[SHOWN + 64];
    tell_place(p, at, place);
    FAIL(USAGE, "%s: %s", place, what);
}

/* What a scope answered, with the place where it was asked. */
static enum err at_place(const struct parser *p, const char *at, enum err e)
{
    char place[SHOWN + 64];
    tell_place(p, at, place);
    if (e)
        err_context("%s", place);
    return e;
}

static int is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void skip_blanks(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static const struct operation *operation_here(struct parser *p, int rank)
{
    skip_blanks(p);
    const struct operation *o = operation_find(p->at);
    return o && (int)o->rank == rank ? o : NULL;
}

static enum err unary(struct parser *p, struct value *v);

static enum err binary(struct parser *p, int rank, struct value *v)
{
    const struct operation *o;
    const char *at;
    if (rank == RANKS)
        return unary(p, v);
    TRY(binary(p, rank + 1, v));
    for (int n = 0; (o = operation_here(p, rank)) != NULL; n++) {
        struct value right;
        at = p->at;
        if (rank == RANK_COMPARISON && n > 0)
            return wrong(p, at, "a second comparison; put brackets round one of them, or use &&");
        p->at += strlen(o->text);
        TRY(binary(p, rank + 1, &right));
        if (!operation_apply(o, v, &right))
            return wrong(p, at, "words can be compared by == and != only");
    }
    return ERR_OK;
}

/* Every way in which an expression can hold another one comes through here. */
static enum err nested(struct parser *p, enum err (*read)(struct parser *p, struct value *v),
                       struct value *v)
{
    if (p->depth == DEEPEST)
        return wrong(p, p->at, "more than 64 levels of brackets and signs");
    p->depth++;
    const enum err e = read(p, v);
    p->depth--;
    return e;
}

static enum err whole(struct parser *p, struct value *v)
{
    return binary(p, RANK_OR, v);
}

static enum err expression(struct parser *p, struct value *v)
{
    return nested(p, whole, v);
}

static enum err wanted(struct parser *p, char c, const char *what)
{
    skip_blanks(p);
    if (*p->at != c)
        return wrong(p, p->at, what);
    p->at++;
    return ERR_OK;
}

static const char *const queries[] = {"median", "min",   "max",         "mean",      "sum",
                                      "count",  "first", "where_least", "where_most"};

static enum err operands(struct parser *p, struct value *operand, int *count)
{
    for (*count = 0;; p->at++) {
        if (*count == MOST_OPERANDS)
            return wrong(p, p->at, "more than 16 operands");
        TRY(expression(p, &operand[(*count)++]));
        skip_blanks(p);
        if (*p->at != ',')
            return wanted(p, ')', "a comma or a closing bracket is wanted");
    }
}

static enum err call(struct parser *p, const struct function *f, const char *at, struct value *v)
{
    struct value operand[MOST_OPERANDS];
    int n;
    TRY(operands(p, operand, &n));
    if (f->operands && n != f->operands)
        return wrong(p, at,
                     f->operands == 1 ? "this function takes one operand"
                                      : "if takes a condition and two values");
    if (!function_apply(f, operand, n, v))
        return wrong(p, at, "a word where a number is wanted");
    return ERR_OK;
}

/* Hands on what stands up to the bracket that closes the one before p->at. */
static enum err query(struct parser *p, const char *function, const char *at, struct value *v)
{
    char inside[INSIDE_ROOM];
    const char *start = p->at;
    int open = 1, quoted = 0;
    for (; *p->at; p->at++) {
        quoted ^= *p->at == '"';
        open += quoted ? 0 : (*p->at == '(') - (*p->at == ')');
        if (!open)
            break;
    }
    if (open)
        return wrong(p, start - 1, "this bracket is not closed");
    const size_t length = (size_t)(p->at++ - start);
    if (length >= sizeof inside)
        return wrong(p, start, "too long");
    memcpy(inside, start, length);
    inside[length] = '\0';
    value_unknown(v);
    return at_place(p, at, p->scope->query(p->scope->context, function, inside, v));
}

static enum err function(struct parser *p, const char *name, const char *at, struct value *v)
{
    const struct function *f = function_find(name);
    if (f)
        return call(p, f, at, v);
    for (size_t k = 0; k < sizeof queries / sizeof *queries; k++)
        if (strcmp(queries[k], name) == 0)
            return p->scope->query ? query(p, name, at, v)
                                   : wrong(p, at, "there are no rows to ask here");
    return wrong(p, at,
                 "there is no such function; there are least, most, if, abs, sqrt, log2, log10, "
                 "round, floor, and where there are rows to ask median, min, max, mean, sum, "
                 "count, first, where_least, where_most");
}

static enum err name(struct parser *p, struct value *v)
{
    char text[NAME_ROOM];
    const char *at = p->at;
    size_t length = 0;
    while (is_name(at[length]))
        length++;
    if (length >= sizeof text)
        return wrong(p, at, "this name is too long");
    memcpy(text, at, length);
    text[length] = '\0';
    p->at += length;
    skip_blanks(p);
    if (*p->at == '(') {
        p->at++;
        return function(p, text, at, v);
    }
    value_unknown(v);
    return at_place(p, at, p->scope->name(p->scope->context, text, v));
}

static enum err word(struct parser *p, struct value *v)
{
    const char *start = p->at + 1, *end = strchr(start, '"');
    if (!end)
        return wrong(p, p->at, "this quote is not closed");
    if (end - start > VALUE_TEXT)
        return wrong(p, p->at, "this word is too long");
    value_unknown(v);
    v->known = 1;
    memcpy(v->text, start, (size_t)(end - start));
    p->at = end + 1;
    return ERR_OK;
}

/* Decimal only: strtod alone would take "0x1p3" and "inf". */
static size_t digits_of(const char *p)
{
    size_t n = strspn(p, "0123456789");
    if (p[n] == '.')
        n += 1 + strspn(p + n + 1, "0123456789");
    if (p[n] != 'e')
        return n;
    const size_t before = n + (p[n + 1] == '-' || p[n + 1] == '+' ? 2 : 1);
    const size_t exponent = strspn(p + before, "0123456789");
    return exponent ? before + exponent : n;
}

static enum err number(struct parser *p, struct value *v)
{
    const size_t length = digits_of(p->at);
    if (is_name(p->at[length]) || p->at[length] == '.' || (length == 1 && *p->at == '.'))
        return wrong(p, p->at, "this is no number");
    value_set_number(v, strtod(p->at, NULL));
    p->at += length;
    return ERR_OK;
}

static enum err primary(struct parser *p, struct value *v)
{
    skip_blanks(p);
    if (*p->at == '(') {
        p->at++;
        TRY(expression(p, v));
        return wanted(p, ')', "a closing bracket is wanted");
    }
    if (*p->at == '"')
        return word(p, v);
    if (isdigit((unsigned char)*p->at) || *p->at == '.')
        return number(p, v);
    if (is_name(*p->at))
        return name(p, v);
    return wrong(p, p->at, "a number, a name, a word in quotes or a bracket is wanted");
}

static enum err power(struct parser *p, struct value *v)
{
    struct value exponent;
    TRY(primary(p, v));
    skip_blanks(p);
    const char *at = p->at;
    if (*at != '^')
        return ERR_OK;
    p->at++;
    TRY(nested(p, unary, &exponent));
    if (!operation_power(v, &exponent))
        return wrong(p, at, "a word where a number is wanted");
    return ERR_OK;
}

static enum err unary(struct parser *p, struct value *v)
{
    skip_blanks(p);
    const char *at = p->at;
    if (*at != '-' && *at != '!')
        return power(p, v);
    p->at++;
    TRY(nested(p, unary, v));
    if (!operation_sign(*at, v))
        return wrong(p, at, "a word where a number is wanted");
    return ERR_OK;
}

enum err expression_value(const char *text, const struct expression_scope *scope, struct value *v)
{
    struct parser p = {text, text, scope, 0};
    TRY(expression(&p, v));
    skip_blanks(&p);
    if (*p.at)
        return wrong(&p, p.at, "an operator is wanted, or the end");
    return ERR_OK;
}
