/* The questions, a function each: add up in `a` what was compared and what was the same, and keep a
 * sentence for what was not. */
#ifndef SHOAL_QUESTIONS_H
#define SHOAL_QUESTIONS_H

#include "verification/certify/certify.h"

/* What stands for the bits of a run that gave up. */
extern const char certified_broken[];

/* The run, with the options that the certificate names. */
void certified_configure(struct config *c, const struct certified_run *run, enum backend_kind b,
                         int device);

typedef enum err ask(struct certifying *c, enum backend_kind b, struct answer *a);

ask ask_stored, ask_backends;                                      /* stored.c */
ask ask_again, ask_threads, ask_blocks, ask_orders, ask_exchanged, /* questions.c */
    ask_compilers, ask_graphs, ask_early_exit, ask_pauses;
ask ask_restart; /* restart.c */

#endif
