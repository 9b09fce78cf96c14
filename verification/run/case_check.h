/* Finds cases whose .verify cannot work, before any run. */
#ifndef SHOAL_CASE_CHECK_H
#define SHOAL_CASE_CHECK_H

#include "core/base/err.h"
#include "core/registry/case.h"

/* Fails as registry_check does. */
enum err verification_check(void);

/* The same of the case in verification/cases/FILE.c. */
enum err verification_check_case(const struct flow_case *c, const char *file);

#endif
