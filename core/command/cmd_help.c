/* `shoal help`: the manual. */
#include "core/registry/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/paths.h"
#include "core/command/completion.h"
#include "core/command/find_command.h"
#include "core/command/manual.h"
#include "core/options/options.h"

struct settings {
    char output[PATH_LENGTH];
    int print;
};

/* What can be printed for other programs. */
static const char *const printed[] = {"man", "bash", "zsh", NULL};
static enum err (*const printers[])(FILE *f) = {manual_print_man, completion_bash, completion_zsh};

static const struct option options[] = {
    {"output", "FOLDER", "writes the manual into it: HTML pages, and shoal.1 for man",
     PATH_IN(struct settings, output)},
    {"print", "FORM", "prints the man page, or completion for a shell: man, bash or zsh",
     CHOICE_IN(struct settings, print, printed)},
    {.name = NULL},
};

static void print_topics(FILE *f, const struct catalog *topics)
{
    fputs("The manual. `shoal help TOPIC` shows a page, `shoal help COMMAND` explains a command.\n"
          "\n",
          f);
    for (int k = 0; k < topics->count; k++)
        fprintf(f, "  %-16s %s\n", topics->name[k], topics->title[k]);
    fputs("\ncommands:", f);
    for (const struct command *c = commands_next(commands, NULL); c; c = commands_next(commands, c))
        fprintf(f, " %s", c->name);
    fputc('\n', f);
}

/* Uses a pager on a terminal; returns 0 if there was none, and nothing is shown yet. */
static int page(const char *text)
{
    const char *set = getenv("PAGER"), *pager = set && *set ? set : "less";
    if (!isatty(STDOUT_FILENO))
        return 0;
    setenv("LESS", "FRX", 0); /* ends at once if everything fits on the screen */
    fflush(stdout);
    FILE *to = popen(pager, "w");
    if (!to)
        return 0;
    fputs(text, to);
    const int status = pclose(to);
    return !(WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127));
}

static enum err show(const char *topic)
{
    char *text;
    TRY(manual_page(topic, &text));
    if (!page(text))
        fputs(text, stdout);
    free(text);
    return ERR_OK;
}

static enum err explain(const struct command *c, const struct call *call)
{
    char help[] = "--help", *word[] = {help, help};
    if (call->words == 1)
        return commands_run(c, "", 1, word);
    word[0] = call->argv[1];
    return commands_run(c, "", 2, word);
}

static enum err find_and_show(struct catalog *topics, const struct call *call)
{
    if (!call->words) {
        print_topics(stdout, topics);
        return ERR_OK;
    }
    const char *name = call->word[0];
    const struct command *c = commands_find(commands, name);
    if (c)
        return explain(c, call);
    if (catalog_has(topics, name) && call->words == 1)
        return show(name);
    for (c = commands_next(commands, NULL); c; c = commands_next(commands, c))
        catalog_add(topics, c->name);
    return catalog_unknown(topics, "topic", name, "`shoal help` lists the topics");
}

static enum err cmd_help(const struct call *call)
{
    const struct settings *s = call->settings;
    struct manual_topics topics;
    if (*s->output) {
        TRY(paths_folder(s->output, "choose another --output"));
        TRY(manual_write(s->output));
        printf("%s/shoal.1\n", s->output); /* pages themselves report that they cannot be made */
        return ERR_OK;
    }
    if (s->print >= 0)
        return printers[s->print](stdout);
    TRY(manual_read_topics(&topics));
    const enum err e = find_and_show(&topics.list, call);
    manual_free_topics(&topics);
    return e;
}

const struct command command_help = {
    .name = "help",
    .arguments = "[TOPIC|COMMAND]",
    .title = "the manual",
    .place = 14,
    .about =
        "Without a TOPIC, lists the pages of the manual. Shows a page, through $PAGER or less\n"
        "on a terminal, or the help of a COMMAND.",
    .examples = "  shoal help\n"
                "  shoal help terrain\n"
                "  shoal help db show\n"
                "  shoal help troubleshooting | grep -A3 netCDF\n"
                "  source <(shoal help --print bash)",
    .options = options,
    .settings = sizeof(struct settings),
    .most = 2,
    .run = cmd_help,
};
