/* Completion for bash and zsh, generated from the tables of commands and options. */
#include "core/command/completion.h"

#include <ctype.h>
#include <string.h>

#include "core/command/find_command.h"
#include "core/command/manual.h"
#include "core/options/options.h"
#include "experiments/experiment.h"
#include "verification/run/plan.h"

static void print_catalog(FILE *f, const struct catalog *c)
{
    for (int k = 0; k < c->count; k++)
        fprintf(f, " %s", c->name[k]);
}

static void print_registered(FILE *f, enum listed list)
{
    struct catalog c;
    catalog_fill(&c, list);
    print_catalog(f, &c);
}

static int takes_file(const struct option *o)
{
    return o->type == &option_path || o->type->file;
}

/* The kind of names that an option takes, LISTS for none; some text options have a kind's name:
 * --case. */
static int names_taken(const struct option *o)
{
    int k = 0;
    if (o->type == &option_name || o->type == &option_names ||
        (o->type == &option_words && !o->choices))
        return (int)o->list;
    if (o->type != &option_text)
        return LISTS;
    while (k < LISTS && strncmp(catalog_kinds[k], o->name, strlen(o->name)) != 0)
        k++;
    return k;
}

/* Does an option take words that can be offered? */
static int takes_words(const struct option *o)
{
    return o->choices || names_taken(o) < LISTS;
}

static int words_are_files(const struct command *c)
{
    return strstr(c->arguments, "FILE") || strstr(c->arguments, "FOLDER");
}

static enum err print_experiments(FILE *f)
{
    struct experiment_list list;
    TRY(experiment_list_read(&list));
    for (int k = 0; k < list.count; k++)
        fprintf(f, " %s", list.name[k]);
    experiment_list_free(&list);
    return ERR_OK;
}

static enum err print_topics(FILE *f)
{
    struct manual_topics topics;
    TRY(manual_read_topics(&topics));
    print_catalog(f, &topics.list);
    manual_free_topics(&topics);
    return ERR_OK;
}

static void print_names(FILE *f, const struct command *const *list)
{
    for (const struct command *c = commands_next(list, NULL); c; c = commands_next(list, c))
        fprintf(f, " %s", c->name);
}

/* The words of `shoal list`. */
static void print_lists(FILE *f)
{
    for (int k = 0; k < LISTS; k++)
        fprintf(f, " %s", catalog_kinds[k]);
    fputs(" experiments", f);
}

/* The values of one of a command's words, by its name in the usage: "CASE", "cpu". */
static enum err print_words_of(FILE *f, const char *called)
{
    if (islower((unsigned char)*called))
        fprintf(f, " %s", called);
    else if (strcmp(called, "CASE") == 0)
        print_registered(f, LIST_CASES);
    else if (strcmp(called, "KERNEL") == 0)
        print_registered(f, LIST_KERNELS);
    else if (strcmp(called, "COMMAND") == 0)
        print_names(f, commands);
    else if (strcmp(called, "KIND") == 0)
        print_lists(f);
    else if (strcmp(called, "EXPERIMENT") == 0)
        return print_experiments(f);
    else if (strcmp(called, "TOPIC") == 0)
        return print_topics(f);
    return ERR_OK;
}

/* The values of a command's option, if it has a few. */
static void print_values(FILE *f, const struct command *c, const struct option *o)
{
    struct catalog to_verify;
    const int names = names_taken(o);
    for (int k = 0; o->choices && o->choices[k]; k++)
        fprintf(f, " %s", o->choices[k]);
    if (names == LIST_CASES && strcmp(c->name, "verify") == 0) {
        plan_names(&to_verify);
        print_catalog(f, &to_verify);
    } else if (names < LISTS) {
        print_registered(f, (enum listed)names);
    }
}

/* For a usage such as "CASE|FILE.nc|FILE.ini" or "--format FORMAT [KERNEL]". */
static enum err print_words(FILE *f, const struct command *c)
{
    char called[NAME_LENGTH];
    for (const char *at = c->arguments; *at; at += strcspn(at, " |[]")) {
        at += strspn(at, " |[]");
        snprintf(called, sizeof called, "%.*s", (int)strcspn(at, " |[]."), at);
        if (*at == '"')
            break; /* a text */
        TRY(print_words_of(f, called));
        if (!*at)
            break;
    }
    return ERR_OK;
}

static const char offer_files[] = "; compopt -o default";

