/* Remedies for compilers' errors. */
#include "core/compile/compiler_message.h"

#include <stdio.h>
#include <string.h>

#define TYPES                                                                             \
    "a limiter is FN real NAME(real a, real b, real theta), a flux FN struct flux "       \
    "NAME(struct side l, struct side r, real g), a reconstruction like those in kernels/" \
    "reconstructions"
#define BRACES \
    "a '{' further up is not closed, in this file or at the end of one that is included before it"
#define NO_HEADERS                                                                              \
    "include only files of kernels/, in quotes; real.h has the arithmetic, and a GPU has no C " \
    "library"
#define BODY    "write the function itself above its first use, not its declaration alone"
#define RETURNS "every way through the function must end in a return with a value"
#define TAKEN   "choose another name: this one is taken, perhaps by another file of the same kernel"
#define CASTS   "write the conversion out: CUDA C++ makes none between pointers and other types"
#define LITERALS                                                                            \
    "CUDA C++ has no designated initialisers (.h = ...) and no compound literals ((struct " \
    "side){...})"                                                                           \
    ": declare first, then assign"
#define REALS "write numbers as REAL(0.5) and declare variables as real: a bare 0.5 is a double"

/* Parts of compilers' errors, and their remedies. The first match counts. */
static const struct {
    const char *said, *remedy;
} remedies[] = {
    {"to 'float' may", "write numbers as REAL(0.5), not 0.5f, and declare variables as real"},
    {"'double'", REALS},
    {"No such file or directory", NO_HEADERS},
    {"file not found", NO_HEADERS},
    {"cannot open source file", NO_HEADERS},
    {"unknown type name", "correct the type: numbers are real, flags int, and `struct` belongs to "
                          "the name of a struct, as in struct side"},
    {"must use 'struct' tag", "write `struct` before the name of the type, as in struct side"},
    {"incomplete type", "include the header that defines it: num/riemann.h has struct side and "
                        "struct flux, args.h the arguments of kernels"},
    {"expected ';'", "a semicolon is missing, here or at the end of the line before"},
    {"expected a \";\"", "a semicolon is missing, here or at the end of the line before"},
    {"or ';' before", "a semicolon is missing, here or at the end of the line before"},
    {"expected identifier or '(' before '}'", "this '}' closes nothing: remove it"},
    {"at end of input", BRACES},
    {"expected '}'", BRACES},
    {"expected a \"}\"", BRACES},
    {"invalid storage class for function", BRACES},
    {"function definition is not allowed", BRACES},
    {"expected ')'", "a parenthesis is not closed, or an operator is missing"},
    {"expected a \")\"", "a parenthesis is not closed, or an operator is missing"},
    {"arguments to function", TYPES},
    {"arguments in function call", TYPES},
    {"invalid initializer", TYPES},
    {"incompatible types when", TYPES},
    {"incompatible type for", TYPES},
    {"with an expression of incompatible type", TYPES},
    {"no suitable", TYPES},
    {"no member named", "correct the member's name; structs are declared in kernels/args.h and "
                        "kernels/num/riemann.h"},
    {"has no member", "correct the member's name; structs are declared in kernels/args.h and "
                      "kernels/num/riemann.h"},
    {"execution space annotations", "begin the function with FN, in the place of static inline"},
    {"__host__ function", "begin the function with FN, in the place of static inline"},
    {"expected an expression", LITERALS},
    {"designated initializers", LITERALS},
    {"compound-literals", LITERALS},
    {"body not available", BODY},
    {"referenced but not defined", BODY},
    {"used but never defined", BODY},
    {"inlining failed", "a function cannot call itself: write a loop"},
    {"control reaches end", RETURNS},
    {"no return statement", RETURNS},
    {"non-void function", RETURNS},
    {"redefinition of", TAKEN},
    {"already been defined", TAKEN},
    {"conflicting types", TAKEN},
    {"expected unqualified-id", "choose another name: this one is a word of CUDA C++"},
    {"expected an identifier", "choose another name: this one is a word of C or of CUDA C++"},
    {"invalid conversion from", CASTS},
    {"incompatible pointer", CASTS},
    {"without a cast", CASTS},
    {"cannot be used to initialize an entity", CASTS},
    {"cannot be assigned to an entity", CASTS},
    {"variable length array", "give the array a size that is known when compiling"},
    {"variable-length array", "give the array a size that is known when compiling"},
    {"must have a constant value", "give the array a size that is known when compiling"},
    {"read-only", "this is const: work on a copy"},
    {"modifiable lvalue", "this is const, or no variable: work on a copy"},
    {"const-qualified", "this is const: work on a copy"},
    {"called object", "an operator is missing between the name and the parenthesis"},
    {"unterminated comment", "close the comment with */"},
    {"too much shared data", "choose a smaller --block"},
};

