/* A command of the program. A file cmd_*.c, in core/command or with what the command does, defines
 * `const struct command command_NAME`; an action of `shoal db` is `const struct command db_action_NAME`.
 * make_registry collects them into the lists below. */
#ifndef SHOAL_COMMAND_H
#define SHOAL_COMMAND_H

#include "core/base/err.h"

struct command {
    const char *name, *arguments, *title;
    int place; /* in the help, which lists them by this number */
    /* Gets the arguments after the name, and prints results to stdout. */
    enum err (*run)(int argc, char **argv);
    void (*help)(void); /* what --help prints; null: it explains itself */
};

/* Each ends in NULL, in no order. */
extern const struct command *const commands[], *const db_actions[];

#endif
