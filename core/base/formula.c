/* A recursive-descent parser that emits steps for a stack machine. */
#include "core/base/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum what {
    NUMBER,
    MINUS,
    NOT,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    EQUAL,
    UNEQUAL,
    AND,
    OR,
    IIF,
    MIN,
    MAX,
    ABS,
    SQRT,
    EXP,
    LOG,
    SIN,
    COS,
    TAN,
    TANH,
    ATAN2,
    HYPOT,
    FLOOR,
    ROUND,
    VARIABLE /* this and the following ones: the variables, in order */
};

static const struct {
    const char *name;
    enum what what;
    int takes;
} functions[] = {{"iif", IIF, 3},     {"min", MIN, 2},     {"max", MAX, 2},    {"abs", ABS, 1},
                 {"sqrt", SQRT, 1},   {"exp", EXP, 1},     {"log", LOG, 1},    {"sin", SIN, 1},
                 {"cos", COS, 1},     {"tan", TAN, 1},     {"tanh", TANH, 1},  {"atan2", ATAN2, 2},
                 {"hypot", HYPOT, 2}, {"floor", FLOOR, 1}, {"round", ROUND, 1}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

struct reading {
    struct formula *f;
    const char *text, *at;
    const char *const *names;
    int values; /* stack depth after the steps so far */
    int depth;  /* nesting depth of the parser */
};

/* An error whose message marks this place in the text. */
static enum err wrong(const struct reading *r, const char *at, const char *what)
{
    FAIL(USAGE, "%s, in column %d:\n  %s\n  %*s", what, (int)(at - r->text) + 1, r->text,
         (int)(at - r->text) + 1, "^");
}

static void skip_blanks(struct reading *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static enum err put_operation(struct reading *r, int what, int takes, double number)
{
    if (r->f->steps == FORMULA_STEPS)
        return wrong(r, r->at, "the formula is too long");
    r->values += 1 - takes;
    if (r->values > FORMULA_DEPTH)
        return wrong(r, r->at, "the formula is too deep");
    r->f->step[r->f->steps++] = (struct formula_step){what, number};
    return ERR_OK;
}

static size_t name_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

/* Consumes this word or sign if it comes next. */
static int accept_sign(struct reading *r, const char *sign)
{
    const size_t n = strlen(sign);
    skip_blanks(r);
    if (strncasecmp(r->at, sign, n) != 0 ||
        (isalpha((unsigned char)*sign) && name_length(r->at) != n))
        return 0;
    r->at += n;
    return 1;
}

static enum err read_any(struct reading *r);

static enum err expect(struct reading *r, const char *sign, const char *message)
{
    if (accept_sign(r, sign))
        return ERR_OK;
    return wrong(r, r->at, message);
}

static enum err call(struct reading *r, int function)
{
    char message[96];
    const int takes = functions[function].takes;
    snprintf(message, sizeof message, "%s takes %d value%s in parentheses, with commas between",
             functions[function].name, takes, takes > 1 ? "s" : "");
    for (int k = 0; k < takes; k++) {
        TRY(expect(r, k ? "," : "(", message));
        TRY(read_any(r));
    }
    TRY(expect(r, ")", message));
    return put_operation(r, (int)functions[function].what, takes, 0);
}

static enum err unknown(const struct reading *r, const char *at, size_t n)
{
    char message[512];
    size_t used = (size_t)snprintf(message, sizeof message, "unknown name '%.*s'; expected one of",
                                   (int)(n < 64 ? n : 64), at);
    for (int k = 0; r->names[k]; k++)
        used += (size_t)snprintf(message + used, sizeof message - used, " %s", r->names[k]);
    used += (size_t)snprintf(message + used, sizeof message - used, " pi");
    for (int k = 0; k < FUNCTIONS; k++)
        used += (size_t)snprintf(message + used, sizeof message - used, " %s", functions[k].name);
    return wrong(r, at, message);
}

static enum err read_name(struct reading *r)
{
    const char *name = r->at;
    const size_t n = name_length(name);
    r->at += n;
    for (int k = 0; r->names[k]; k++)
        if (strlen(r->names[k]) == n && strncasecmp(name, r->names[k], n) == 0)
            return put_operation(r, VARIABLE + k, 0, 0);
    for (int k = 0; k < FUNCTIONS; k++)
        if (strlen(functions[k].name) == n && strncasecmp(name, functions[k].name, n) == 0)
            return call(r, k);
    if (n == 2 && strncasecmp(name, "pi", n) == 0)
        return put_operation(r, NUMBER, 0, acos(-1.0));
    return unknown(r, name, n);
}

static enum err read_value(struct reading *r)
{
    skip_blanks(r);
    if (accept_sign(r, "(")) {
        TRY(read_any(r));
        return expect(r, ")", "expected a closing parenthesis");
    }
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return read_name(r);
    if (!isdigit((unsigned char)*r->at) && *r->at != '.')
        return wrong(r, r->at, "expected a value");
    char *end;
    const double number = strtod(r->at, &end);
    if (end == r->at || name_length(end))
        return wrong(r, r->at, "not a number");
    r->at = end;
    return put_operation(r, NUMBER, 0, number);
}

static enum err read_signed(struct reading *r);

/* Right-associative, as in 2^3^2 and 2^-1; -2^2 is -4. */
static enum err read_power(struct reading *r)
{
    TRY(read_value(r));
    if (!accept_sign(r, "^"))
        return ERR_OK;
    TRY(read_signed(r));
    return put_operation(r, POWER, 2, 0);
}

static enum err read_signed(struct reading *r)
{
    if (accept_sign(r, "+"))
        return read_signed(r);
    if (!accept_sign(r, "-"))
        return read_power(r);
    if (++r->depth > FORMULA_DEPTH)
        return wrong(r, r->at, "the formula is too deep");
    TRY(read_signed(r));
    r->depth--;
    return put_operation(r, MINUS, 1, 0);
}

/* Binary operators by precedence; longer signs first. */
struct sign {
    const char *text;
    enum what what;
};

static int take_any(struct reading *r, const struct sign *signs)
{
    for (int k = 0; signs[k].text; k++)
        if (accept_sign(r, signs[k].text))
            return (int)signs[k].what;
    return -1;
}

static enum err read_chain(struct reading *r, const struct sign *signs,
                           enum err (*part)(struct reading *))
{
    TRY(part(r));
    for (int what; (what = take_any(r, signs)) >= 0;) {
        TRY(part(r));
        TRY(put_operation(r, what, 2, 0));
    }
    return ERR_OK;
}

static enum err read_product(struct reading *r)
{
    static const struct sign signs[] = {{"*", MULTIPLY}, {"/", DIVIDE}, {0}};
    return read_chain(r, signs, read_signed);
}

static enum err read_sum(struct reading *r)
{
    static const struct sign signs[] = {{"+", ADD}, {"-", SUBTRACT}, {0}};
    return read_chain(r, signs, read_product);
}

static enum err read_comparison(struct reading *r)
{
    static const struct sign signs[] = {{"<=", LESS_OR_EQUAL},
                                        {">=", GREATER_OR_EQUAL},
                                        {"<>", UNEQUAL},
                                        {"!=", UNEQUAL},
                                        {"==", EQUAL},
                                        {"<", LESS},
                                        {">", GREATER},
                                        {"=", EQUAL},
                                        {0}};
    return read_chain(r, signs, read_sum);
}

static enum err read_not(struct reading *r)
{
    if (!accept_sign(r, "not"))
        return read_comparison(r);
    if (++r->depth > FORMULA_DEPTH)
        return wrong(r, r->at, "the formula is too deep");
    TRY(read_not(r));
    r->depth--;
    return put_operation(r, NOT, 1, 0);
}

static enum err read_and(struct reading *r)
{
    static const struct sign signs[] = {{"and", AND}, {0}};
    return read_chain(r, signs, read_not);
}

static enum err read_any(struct reading *r)
{
    static const struct sign signs[] = {{"or", OR}, {0}};
    if (++r->depth > FORMULA_DEPTH)
        return wrong(r, r->at, "the formula is too deep");
    const enum err e = read_chain(r, signs, read_and);
    r->depth--;
    return e;
}

enum err formula_read(struct formula *f, const char *text, const char *const *names)
{
    struct reading r = {.f = f, .text = text, .at = text, .names = names};
    f->steps = 0;
    TRY(read_any(&r));
    skip_blanks(&r);
    if (*r.at)
        return wrong(&r, r.at, "expected an operator or the end of the formula");
    return ERR_OK;
}

static double of_one(int what, double a)
{
    switch (what) {
    case MINUS:
        return -a;
    case NOT:
        return a == 0;
    case ABS:
        return fabs(a);
    case SQRT:
        return sqrt(a);
    case EXP:
        return exp(a);
    case LOG:
        return log(a);
    case SIN:
        return sin(a);
    case COS:
        return cos(a);
    case TAN:
        return tan(a);
    case TANH:
        return tanh(a);
    case FLOOR:
        return floor(a);
    default:
        return round(a);
    }
}

static double of_two(int what, double a, double b)
{
    switch (what) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case DIVIDE:
        return a / b;
    case POWER:
        return pow(a, b);
    case LESS:
        return a < b;
    case LESS_OR_EQUAL:
        return a <= b;
    case GREATER:
        return a > b;
    case GREATER_OR_EQUAL:
        return a >= b;
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    case AND:
        return a != 0 && b != 0;
    case OR:
        return a != 0 || b != 0;
    case MIN:
        return fmin(a, b);
    case MAX:
        return fmax(a, b);
    case ATAN2:
        return atan2(a, b);
    default:
        return hypot(a, b);
    }
}

static int takes_one(int what)
{
    return what == MINUS || what == NOT || (what >= ABS && what <= TANH) || what == FLOOR ||
           what == ROUND;
}

double formula_value(const struct formula *f, const double *values)
{
    double stack[FORMULA_DEPTH] = {0};
    int n = 0;
    for (int k = 0; k < f->steps; k++) {
        const int what = f->step[k].what;
        if (what == NUMBER) {
            stack[n++] = f->step[k].number;
        } else if (what >= VARIABLE) {
            stack[n++] = values[what - VARIABLE];
        } else if (what == IIF) {
            n -= 2;
            stack[n - 1] = stack[n - 1] != 0 ? stack[n] : stack[n + 1];
        } else if (takes_one(what)) {
            stack[n - 1] = of_one(what, stack[n - 1]);
        } else {
            n--;
            stack[n - 1] = of_two(what, stack[n - 1], stack[n]);
        }
    }
    return stack[0];
}
