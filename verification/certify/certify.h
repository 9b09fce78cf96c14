/* What is the same to the last bit: comparisons, and how many agreed. */
#ifndef SHOAL_CERTIFY_H
#define SHOAL_CERTIFY_H

#include "core/registry/scheme.h"
#include "verification/certify/certificate.h"
#include "verification/run/invariant.h"

/* The request and its results. */
struct certifying {
    char schemes[VARIABLES_LENGTH]; /* comma separated; "": all */
    char cases[VARIABLES_LENGTH * 4];
    int device; /* which GPU */
    struct division division;
    int on[BACKENDS];  /* which backends are checked */
    char no_cuda[512]; /* why there is none; "" if there is one */

    struct certificate stored, computed[BACKENDS];

    struct difference {
        char text[512]; /* differences, a sentence each */
    } * difference;
    int differences;
};

/* The result of one comparison on one backend. */
struct answer {
    int asked;
    int compared, same; /* runs; how many of them with the same bits */
    int apart;          /* runs not compared, as they start from other bits */
    char absent[512];   /* why it cannot run here; "" if it can */
};

/* The result of a job of a plan, in memory that processes share (JOB_WORK). */
enum { TELLINGS = 7 };
struct told {
    int compared, same, said;
    struct certified_run run;
    char text[TELLINGS][512]; /* what was not the same */
};

/* Adds a sentence. */
void told_differs(struct told *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

struct job;
struct session;

/* Runs the jobs of a plan. Accumulates their comparisons in `a`, and stores their sentences. */
enum err certify_compute(struct certifying *c, struct session *s, struct answer *a);

struct outcome;

/* Runs a flow in a way that `n` specifies; the outcome has the same shape. */
typedef enum err rerun(const struct config *c, const struct scene *s, int n, struct outcome *o);

struct variation {
    const char *name; /* completes "rk2 f32 shore ...": "with 2 threads"; null: there is none */
    int n, precision; /* only in this precision; -1: in both */
    void (*configure)(struct config *c, int n); /* the changed setting; null: none */
    rerun *run;                                 /* how it runs; null: as usual */
};

enum { VARIATIONS = 4 };

/* Small flows that run twice, the second time with a variation. */
struct comparison {
    int nx, ny;                                         /* cells; 0: small ones */
    long steps;                                         /* 0: a few */
    enum err (*scene)(struct scene *s, int nx, int ny); /* this flow of water only; null: all */
    int first;                                          /* only the first of all */
    int (*applies)(const struct scheme *s);             /* null: to all */
    struct variation variation[VARIATIONS];
};

struct question {
    const char *name, *title; /* name: in records */
    int on[BACKENDS];         /* where it applies */
    int of_cases;             /* about cases, otherwise about flows made for it */
    struct comparison how;
    enum err (*ask)(struct certifying *c, enum backend_kind b,
                    struct answer *a); /* null: compares */
};

/* In the order of the table. */
enum {
    ASK_STORED,
    ASK_BACKENDS,
    ASK_AGAIN,
    ASK_THREADS,
    ASK_BLOCKS,
    ASK_PARTS,
    ASK_TILES,
    ASK_TRACER,
    ASK_RANKS,
    ASK_ORDERS,
    ASK_COMPILERS,
    ASK_EXCHANGED,
    ASK_PAUSES,
    ASK_RESTART,
    ASK_EARLY_EXIT,
    ASK_SPARSE,
    ASK_GRAPHS,
    ASK_DEVICES,
    QUESTIONS
};
extern const struct question questions[QUESTIONS];

/* Accumulates in `a` what was compared and what agreed, and stores a sentence for each
 * difference. */
enum err certify_ask(struct certifying *c, int question, enum backend_kind b, struct answer *a);

/* Questions that need more than a comparison of small flows: stored.c, restart.c. */
enum err ask_stored(struct certifying *c, enum backend_kind b, struct answer *a);
enum err ask_backends(struct certifying *c, enum backend_kind b, struct answer *a);
enum err ask_restart(struct certifying *c, enum backend_kind b, struct answer *a);

/* Represents the bits of a run that broke down. */
extern const char certified_broken[];

/* The run, with the options that the certificate names. */
void certified_configure(struct config *c, const struct certified_run *run,
                         const struct variant *where);

/* How a scheme is run there. */
struct variant certify_variant(const struct certifying *c, const struct scheme *s, enum precision p,
                               enum backend_kind b);

/* Was this scheme requested? */
int certify_wants(const struct certifying *c, const struct scheme *s);

/* Runs every requested case with every requested scheme, in both precisions, into
 * c->computed[b]. */
enum err certify_cases(struct certifying *c, enum backend_kind b);

/* Stores the CPU's results; drops schemes and cases that no longer exist. */
struct update {
    int added, changed, dropped;
};
enum err certify_update(struct certifying *c, struct update *done);

/* Stores a sentence without counting. */
enum err certify_differs(struct certifying *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

void certifying_free(struct certifying *c);

#endif
