/* Reads the manual's pages. */
#include "core/command/manual.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/paths.h"
#include "core/base/whole_file.h"
#include "core/command/find_command.h"
#include "core/picture/markdown.h"

static const char contents[] = "README";

static int begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The commands of a page, as one types them with an installed program. */
static void print_installed(FILE *f, const char *text, const char *home)
{
    static const char program[] = "build/shoal";
    static const char *const files[] = {"sh manual/", "notebook python/"};
    while (*text) {
        if (begins(text, program) && strchr(" \n", text[sizeof program - 1]))
            text += strlen("build/");
        for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
            const int word = (int)strcspn(files[k], " ") + 1;
            if (begins(text, files[k])) {
                fprintf(f, "%.*s%s/", word, files[k], home);
                text += word;
            }
        }
        fputc(*text++, f);
    }
}

static enum err as_installed(char **text)
{
    const char *home;
    char *from = *text;
    size_t size;
    int installed;
    TRY(paths_installed(&installed));
    if (!installed)
        return ERR_OK;
    TRY(paths_home(&home));
    FILE *f = open_memstream(text, &size);
    if (f)
        print_installed(f, from, home);
    free(from);
    if (!f || fclose(f) != 0)
        FAIL(MEMORY, "no memory for a page of the manual");
    return ERR_OK;
}

static enum err read_page(const char *topic, char **text)
{
    char name[PATH_LENGTH], path[PATH_LENGTH];
    snprintf(name, sizeof name, "manual/%.200s.md", topic);
    TRY(paths_file(name, path));
    TRY(whole_file_read(path, WHOLE_TEXT, text, NULL));
    return as_installed(text);
}

/* "- [TOPIC](TOPIC.md): title" */
static void add_topic(struct catalog *list, char *line)
{
    char *name = line + strlen("- ["), *end = strchr(line, ']'), *title = strstr(line, "): ");
    if (!begins(line, "- [") || !end || !title || list->count == CATALOG_ENTRIES)
        return;
    *end = '\0';
    catalog_add(list, name);
    snprintf(list->title[list->count - 1], TITLE_LENGTH, "%s", title + strlen("): "));
}

enum err manual_read_topics(struct manual_topics *topics)
{
    topics->list.count = 0;
    TRY(read_page(contents, &topics->text));
    for (char *rest = topics->text, *line; (line = strsep(&rest, "\n"));)
        add_topic(&topics->list, line);
    return ERR_OK;
}

void manual_free_topics(struct manual_topics *topics)
{
    free(topics->text);
    topics->text = NULL;
}

/* A link's target on a page of the site. */
static void print_target(FILE *f, const char *target, int length, const char *site)
{
    const char *page = memmem(target, (size_t)length, ".md", 3);
    if (begins(target, "http") || *target == '#')
        fprintf(f, "%.*s", length, target);
    else if (begins(target, "../"))
        fprintf(f, "%s%.*s", site, length - 2, target + 2);
    else if (begins(target, "README.md"))
        fputs("index.html", f);
    else if (page)
        fprintf(f, "%.*s.html%.*s", (int)(page - target), target, (int)(target + length - page) - 3,
                page + 3);
    else
        fprintf(f, "%s/manual/%.*s", site, length, target);
}

/* A line outside of code blocks, with its links converted. */
static void print_linked(FILE *f, const char *line, const char *site)
{
    for (const char *link; (link = strstr(line, "]("));) {
        const char *target = link + 2;
        const int length = (int)strcspn(target, ")");
        fprintf(f, "%.*s", (int)(target - line), line);
        print_target(f, target, length, site);
        line = target + length;
    }
    fprintf(f, "%s\n", line);
}

static enum err print_command(FILE *f, const char *topic, const char *name)
{
    const struct command *c = commands_find(commands, name);
    char *help = NULL;
    size_t size;
    if (!c || !c->about)
        FAIL(INPUT, "manual/%s.md: there is no command '%s' whose help could be inserted", topic,
             name);
    FILE *to = open_memstream(&help, &size);
    if (!to)
        FAIL(MEMORY, "no memory for the help of %s", name);
    commands_help(to, c, name);
    if (fclose(to) != 0)
        FAIL(MEMORY, "no memory for the help of %s", name);
    markdown_block(f, help);
    free(help);
    return ERR_OK;
}

enum err manual_print(FILE *f, const char *topic, const char *site)
{
    char *text, name[32];
    enum err e = ERR_OK;
    TRY(read_page(topic, &text));
    for (char *rest = text, *line; !e && (line = strsep(&rest, "\n")) && (rest || *line);) {
        if (sscanf(line, "<!-- shoal %31s --help -->", name) == 1)
            e = print_command(f, topic, name);
        else if (site && !begins(line, "    "))
            print_linked(f, line, site);
        else
            fprintf(f, "%s\n", line);
    }
    free(text);
    return e;
}

enum err manual_page(const char *topic, char **text)
{
    size_t size;
    *text = NULL;
    FILE *f = open_memstream(text, &size);
    if (!f)
        FAIL(MEMORY, "no memory for the page '%s'", topic);
    enum err e = manual_print(f, topic, NULL);
    if (fclose(f) != 0 && !e)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the page '%s'", topic);
    if (e) {
        free(*text);
        *text = NULL;
    }
    return e;
}
