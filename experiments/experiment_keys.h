/* What may stand in an experiment's file. */
#ifndef SHOAL_EXPERIMENT_KEYS_H
#define SHOAL_EXPERIMENT_KEYS_H

#include "experiments/experiment.h"

/* Fails with ERR_INPUT, file and line, for a section or a key that means nothing, one twice that may
 * stand once, a key without a value, and where what must be there is missing. */
enum err experiment_check(const struct experiment *x);

#endif
