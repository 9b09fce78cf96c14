/* Facts: numbers and words that are computed from an experiment's tables, and what follows for what
 * was claimed. */
#ifndef SHOAL_FACTS_H
#define SHOAL_FACTS_H

#include "plots/data/expression.h"
#include "plots/data/source.h"

struct fact {
    char name[64];
    struct value value;
    char missing[256]; /* why it is not known */
};

struct facts {
    struct fact *fact;
    int count;
    const struct experiment *experiment; /* whose they are; must live as long */
};

/* Evaluates the [facts] of an experiment in their order: "name = expression". plots/README.md has
 * the grammar:
 *   numbers, "words", names of facts above
 *   + - * / ^ ( )   < <= > >= == !=   && || !   (1 and 0)
 *   least(a, b, ...) most(a, b, ...) abs(a) sqrt(a) log2(a) log10(a) round(a) floor(a)
 *   if(condition, a, b)
 *   median(COLUMN | conditions), min, max, mean, sum, count, first: over the rows of the first table;
 *     TABLE.COLUMN takes another one; conditions as in frame.h, and {fact} stands for a fact's value
 *   where_least(COLUMN: BY | conditions)  the COLUMN of the group with the least median of BY; where_most
 * Fails with ERR_INPUT (file, line, place) where an expression cannot be read. What cannot be known, for
 * want of rows, is not known, and neither is what is computed from it. */
enum err facts_evaluate(struct facts *f, const struct experiment *x, const struct plot_tables *t);
void facts_free(struct facts *f);

/* One expression, with the facts that are there. Fails with ERR_USAGE where it cannot be read. */
enum err facts_value(const struct facts *f, const struct plot_tables *t, const char *expression,
                     struct value *v);

/* Replaces {name}, {name:.2f} (a printf format without its %; default .3g; words ignore it) in a text;
 * {{ is a brace. What is not known becomes "not measured". Fails with ERR_INPUT for a name that is no
 * fact; file and line are named where `text` lies in the experiment. */
enum err facts_fill(const struct facts *f, const char *text, char *filled, size_t n);

/* What became of a claim. */
enum verdict { VERDICT_HOLDS, VERDICT_PARTLY, VERDICT_FAILS, VERDICT_UNKNOWN, VERDICTS };
extern const char
    *const claim_verdicts[VERDICTS]; /* "holds", "partly", "does not hold", "not measured" */

struct claim {
    const char *id, *where, *text;                 /* in the experiment's text */
    char published[512], ours[512], finding[1024]; /* filled in */
    enum verdict verdict;
};
struct claims {
    struct claim *claim;
    int count;
};

/* The [claim] sections: id, where (in the publication), claim, published, ours, holds (an expression);
 * not all have partly (another: asked where holds is false) and finding. Fails with ERR_INPUT where
 * one lacks what it must have, or a text or expression of it cannot be read. */
enum err claims_judge(struct claims *c, const struct experiment *x, const struct facts *f,
                      const struct plot_tables *t);
void claims_free(struct claims *c);

#endif
