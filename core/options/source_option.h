/* What --source takes. */
#ifndef SHOAL_SOURCE_OPTION_H
#define SHOAL_SOURCE_OPTION_H

#include "core/options/run_config.h"

/* A choice in the option's syntax. */
void source_option_print(const struct config *c, const struct source_choice *s, char *text,
                         size_t n);

#endif
