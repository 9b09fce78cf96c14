/* Facts: numbers and words that queries compute from an experiment's tables, and the verdicts that
 * follow. */
#ifndef SHOAL_FACTS_H
#define SHOAL_FACTS_H

#include "plots/data/figure_tables.h"

enum { VALUE_TEXT = 127 };

/* A number, or a word (then number is NAN); or unknown, if the query has no answer. A measured
 * number has an interval: its ends, infinite for a single run, and the number of runs, the smallest
 * if several numbers are behind it; 0 runs: the number is exact. */
struct value {
    int known;
    double number, low, high;
    int runs;
    char text[VALUE_TEXT + 1]; /* of a word */
};

struct fact {
    char name[64];
    struct value value;
    char missing[256]; /* why it is not known */
};

struct facts {
    struct fact *fact;
    int count;
    const struct experiment *experiment; /* their experiment; must live as long */
};

/* Evaluates the [facts] of an experiment in their order, "name = SELECT ..." or "name = EXPRESSION"
 * in SQL, while its tables are in the database; :name is a fact above. A row of four columns is a
 * value, the ends of its interval, and the number of runs; values computed from facts with
 * intervals have one, too. Fails with ERR_INPUT (file, line) if one cannot be evaluated, or has
 * several rows or another number of columns. NULL, or no row, is unknown. */
enum err facts_evaluate(struct facts *f, const struct experiment *x, struct database *d);
void facts_free(struct facts *f);

/* Evaluates one expression with the existing facts. Fails with ERR_USAGE if that is impossible. */
enum err facts_value(const struct facts *f, struct database *d, const char *text, struct value *v);
int value_is_word(const struct value *v);

/* Replaces {name}, {name:.2f} (a printf format without its %; default .3g; words ignore it) in a
 * text; {{ is a brace. An unknown value becomes "not measured". Fails with ERR_INPUT for a name
 * that is not a fact, with file and line if `text` is part of the experiment. With ranges: "1.2
 * (1.1 to 1.4)". */
extern const char facts_unknown[];
int facts_unknown_in(const char *filled);
enum err facts_fill(const struct facts *f, const char *text, char *filled, size_t n);
enum err facts_fill_ranges(const struct facts *f, const char *text, char *filled, size_t n);

/* The verdict on a claim. */
enum verdict {
    VERDICT_HOLDS,
    VERDICT_PARTLY,
    VERDICT_FAILS,
    VERDICT_UNDECIDED, /* an interval covers the bar, or there is none */
    VERDICT_UNKNOWN,
    VERDICT_NOTE, /* there is no rule: any faster device would pass */
    VERDICTS
};
extern const char *const claim_verdicts[VERDICTS]; /* "holds", "partly", "does not hold", ... */

/* Whose claim it is. */
enum claim_kind { CLAIM_PUBLISHED, CLAIM_OWN, CLAIM_NOTE };

struct claim {
    const char *id, *where, *text;                /* in the experiment's text */
    const char *compares, *holds, *partly;        /* "" and NULL if it has none */
    const char *chosen;                           /* what we were free to choose; "" */
    char published[512], ours[512], remark[1024]; /* filled in; ours with ranges */
    enum claim_kind kind;
    enum verdict verdict;
    int runs;        /* the fewest runs behind the verdict; 0: its facts are exact */
    char since[32];  /* when the rule was written, "2026-11-23T15:04Z" */
    int younger;     /* than the oldest of the measurements that it judges */
    char fault[512]; /* what is wrong with `since`, and what to write; "" if nothing */
};
struct claims {
    struct claim *claim;
    int count;
};

/* The [claim] sections (plots/README.md says what is in them). `began`: start of the oldest
 * measurement, as sessions store it; "" for none. Fails with ERR_INPUT if a claim lacks a required
 * key, or a text or expression of it is invalid. */
enum err claims_judge(struct claims *c, const struct experiment *x, const struct facts *f,
                      struct database *d, const char *began);
void claims_free(struct claims *c);

#endif
