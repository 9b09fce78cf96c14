/* The man page, in troff: a section for each command, its options from its table. */
#include "core/command/manual.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/version.h"
#include "core/command/find_command.h"
#include "core/options/options.h"

/* A line of text, escaped so that nothing in it is a troff request. */
static void print_text(FILE *f, const char *text)
{
    int begins_line = 1;
    for (; *text; text++) {
        if (begins_line && (*text == '.' || *text == '\''))
            fputs("\\&", f);
        begins_line = *text == '\n';
        if (*text == '\\')
            fputs("\\e", f);
        else if (*text == '-')
            fputs("\\-", f);
        else
            fputc(*text, f);
    }
    fputc('\n', f);
}

/* An item of a list: a bold term, then its description. */
static void print_item(FILE *f, const char *left, const char *right)
{
    fputs(".TP\n.B ", f);
    print_text(f, left);
    print_text(f, right);
}

static void print_block(FILE *f, const char *text)
{
    fputs(".PP\n.nf\n", f);
    print_text(f, text);
    fputs(".fi\n", f);
}

static void print_options(FILE *f, const struct option *o)
{
    for (; o && o->name; o++) {
        const int flag = o->type == &option_flag;
        const char *standard = o->initial && !flag ? o->initial : o->unset;
        char left[2 * NAME_LENGTH], right[4 * NAME_LENGTH];
        snprintf(left, sizeof left, "--%s%s%s", o->name, flag ? "" : " ", flag ? "" : o->value);
        snprintf(right, sizeof right, "%s%s%s%s", o->help, standard ? " (" : "",
                 standard ? standard : "", standard ? ")" : "");
        print_item(f, left, right);
    }
}

static void print_command(FILE *f, const struct command *c, const char *before)
{
    char title[4 * NAME_LENGTH];
    snprintf(title, sizeof title, "shoal %s%s %s", before, c->name, c->arguments);
    fputs(".SS ", f);
    print_text(f, title);
    print_text(f, c->about ? c->about : c->title);
    print_options(f, c->options);
    if (c->examples)
        print_block(f, c->examples);
}

static void print_commands(FILE *f, const struct command *const *list, const char *before)
{
    for (const struct command *c = commands_next(list, NULL); c; c = commands_next(list, c))
        print_command(f, c, before);
}

/* Removes Markdown's marks: `code` and links' targets. */
static char *strip(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (strncmp(from, "](", 2) == 0)
            from += strcspn(from, ")");
        else if (*from != '`' && *from != '[')
            *to++ = *from;
    }
    *to = '\0';
    return text;
}

/* "| a | b |" of a table, as an item. */
static void print_row(FILE *f, char *line)
{
    char *left = line + 2, *between = strstr(left, " | "), *end = strrchr(line, '|');
    if (strncmp(line, "|-", 2) == 0 || !between || end - 1 <= between + 3)
        return;
    *between = end[-1] = '\0';
    if (*left != ' ' && *left)
        print_item(f, strip(left), strip(between + 3));
}

/* A page of the manual that has headings, paragraphs and tables of two columns. */
static enum err print_page(FILE *f, const char *topic)
{
    char *text;
    TRY(manual_page(topic, &text));
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        const int titles = *line == '|' && rest && strncmp(rest, "|-", 2) == 0; /* of columns */
        if (strncmp(line, "## ", 3) == 0)
            fprintf(f, ".SH %s\n", line + 3);
        else if (*line == '|' && !titles)
            print_row(f, line);
        else if (titles || *line == '#')
            continue;
        else if (*line)
            print_text(f, strip(line));
        else
            fputs(".PP\n", f);
    }
    free(text);
    return ERR_OK;
}

enum err manual_print_man(FILE *f)
{
    fprintf(f, ".TH SHOAL 1 \"\" \"Shoal %s\" \"Shoal\"\n", shoal_version);
    fputs(".SH NAME\nshoal \\- shallow\\-water flow on CPUs and GPUs\n"
          ".SH SYNOPSIS\n.B shoal\n.I COMMAND\n[arguments]\n"
          ".SH DESCRIPTION\nComputes shallow\\-water flow with explicit finite\\-volume schemes, "
          "verifies, measures and tunes them.\n.B shoal help\nlists the pages of the manual.\n"
          ".SH COMMANDS\n",
          f);
    print_commands(f, commands, "");
    print_commands(f, db_actions, "db ");
    return print_page(f, "exit");
}
