/* What operators and functions make of values; expression.c reads the text round them. */
#ifndef SHOAL_OPERATIONS_H
#define SHOAL_OPERATIONS_H

#include "plots/data/expression.h"

/* What binds less comes first. */
enum rank { RANK_OR, RANK_AND, RANK_COMPARISON, RANK_SUM, RANK_PRODUCT, RANKS };

struct operation {
    const char *text;
    enum rank rank;
};

/* The operator between two operands that a text begins with; NULL: none. */
const struct operation *operation_find(const char *text);

/* *a becomes "a operator b". False for words, which have no such operator. */
int operation_apply(const struct operation *o, struct value *a, const struct value *b);

/* The same of -a and !a, and of a ^ b. */
int operation_sign(char sign, struct value *a);
int operation_power(struct value *a, const struct value *b);

enum { MOST_OPERANDS = 16 };
struct function {
    const char *name;
    int operands; /* 0: one or more */
    double (*of)(double x);
    double (*of_all)(const double *x, int n); /* neither: if */
};
const struct function *function_find(const char *name); /* NULL: there is none */
int function_apply(const struct function *f, const struct value *operand, int n, struct value *v);

#endif
