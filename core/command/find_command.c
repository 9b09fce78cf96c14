/* Finds a command, and runs it or explains it. */
#include "core/command/find_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/launched.h"
#include "core/options/options.h"

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

void commands_help(FILE *f, const struct command *c, const char *name)
{
    fprintf(f, "usage: shoal %s%s%s%s\n\n%s\n", name, *c->arguments ? " " : "", c->arguments,
            c->options ? " [options]" : "", c->about);
    if (c->options && c->settings) {
        fputs("\noptions, with defaults in parentheses:\n", f);
        options_help(f, c->options, -1);
    }
    if (c->details)
        c->details(f);
    if (c->examples)
        fprintf(f, "\nexamples:\n%s\n", c->examples);
}

/* The command, quoted for a shell. */
static enum err join_line(const char *name, int argc, char **argv, char **line)
{
    size_t size;
    FILE *f = open_memstream(line, &size);
    if (!f)
        FAIL(MEMORY, "no memory for a command line");
    fprintf(f, "shoal %s", name);
    for (int k = 0; k < argc; k++)
        fprintf(f, strpbrk(argv[k], " \t") ? " '%s'" : " %s", argv[k]);
    if (fclose(f) != 0)
        FAIL(MEMORY, "no memory for a command line");
    return ERR_OK;
}

static enum err read_and_run(const struct command *c, const char *name, struct call *call)
{
    struct arguments a = {.command = name,
                          .options = c->options,
                          .word = calloc((size_t)c->most + 1, sizeof *a.word),
                          .most = c->most,
                          .takes = c->arguments,
                          .instead = c->instead};
    call->settings = calloc(c->settings + 1, 1);
    enum err e = ERR_OK;
    if (!a.word || !call->settings)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the options of %s", name);
    if (!e) {
        options_reset(c->options, call->settings);
        e = options_read(&a, call->argc, call->argv, call->settings);
    }
    call->word = a.word;
    call->words = a.words;
    if (!e && a.words < c->least)
        e = err_set(ERR_USAGE, __FILE__, __LINE__, "%s", c->missing);
    if (!e)
        e = c->run(call);
    free(call->settings);
    free(a.word);
    return e;
}

static int has_option(const struct command *c, const char *name)
{
    for (const struct option *o = c->options; o && o->name; o++)
        if (strcmp(o->name, name) == 0)
            return 1;
    return 0;
}

enum err commands_run(const struct command *c, const char *before, int argc, char **argv)
{
    struct call call = {.argc = argc, .argv = argv};
    char name[2 * NAME_LENGTH], *line = NULL;
    const int itself = c->settings == 0 && (c->options || !c->about);
    snprintf(name, sizeof name, "%s%s", before, c->name);
    if (c->about && commands_want_help(argc, argv)) {
        commands_help(stdout, c, name);
        return ERR_OK;
    }
    if (!c->together)
        TRY(launched_refuse(name, has_option(c, "parts")));
    enum err e = join_line(name, argc, argv, &line);
    call.line = line;
    if (!e)
        e = itself ? c->run(&call) : read_and_run(c, name, &call);
    free(line);
    return e;
}

void commands_names(const struct command *const *list, struct catalog *names)
{
    names->count = 0;
    for (const struct command *c = commands_next(list, NULL); c; c = commands_next(list, c))
        catalog_add(names, c->name);
}
