/* Expressions over numbers and words: of facts, verdicts, computed columns. plots/README.md has the
 * grammar. */
#ifndef SHOAL_EXPRESSION_H
#define SHOAL_EXPRESSION_H

#include "core/base/err.h"

enum { VALUE_TEXT = 127 };

/* A number, or a word (then number is NAN); or not known, because nothing answers. */
struct value {
    int known;
    double number;
    char text[VALUE_TEXT + 1]; /* of a word */
};

void value_unknown(struct value *v);
void value_set_number(struct value *v, double x); /* not known where x is not finite */

/* What a table's cell holds: a number, a word, or "-", which is not known. */
void value_set_cell(struct value *v, const char *cell);
int value_is_word(const struct value *v);

/* What names and queries mean, where an expression stands. */
struct expression_scope {
    void *context;
    /* Fails with ERR_USAGE where there is no such name. */
    enum err (*name)(void *context, const char *name, struct value *v);
    /* median(...), min, ...: what stands in the brackets is handed on as it is. Null: none here. */
    enum err (*query)(void *context, const char *function, const char *inside, struct value *v);
};

/* Fails with ERR_USAGE and a message that says where in the text; a value that is not known is no
 * error. */
enum err expression_value(const char *text, const struct expression_scope *scope, struct value *v);

#endif
