/* When a claim's rule was written: a date that goes with the rule's text, so that nobody changes one and forgets
 * the other. */
#ifndef SHOAL_RULE_H
#define SHOAL_RULE_H

#include "experiments/experiment.h"

enum { RULE_DIGITS = 8, RULE_TIME = 32 };

/* Of the rule of a [claim], `holds` and `partly`, of all facts that it stands on, and of the queries of the tables that
 * these ask, blanks aside: the first hexadecimal digits of their SHA-256. */
void rule_digest(const struct experiment *x, const struct section *claim,
                 char digest[RULE_DIGITS + 1]);

/* Reads `since = 2026-11-23T15:04Z DIGEST`. "" for the time, and in `fault` what to write, where there is none,
 * or the digest is not the rule's. */
void rule_since(const struct experiment *x, const struct section *claim, char time[RULE_TIME],
                char *fault, size_t n);

#endif
