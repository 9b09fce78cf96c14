/* A command of the program. A file cmd_*.c, in core/command or with what the command does, defines
 * `const struct command command_NAME`; an action of `shoal db` is `const struct command db_action_NAME`.
 * make_registry collects them into the lists below. */
#ifndef SHOAL_COMMAND_H
#define SHOAL_COMMAND_H

#include <stddef.h>
#include <stdio.h>

#include "core/base/err.h"

struct option;

/* What was typed after a command's name. */
struct call {
    void *settings;          /* filled by the command's options */
    const char *const *word; /* what is no option, in order */
    int words;
    int argc; /* everything, as it was typed */
    char **argv;
    const char *line; /* "shoal verify --quick": as it can be typed again */
};

struct command {
    const char *name, *title;
    const char *arguments; /* its words, such as "[KERNEL]"; "" if it takes none */
    int place;             /* in the help, which lists them by this number */

    /* What --help prints: a usage line, `about`, the options, `details`, the examples, one a line. */
    const char *about, *examples;
    void (*details)(FILE *f); /* or null */

    const struct option *options; /* core/options/options.h; NULL if it takes none */
    size_t settings;     /* size of the struct that they fill; 0: the command reads them itself */
    int least, most;     /* words */
    const char *missing; /* the message where there are fewer */
    const char *instead; /* where there is no word: the option that one was meant for */

    enum err (*run)(const struct call *call); /* prints results to stdout */
};

/* Each ends in NULL, in no order. */
extern const struct command *const commands[], *const db_actions[];

#endif
