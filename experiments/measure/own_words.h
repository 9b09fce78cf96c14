/* Words that hold for one case or scheme only: `three-humps:150`. */
#ifndef SHOAL_MEASURE_OWN_WORDS_H
#define SHOAL_MEASURE_OWN_WORDS_H

#include "core/registry/case.h"
#include "experiments/experiment.h"

/* The characters of its subject; 0: it holds for all. */
size_t own_word_subject(const char *word);

/* What word number k of a list says of a subject: all of it, or what follows `SUBJECT:`. NULL: nothing, as it is
 * about another one, or is about all where the list has words about this one. */
const char *own_word(const char (*list)[EXPERIMENT_WORD + 1], int count, int k,
                     const char *subject);

/* The words of t-end; their number, which is 0 without one, or -1 with the error set. */
enum { MOST_ENDS = 16 };
int measure_end_words(const struct experiment *x, enum backend_kind backend, const char **value,
                      char word[MOST_ENDS][EXPERIMENT_WORD + 1]);

/* The end time of a case's runs, s: by t-end, or that at which the case is verified. Fails with ERR_INPUT. */
enum err measure_end_of(const struct experiment *x, enum backend_kind backend,
                        const struct flow_case *f, double *t_end);

#endif
