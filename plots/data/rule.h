/* When a claim's rule was written: a date tied to the rule's text by a digest, so that a changed
 * rule needs a new date. */
#ifndef SHOAL_RULE_H
#define SHOAL_RULE_H

#include "experiments/experiment.h"

enum { RULE_DIGITS = 8, RULE_TIME = 32 };

/* The digest of the rule of a [claim], `holds` and `partly`, of all facts on which it depends, and
 * of the queries of their tables, without blanks: the first hexadecimal digits of their SHA-256. */
void rule_digest(const struct experiment *x, const struct section *claim,
                 char digest[RULE_DIGITS + 1]);

/* Reads `since = 2026-11-23T15:04Z DIGEST`. If there is none, or the digest is not the rule's, the
 * time is "" and `fault` says what to write. */
void rule_since(const struct experiment *x, const struct section *claim, char time[RULE_TIME],
                char *fault, size_t n);

#endif
