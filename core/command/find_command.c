/* Finds a command, and runs it or explains it. */
#include "core/command/find_command.h"

#include <string.h>

const struct command *commands_next(const struct command *const *list, const struct command *before)
{
    const struct command *next = NULL;
    for (; *list; list++)
        if ((!before || (*list)->place > before->place) && (!next || (*list)->place < next->place))
            next = *list;
    return next;
}

const struct command *commands_find(const struct command *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp((*list)->name, name) == 0)
            return *list;
    return NULL;
}

int commands_want_help(int argc, char **argv)
{
    for (int k = 0; k < argc; k++)
        if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0)
            return 1;
    return 0;
}

enum err commands_run(const struct command *c, int argc, char **argv)
{
    if (!c->help || !commands_want_help(argc, argv))
        return c->run(argc, argv);
    c->help();
    return ERR_OK;
}

void commands_names(const struct command *const *list, struct catalog *names)
{
    names->count = 0;
    for (const struct command *c = commands_next(list, NULL); c; c = commands_next(list, c))
        catalog_add(names, c->name);
}
