/* From a typed name to a command or its help. */
#ifndef SHOAL_FIND_COMMAND_H
#define SHOAL_FIND_COMMAND_H

#include <stdio.h>

#include "core/registry/catalog.h"
#include "core/registry/command.h"

/* The command after `before` in the help's order, the first for NULL; NULL after the last. */
const struct command *commands_next(const struct command *const *list,
                                    const struct command *before);

/* NULL if there is none of that name. */
const struct command *commands_find(const struct command *const *list, const char *name);

/* What --help prints; `name` is the command's full name: "db show". */
void commands_help(FILE *f, const struct command *c, const char *name);

int commands_want_help(int argc, char **argv);

/* Runs a command with the arguments after its name, or prints its help if they ask for it. `before`
 * is the prefix of its name: "db ", or "". */
enum err commands_run(const struct command *c, const char *before, int argc, char **argv);

/* The names of a list, in the help's order. */
void commands_names(const struct command *const *list, struct catalog *names);

#endif
