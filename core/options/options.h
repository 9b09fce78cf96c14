/* One row per option says everything about it: how it is parsed, checked, stored, printed, helped. */
#ifndef SHOAL_OPTIONS_H
#define SHOAL_OPTIONS_H

#include <stddef.h>

#include "core/registry/catalog.h"
#include "core/options/run_config.h"

enum option_kind {
    OPTION_NAME,   /* char[NAME_LENGTH]: an entry of `list`, or one of `choices` */
    OPTION_CHOICE, /* int: index in `choices`, -1 for unset */
    OPTION_REAL,   /* double, NAN for unset */
    OPTION_COUNT,  /* int; 0 for unset where there is no default */
    OPTION_LONG,   /* the same in a long */
    OPTION_TARGET, /* char[NAME_LENGTH]: a processor as compilers call it */
    OPTION_SWITCH, /* char[NAME_LENGTH]: NAME=NUMBER, "" for unset */
    OPTION_PATH,   /* char[FILE_LENGTH], "" for unset */
    OPTION_SUBSET, /* char[VARIABLES_LENGTH]: comma separated, from `choices`; "" for unset */
    OPTION_BLOCK,  /* struct block_choice, appended */
    OPTION_EDGE,   /* struct boundary_choice, appended; see core/options/edge_option.h */
    OPTION_GAUGE,  /* struct gauge_choice, appended */
    OPTION_REGION, /* double[4], NAN for unset */
    OPTION_FIELD,  /* struct field_choice: a number, or the name of a file */
    OPTION_FLAG,   /* int 0 or 1; "yes" and "no" in run files */
};

/* Largest width and height of a block, cells. */
enum { LARGEST_SIDE = 1024 };

enum option_group { GROUP_FLOW, GROUP_METHOD, GROUP_MACHINE, GROUP_OUTPUT, GROUP_AUTHORS, GROUPS };

struct option {
    const char *name;  /* without "--" */
    const char *value; /* what the help calls the value */
    enum option_group group;
    enum option_kind kind;
    size_t offset; /* of its member in struct config */
    const char *help;
    const char *initial; /* the default, as it would be typed; null if there is none */
    const char *unset;   /* then: where the value comes from if it is not given */
    enum listed list;
    const char *const *choices; /* ends with NULL */
    double low, high;           /* range of a number, ends included; DBL_MAX: no limit */
    int above;                  /* `low` itself is not allowed */
    int only_command_line;      /* not a key of run files */
    int edge;                   /* enum edge, of OPTION_EDGE */
};

/* True if it adds to what was given before, so that a run file may have it more than once. */
static inline int option_repeats(const struct option *o)
{
    return o->kind == OPTION_BLOCK || o->kind == OPTION_EDGE || o->kind == OPTION_GAUGE;
}

/* All options of `shoal run`, in the order of the help. The last has a NULL name. */
extern const struct option run_options[];

/* NULL if there is none of that name. */
const struct option *option_find(const char *name);

/* Stores the default, or what means "not given". */
void option_reset(const struct option *o, struct config *c);

/* True if this value of it is the name of a file. */
int option_is_file(const struct option *o, const char *text);

/* Parses and stores a value. Fails with ERR_USAGE; the message does not name the option. */
enum err option_set(const struct option *o, struct config *c, const char *text);

/* Formats value number k (only blocks and edges have more than one) so that option_set reads the same back.
 * False if there is no such value. */
int option_format(const struct option *o, const struct config *c, int k, char text[FILE_LENGTH]);

/* The fewest digits that give the same number. */
void option_format_real(double x, char *text, size_t n);

#endif
