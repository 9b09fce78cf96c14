/* The manual as pages for a browser. */
#include "core/command/manual.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/output_file.h"
#include "core/base/paths.h"
#include "core/picture/markdown.h"
#include "core/picture/markdown_page.h"

struct page {
    const struct catalog *topics;
    const char *topic;
    char way[PATH_LENGTH]; /* from the site's folder to Shoal's */
};

/* A page begins with links to all of them. */
static enum err print_page(FILE *f, const void *context)
{
    const struct page *p = context;
    fputs("[Manual](index.html)", f);
    for (int k = 0; k < p->topics->count; k++)
        fprintf(f, " · [%s](%s.html)", p->topics->name[k], p->topics->name[k]);
    fputs("\n\n", f);
    return manual_print(f, p->topic, p->way);
}

/* "../.." if the folder is build/manual in Shoal's own, else Shoal's whole path. */
static enum err find_way(const char *folder, char way[PATH_LENGTH])
{
    char full[PATH_LENGTH];
    const char *home;
    TRY(paths_home(&home));
    const size_t n = strlen(home);
    snprintf(way, PATH_LENGTH, "%s", home);
    if (!realpath(folder, full) || strncmp(full, home, n) != 0 || full[n] != '/')
        return ERR_OK;
    strcpy(way, "..");
    for (const char *c = full + n + 1; *c; c++)
        if (*c == '/')
            strcat(way, "/..");
    return ERR_OK;
}

static enum err write_page(struct page *p, const char *folder, const char *topic, const char *name)
{
    char stem[PATH_LENGTH];
    snprintf(stem, sizeof stem, "%.3000s/%s", folder, name);
    p->topic = topic;
    return markdown_report(stem, 1, print_page, p);
}

static enum err write_man(const char *folder)
{
    char path[PATH_LENGTH];
    struct outfile file;
    FILE *f;
    snprintf(path, sizeof path, "%.3000s/shoal.1", folder);
    TRY(outfile_open(&file, path, &f));
    const enum err e = manual_print_man(f);
    if (!e)
        return outfile_close(&file, f);
    fclose(f);
    outfile_discard(&file);
    return e;
}

enum err manual_write(const char *folder)
{
    struct manual_topics topics;
    struct page p = {.topics = &topics.list};
    TRY(find_way(folder, p.way));
    TRY(manual_read_topics(&topics));
    enum err e = write_page(&p, folder, "README", "index");
    for (int k = 0; k < topics.list.count && !e; k++)
        e = write_page(&p, folder, topics.list.name[k], topics.list.name[k]);
    manual_free_topics(&topics);
    TRY(e);
    return write_man(folder);
}
