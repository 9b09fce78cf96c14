/* Options of a run one by one, for tests of all of them; include after cmocka.h. */
#ifndef SHOAL_TEST_RUN_OPTIONS_H
#define SHOAL_TEST_RUN_OPTIONS_H

#include "core/options/run_config.h"
#include "tests/support/printed.h"
#include "tests/support/settings.h"

/* Sends the settings, or the help, to a file of the scratch folder. */
static inline void print_to(const char *name, const struct config *c)
{
    printed_begin(name);
    if (c)
        config_print(c);
    else
        config_help(stdout);
    printed_end();
}

/* A case for which an option has a meaning. */
static inline const char *case_for(const struct option *o)
{
    return o && o->system && strcmp(o->system, "sediment") == 0 ? "delta" : a_case();
}

/* Options that need another one beside them bring it along here. */
static inline enum err read_one(struct config *c, const char *option, const char *value)
{
    char argument[FILE_LENGTH + NAME_LENGTH], output[PATH_LENGTH];
    snprintf(argument, sizeof argument, "--%s=%s", option, value);
    scratch_path(output, "a b#\".nc");
    const struct option *o = option_find(run_options, option);
    if (o && o->group == GROUP_OUTPUT && strcmp(option, "output") != 0)
        return READ(c, a_case(), "--output", output, argument);
    return READ(c, case_for(o), argument);
}

static inline int numeric(const struct option *o)
{
    return o->type == &option_number || o->type == &option_count || o->type == &option_long;
}

#endif
