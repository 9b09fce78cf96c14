/* What is the same to the last bit: questions, and how often the answer was yes. */
#ifndef SHOAL_CERTIFY_H
#define SHOAL_CERTIFY_H

#include "core/registry/scheme.h"
#include "verification/certify/certificate.h"

/* What was asked for, and what came of it. */
struct certifying {
    char schemes[VARIABLES_LENGTH]; /* comma separated; "": all */
    char cases[VARIABLES_LENGTH * 4];
    int device;        /* which GPU */
    int on[BACKENDS];  /* which backends are asked */
    char no_cuda[512]; /* why there is none; "" if there is one */

    struct certificate stored, computed[BACKENDS];

    struct difference {
        char text[512]; /* what was not the same, in a sentence */
    } * difference;
    int differences;
    void (*progress)(const char *text); /* optional: told what is about to be run */
};

/* What one question came to on one backend. */
struct answer {
    int asked;
    int compared, same; /* runs; of these, with the same bits */
    int apart;          /* runs not compared: they start from other bits */
    char absent[512];   /* why it cannot be asked here; "" if it can */
};

struct question {
    const char *name, *title; /* name: in records */
    int on[BACKENDS];         /* where it makes sense */
    int of_cases;             /* about cases, else about flows that are made for it */
    enum err (*ask)(struct certifying *c, enum backend_kind b, struct answer *a);
};

/* In the order of the table; the last has no name. */
enum { MOST_QUESTIONS = 16 };
extern const struct question questions[];

/* Was this scheme asked for? */
int certify_wants(const struct certifying *c, const struct scheme *s);

/* Runs every case with every scheme that was asked for, in both precisions, into c->computed[b]. */
enum err certify_cases(struct certifying *c, enum backend_kind b);

/* Stores what the CPU has computed; of schemes and cases that there are no longer, nothing stays. */
struct update {
    int added, changed, dropped;
};
enum err certify_update(struct certifying *c, struct update *done);

/* Keeps a sentence, and counts nothing. */
enum err certify_differs(struct certifying *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

void certifying_free(struct certifying *c);

#endif
