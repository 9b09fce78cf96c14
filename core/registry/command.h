/* A command of the program. A file cmd_*.c, in core/command or in the room of its subject, defines
 * `const struct command command_NAME`; an action of `shoal db` is `const struct command
 * db_action_NAME`. make_registry collects them into the lists below. */
#ifndef SHOAL_COMMAND_H
#define SHOAL_COMMAND_H

#include <stddef.h>
#include <stdio.h>

#include "core/base/err.h"

struct option;

/* The arguments after a command's name. */
struct call {
    void *settings;          /* filled by the command's options */
    const char *const *word; /* arguments that are not options, in order */
    int words;
    int argc; /* everything, verbatim */
    char **argv;
    const char *line; /* "shoal verify --quick", quoted for a shell */
};

struct command {
    const char *name, *title;
    const char *arguments; /* its words, such as "[KERNEL]"; "" if it takes none */
    int place;             /* position in the help */

    /* What --help prints: a usage line, `about`, the options, `details`, the examples, one a line. */
    const char *about, *examples;
    void (*details)(FILE *f); /* or null */

    const struct option *options; /* core/options/options.h; NULL if it takes none */
    size_t settings;     /* size of the struct that they fill; 0: the command parses them itself */
    int least, most;     /* number of words */
    const char *missing; /* the message if there are fewer */
    const char *instead; /* the option probably meant by an unexpected word */
    int together;        /* several processes of a launcher may run it */

    enum err (*run)(const struct call *call); /* prints results to stdout */
};

/* Each ends with NULL, in no order. */
extern const struct command *const commands[], *const db_actions[];

#endif
