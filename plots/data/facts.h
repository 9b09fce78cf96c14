/* Facts: numbers and words that queries answer about an experiment's tables, and what follows for what
 * was claimed. */
#ifndef SHOAL_FACTS_H
#define SHOAL_FACTS_H

#include "plots/data/figure_tables.h"

enum { VALUE_TEXT = 127 };

/* A number, or a word (then number is NAN); or not known, because nothing answers. What was measured has an
 * interval: its ends, infinite where a single run says nothing of them, and of how many runs it is, the least
 * where several numbers are behind it; 0 runs: the number is exact. */
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
    const struct experiment *experiment; /* whose they are; must live as long */
};

/* Evaluates the [facts] of an experiment in their order, "name = SELECT ..." or "name = EXPRESSION" of SQL,
 * while its tables are in the database; :name is a fact above. A row of four columns is a value, the ends of its
 * interval, and how many runs it is of; what stands on facts with intervals has one, too. Fails with ERR_INPUT
 * (file, line) where one cannot be answered, or has several rows or another number of columns. What is NULL, or
 * no row, is not known. */
enum err facts_evaluate(struct facts *f, const struct experiment *x, struct database *d);
void facts_free(struct facts *f);

/* One of them, with the facts that are there. Fails with ERR_USAGE where it cannot be answered. */
enum err facts_value(const struct facts *f, struct database *d, const char *text, struct value *v);
int value_is_word(const struct value *v);

/* Replaces {name}, {name:.2f} (a printf format without its %; default .3g; words ignore it) in a text;
 * {{ is a brace. What is not known becomes "not measured". Fails with ERR_INPUT for a name that is no
 * fact; file and line are named where `text` lies in the experiment. With ranges: "1.2 (1.1 to 1.4)". */
enum err facts_fill(const struct facts *f, const char *text, char *filled, size_t n);
enum err facts_fill_ranges(const struct facts *f, const char *text, char *filled, size_t n);

/* What became of a claim. */
enum verdict {
    VERDICT_HOLDS,
    VERDICT_PARTLY,
    VERDICT_FAILS,
    VERDICT_UNDECIDED, /* an interval covers the bar, or there is none */
    VERDICT_UNKNOWN,
    VERDICT_NOTE, /* there is no rule: what any faster device would pass */
    VERDICTS
};
extern const char *const claim_verdicts[VERDICTS]; /* "holds", "partly", "does not hold", ... */

/* Whose claim it is. */
enum claim_kind { CLAIM_PUBLISHED, CLAIM_OWN, CLAIM_NOTE };

struct claim {
    const char *id, *where, *text;                /* in the experiment's text */
    const char *compares, *holds, *partly;        /* "" and NULL where it has none */
    const char *chosen;                           /* what we were free to choose; "" */
    char published[512], ours[512], remark[1024]; /* filled in; ours with ranges */
    enum claim_kind kind;
    enum verdict verdict;
    int runs;        /* the least that are behind the verdict; 0: what it stands on is exact */
    char since[32];  /* when the rule was written, "2026-11-23T15:04Z" */
    int younger;     /* than the oldest of the measurements that it judges */
    char fault[512]; /* what is wrong with `since`, and what to write; "" */
};
struct claims {
    struct claim *claim;
    int count;
};

/* The [claim] sections (plots/README.md says what is in them). `began`: when the oldest of the measurements was, as
 * sessions say it; "" for none. Fails with ERR_INPUT where one lacks what it must have, or a text or expression of it
 * cannot be read. */
enum err claims_judge(struct claims *c, const struct experiment *x, const struct facts *f,
                      struct database *d, const char *began);
void claims_free(struct claims *c);

#endif