static const struct {
    const char *name, *instead;
} library[] = {
    {"min", "min2(a, b)"},
    {"max", "max2(a, b)"},
    {"fmin", "min2(a, b)"},
    {"fmax", "max2(a, b)"},
    {"fminf", "min2(a, b)"},
    {"fmaxf", "max2(a, b)"},
    {"abs", "abs1(x)"},
    {"fabs", "abs1(x)"},
    {"fabsf", "abs1(x)"},
    {"sqrt", "root(x)"},
    {"sqrtf", "root(x)"},
    {"rsqrt", "inverse(root(x))"},
    {"rsqrtf", "inverse(root(x))"},
    {"cbrt", "cube_root(x), for x >= 0"},
    {"cbrtf", "cube_root(x), for x >= 0"},
    {"hypot", "root(square(x) + square(y))"},
    {"hypotf", "root(square(x) + square(y))"},
    {"pow", "products, square(x), root(x) or cube_root(x)"},
    {"powf", "products, square(x), root(x) or cube_root(x)"},
    {"fma", "a * b + c: the mode decides whether it is one operation"},
    {"fmaf", "a * b + c: the mode decides whether it is one operation"},
    {"copysign", "a choice like x < REAL(0) ? -y : y"},
    {"copysignf", "a choice like x < REAL(0) ? -y : y"},
    {"signbit", "x < REAL(0)"},
    {"fdim", "positive(a - b)"},
    {"fdimf", "positive(a - b)"},
    {"isnan", "x != x"},
    {"exp", "an approximation of your own from + - * / and root(x)"},
    {"expf", "an approximation of your own from + - * / and root(x)"},
    {"log", "an approximation of your own from + - * / and root(x)"},
    {"logf", "an approximation of your own from + - * / and root(x)"},
    {"tanh", "an approximation of your own from + - * / and root(x)"},
    {"tanhf", "an approximation of your own from + - * / and root(x)"},
    {"sin", "an approximation of your own from + - * / and root(x)"},
    {"sinf", "an approximation of your own from + - * / and root(x)"},
    {"cos", "an approximation of your own from + - * / and root(x)"},
    {"cosf", "an approximation of your own from + - * / and root(x)"},
    {"atan", "an approximation of your own from + - * / and root(x)"},
    {"atanf", "an approximation of your own from + - * / and root(x)"},
};

/* real.h's replacement for a function of the C library or of CUDA; null if there is none for
 * `name`, of n letters. */
static const char *instead_of(const char *name, size_t n)
{
    for (size_t k = 0; k < sizeof library / sizeof *library; k++)
        if (strlen(library[k].name) == n && strncmp(library[k].name, name, n) == 0)
            return library[k].instead;
    return NULL;
}

/* The first thing in quotes. */
static const char *quoted(const char *text, size_t *n)
{
    const char *from = text + strcspn(text, "'\"");
    if (!*from)
        return NULL;
    *n = strcspn(from + 1, "'\"");
    return from[1 + *n] ? from + 1 : NULL;
}

void diagnosis_remedy(struct diagnosis *d)
{
    static const char *const unknown[] = {"implicit declaration", "undeclared", "is undefined",
                                          "implicitly declaring", "not declared in this scope"};
    size_t n = 0;
    const char *name = quoted(d->what, &n), *instead = name ? instead_of(name, n) : NULL;
    for (size_t k = 0; name && k < sizeof unknown / sizeof *unknown; k++) {
        if (!strstr(d->what, unknown[k]))
            continue;
        if (instead)
            snprintf(d->remedy, sizeof d->remedy, "write %s, of kernels/real.h", instead);
        else
            snprintf(d->remedy, sizeof d->remedy,
                     "declare %.*s before its use, or correct its name; kernels/real.h and "
                     "kernels/num/ have the functions that exist",
                     (int)n, name);
        return;
    }
    for (size_t k = 0; k < sizeof remedies / sizeof *remedies; k++) {
        if (!strstr(d->what, remedies[k].said))
            continue;
        snprintf(d->remedy, sizeof d->remedy, "%s", remedies[k].remedy);
        return;
    }
}