static enum err bash_command(FILE *f, const struct command *c, const char *before)
{
    for (const struct option *o = c->options; o && o->name; o++) {
        if (o->type == &option_flag)
            continue;
        fprintf(f, "        '%s%s --%s') words='", before, c->name, o->name);
        print_values(f, c, o);
        fprintf(f, "'%s ;;\n", takes_file(o) ? offer_files : "");
    }
    fprintf(f, "        '%s%s '*) words='--help", before, c->name);
    for (const struct option *o = c->options; o && o->name; o++)
        fprintf(f, " --%s", o->name);
    TRY(print_words(f, c));
    fprintf(f, "'%s ;;\n", words_are_files(c) ? offer_files : "");
    return ERR_OK;
}

static enum err bash_commands(FILE *f, const struct command *const *list, const char *before)
{
    for (const struct command *c = commands_next(list, NULL); c; c = commands_next(list, c))
        if (list != commands || strcmp(c->name, "db") != 0)
            TRY(bash_command(f, c, before));
    return ERR_OK;
}

enum err completion_bash(FILE *f)
{
    fputs("# Completion of shoal's commands and options for bash, by `shoal help --print bash`.\n"
          "_shoal()\n{\n"
          "    local words= at=1 command=${COMP_WORDS[1]}\n"
          "    [[ $command != db ]] || { at=2 command=\"db ${COMP_WORDS[2]}\"; }\n"
          "    if ((COMP_CWORD == 1)); then\n        words='--help --version",
          f);
    print_names(f, commands);
    fputs("'\n    elif ((COMP_CWORD == at)); then\n        words='", f);
    print_names(f, db_actions);
    fputs("'\n    else\n        case \"$command ${COMP_WORDS[COMP_CWORD - 1]}\" in\n", f);
    TRY(bash_commands(f, commands, ""));
    TRY(bash_commands(f, db_actions, "db "));
    fputs("        esac\n    fi\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n"
          "complete -F _shoal shoal\n",
          f);
    return ERR_OK;
}

/* Within '...' of a specification in [...]. */
static void zsh_text(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", f);
        else if (strchr("[]:\\", *text))
            fputc('\\', f);
        fputc(*text, f);
    }
}

static void zsh_option(FILE *f, const struct command *c, const struct option *o)
{
    const int flag = o->type == &option_flag;
    fprintf(f, " \\\n        '%s--%s%s[", o->type->repeats ? "*" : "", o->name, flag ? "" : "=");
    zsh_text(f, o->help);
    fputc(']', f);
    if (!flag) {
        const int words = takes_words(o);
        fputc(':', f);
        zsh_text(f, o->value);
        fputs(words ? ":(" : takes_file(o) ? ":_files" : ": ", f);
        print_values(f, c, o);
        fputs(words ? ")" : "", f);
    }
    fputc('\'', f);
}

static enum err zsh_command(FILE *f, const struct command *c)
{
    fprintf(f, "    %s) _arguments '--help[explains the command]'", c->name);
    for (const struct option *o = c->options; o && o->name; o++)
        zsh_option(f, c, o);
    if (c->most) {
        fputs(" \\\n        '*:", f);
        zsh_text(f, c->arguments);
        fputs(":{compadd --", f);
        TRY(print_words(f, c));
        fputs(words_are_files(c) ? "; _files}'" : "}'", f);
    }
    fputs(" ;;\n", f);
    return ERR_OK;
}

/* A function that completes a command of the list, then what follows it. */
static enum err zsh_commands(FILE *f, const char *name, const struct command *const *list)
{
    fprintf(f,
            "%s()\n{\n    local state line\n"
            "    _arguments -C '1: :->command' '*:: :->rest' && return\n"
            "    if [[ $state == command ]]; then\n        local -a words=(",
            name);
    for (const struct command *c = commands_next(list, NULL); c; c = commands_next(list, c)) {
        fprintf(f, "\n            '%s:", c->name);
        zsh_text(f, c->title);
        fputc('\'', f);
    }
    fputs(")\n        _describe command words\n        return\n    fi\n    case $line[1] in\n", f);
    for (const struct command *c = commands_next(list, NULL); c; c = commands_next(list, c)) {
        if (list == commands && strcmp(c->name, "db") == 0)
            fputs("    db) _shoal_db ;;\n", f);
        else
            TRY(zsh_command(f, c));
    }
    fputs("    esac\n}\n\n", f);
    return ERR_OK;
}

enum err completion_zsh(FILE *f)
{
    fputs("#compdef shoal\n"
          "# Completion of shoal's commands and options for zsh, by `shoal help --print zsh`.\n",
          f);
    TRY(zsh_commands(f, "_shoal_db", db_actions));
    TRY(zsh_commands(f, "_shoal", commands));
    fputs("if [[ $funcstack[1] == _shoal ]]; then\n    _shoal \"$@\"\nelse\n"
          "    compdef _shoal shoal\nfi\n",
          f);
    return ERR_OK;
}
