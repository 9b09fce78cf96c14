/* Tests promises of a plug-in on many inputs, from simple to extreme, and finds the simplest input
 * that breaks one. */
#ifndef SHOAL_CONTRACTS_SEARCH_H
#define SHOAL_CONTRACTS_SEARCH_H

#include "core/registry/plugin.h"
#include "verification/contracts/contract.h"
#include "verification/contracts/plugin_loader.h"

enum { INPUTS = 10, SENTENCE = 320 };

/* A plug-in in one precision. */
struct subject {
    const char *name;
    enum precision precision;
    const struct plugin_library *lib;
};

/* A promise about an input, which is an array of numbers. The message if it is broken: the
 * plug-in's name, `wrong` and, if the input tells more, the result of `why`. */
struct question {
    const char *check;
    unsigned properties; /* for those that declare all of them; 0: for all */
    int (*breaks)(const struct subject *s, const double *x);
    const char *holds; /* a sentence, without the name and the full stop */
    const char *wrong; /* what is wrong and the probable cause */
    const char *(*why)(const struct subject *s, const double *x);
    /* Describes the result for x; null: as `inputs` does. */
    void (*show)(const struct subject *s, const double *x, char example[SENTENCE]);
    /* A check whose failure makes this one pointless; null: only that for finite results. */
    const char *premise;
};

/* Inputs of a kind of plug-in. */
struct inputs {
    int numbers, most;
    const double *usual; /* for each number a value as simple as 0, or NAN */
    /* Makes the inputs for a precision, in the order in which they are tried: their number. */
    int (*fill)(enum precision p, double (*x)[INPUTS]);
    /* Makes an input from arbitrary numbers, or returns 0. */
    int (*tidy)(enum precision p, double *x);
    /* An input and its result. */
    void (*show)(const struct subject *s, const double *x, char example[SENTENCE]);
};

/* One remark per check, the first of which requires finite results. Both f64 and f32 are tried, and
 * the remark shows the simpler example of the two. */
enum err search(const struct plugin *plugin, enum plugin_kind kind, const struct inputs *in,
                const struct question *questions, int count, struct remarks *r);

/* The nearest number of a precision. */
double rounded_to(enum precision p, double x);

/* The next number text: the shortest that is x in the precision; for results six digits. The texts of
 * the last few calls stay. */
const char *exact_text(enum precision p, double x);
const char *short_text(double x);

/* Two results that differ: with enough digits to show it. */
void differing_texts(double x, double y, char a[32], char b[32]);

/* "SYMMETRIC", of one property. */
const char *property_name(unsigned property);

/* Checks that a plug-in states a title and a source. */
void remark_cited(const char *title, const char *cite, const char *where, struct remarks *r);

#endif
