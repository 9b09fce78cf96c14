/* The manual: a page of Markdown for each topic, manual/TOPIC.md. Its list of contents is
 * manual/README.md, where each topic has a line "- [TOPIC](TOPIC.md): what it is about". A line
 * "<!-- shoal COMMAND --help -->" is replaced by that command's help. */
#ifndef SHOAL_MANUAL_H
#define SHOAL_MANUAL_H

#include <stdio.h>

#include "core/base/err.h"
#include "core/registry/catalog.h"

/* The topics in the order of the contents, each with its title. */
struct manual_topics {
    struct catalog list;
    char *text; /* the names */
};

/* Fails with ERR_INPUT if the folder is missing. */
enum err manual_read_topics(struct manual_topics *topics);
void manual_free_topics(struct manual_topics *topics);

/* Writes the page of a topic. Links lead to files beside it, or, with `site`, to pages of an HTML
 * site in a folder, from which `site` leads to Shoal's own folder: "../..". Fails if there is no
 * such page. */
enum err manual_print(FILE *f, const char *topic, const char *site);

/* The page of a topic as text; the caller frees it; null after a failure. */
enum err manual_page(const char *topic, char **text);

/* Writes the site, index.html and TOPIC.html, and the man page, shoal.1. The folder must exist. */
enum err manual_write(const char *folder);

/* The man page, from the tables of commands and options and the page `exit`. */
enum err manual_print_man(FILE *f);

#endif
