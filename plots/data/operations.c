/* Operators and functions of expressions. */
#include "plots/data/operations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/decimal.h"

void value_unknown(struct value *v)
{
    *v = (struct value){.known = 0, .number = (double)NAN};
}

void value_set_number(struct value *v, double x)
{
    value_unknown(v);
    v->known = isfinite(x);
    if (v->known)
        v->number = x == 0 ? 0 : x; /* nobody wants to read -0 */
}

void value_set_cell(struct value *v, const char *cell)
{
    const double x = decimal_read(cell);
    value_set_number(v, x);
    if (!isnan(x) || strcmp(cell, "-") == 0)
        return;
    v->known = 1;
    snprintf(v->text, sizeof v->text, "%s", cell);
}

int value_is_word(const struct value *v)
{
    return v->known && isnan(v->number);
}

static const struct operation operations[] = {
    {"||", RANK_OR},         {"&&", RANK_AND},        {"<=", RANK_COMPARISON},
    {">=", RANK_COMPARISON}, {"==", RANK_COMPARISON}, {"!=", RANK_COMPARISON},
    {"<", RANK_COMPARISON},  {">", RANK_COMPARISON},  {"+", RANK_SUM},
    {"-", RANK_SUM},         {"*", RANK_PRODUCT},     {"/", RANK_PRODUCT},
};

const struct operation *operation_find(const char *text)
{
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        if (strncmp(text, operations[k].text, strlen(operations[k].text)) == 0)
            return &operations[k];
    return NULL;
}

/* A word that is a number equals it, as in conditions on rows. */
static int equal(const struct value *a, const struct value *b)
{
    if (value_is_word(a) && value_is_word(b))
        return strcmp(a->text, b->text) == 0;
    const double x = value_is_word(a) ? decimal_read(a->text) : a->number;
    const double y = value_is_word(b) ? decimal_read(b->text) : b->number;
    return x == y;
}

/* 1, 0; -1: not known. */
static int truth(const struct value *v)
{
    return v->known ? v->number != 0 : -1;
}

static void set_truth(struct value *v, int t)
{
    value_set_number(v, t < 0 ? (double)NAN : t);
}

/* What decides an "or" is true, an "and" false: whatever the other side is. */
static int logical(enum rank rank, int a, int b)
{
    const int decides = rank == RANK_OR;
    if (a == decides || b == decides)
        return decides;
    return a < 0 || b < 0 ? -1 : !decides;
}

static int compare(const char *o, double a, double b)
{
    const int or_equal = o[1] == '=';
    if (o[0] == '<')
        return or_equal ? a <= b : a < b;
    return or_equal ? a >= b : a > b;
}

static double calculate(char o, double a, double b)
{
    switch (o) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    default:
        return b == 0 ? (double)NAN : a / b;
    }
}

int operation_apply(const struct operation *o, struct value *a, const struct value *b)
{
    const int equality = strcmp(o->text, "==") == 0 || strcmp(o->text, "!=") == 0;
    if (!equality && (value_is_word(a) || value_is_word(b)))
        return 0;
    if (o->rank == RANK_OR || o->rank == RANK_AND)
        set_truth(a, logical(o->rank, truth(a), truth(b)));
    else if (!a->known || !b->known)
        value_unknown(a);
    else if (equality)
        set_truth(a, equal(a, b) == (o->text[0] == '='));
    else if (o->rank == RANK_COMPARISON)
        set_truth(a, compare(o->text, a->number, b->number));
    else
        value_set_number(a, calculate(o->text[0], a->number, b->number));
    return 1;
}

int operation_sign(char sign, struct value *a)
{
    const int t = truth(a);
    if (value_is_word(a))
        return 0;
    if (sign == '-')
        value_set_number(a, -a->number);
    else
        set_truth(a, t < 0 ? t : !t);
    return 1;
}

int operation_power(struct value *a, const struct value *b)
{
    if (value_is_word(a) || value_is_word(b))
        return 0;
    value_set_number(a, a->known && b->known ? pow(a->number, b->number) : (double)NAN);
    return 1;
}

static double least(const double *x, int n)
{
    double found = x[0];
    for (int k = 1; k < n; k++)
        found = fmin(found, x[k]);
    return found;
}

static double most(const double *x, int n)
{
    double found = x[0];
    for (int k = 1; k < n; k++)
        found = fmax(found, x[k]);
    return found;
}

static const struct function functions[] = {
    {"least", 0, NULL, least}, {"most", 0, NULL, most},   {"if", 3, NULL, NULL},
    {"abs", 1, fabs, NULL},    {"sqrt", 1, sqrt, NULL},   {"log2", 1, log2, NULL},
    {"log10", 1, log10, NULL}, {"round", 1, round, NULL}, {"floor", 1, floor, NULL},
};

const struct function *function_find(const char *name)
{
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp(functions[k].name, name) == 0)
            return &functions[k];
    return NULL;
}

/* The branch that is not taken may be a word, or not known. */
static int choose(const struct value *operand, struct value *v)
{
    const int t = truth(&operand[0]);
    if (value_is_word(&operand[0]))
        return 0;
    value_unknown(v);
    if (t >= 0)
        *v = operand[t ? 1 : 2];
    return 1;
}

int function_apply(const struct function *f, const struct value *operand, int n, struct value *v)
{
    double x[MOST_OPERANDS] = {0};
    int known = 1;
    if (!f->of && !f->of_all)
        return choose(operand, v);
    for (int k = 0; k < n; k++) {
        if (value_is_word(&operand[k]))
            return 0;
        known = known && operand[k].known;
        x[k] = operand[k].number;
    }
    value_unknown(v);
    if (known)
        value_set_number(v, f->of ? f->of(x[0]) : f->of_all(x, n));
    return 1;
}
