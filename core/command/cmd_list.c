/* `shoal list`: everything that users choose by name, one per line, the name first. */
#include "core/registry/command.h"

#include <stdio.h>
#include <string.h>

#include "core/registry/catalog.h"
#include "experiments/experiment.h"

/* Not in the registry: files, listed from their folder. */
static const char experiments[] = "experiments";

static void print_kinds(FILE *f)
{
    fputs("\nkinds:\n", f);
    for (int k = 0; k < LISTS; k++)
        fprintf(f, "  %s\n", catalog_kinds[k]);
    fprintf(f, "  %s\n", experiments);
}

static void print_list(enum listed list, const char *indent)
{
    struct catalog c;
    int width = 0;
    catalog_fill(&c, list);
    for (int k = 0; k < c.count; k++) {
        const int n = (int)strlen(c.name[k]);
        width = n > width ? n : width;
    }
    for (int k = 0; k < c.count; k++)
        printf("%s%-*s  %s\n", indent, width, c.name[k], c.title[k]);
}

static enum err cmd_list(const struct call *call)
{
    struct catalog kinds = {0};
    const char *only = call->words ? call->word[0] : NULL;
    for (int k = 0; k < LISTS; k++) {
        if (!only)
            printf("%s%s:\n", k ? "\n" : "", catalog_kinds[k]);
        if (!only || strcmp(only, catalog_kinds[k]) == 0)
            print_list((enum listed)k, only ? "" : "  ");
        catalog_add(&kinds, catalog_kinds[k]);
    }
    catalog_add(&kinds, experiments);
    if (!only)
        printf("\n%s:\n", experiments);
    if (!only || strcmp(only, experiments) == 0)
        return experiments_print(only ? "" : "  ");
    return catalog_has(&kinds, only) ? ERR_OK : catalog_unknown(&kinds, "kind of list", only, NULL);
}

const struct command command_list = {
    .name = "list",
    .arguments = "[KIND]",
    .title = "lists what you can choose by name",
    .place = 1,
    .about =
        "Lists what you can choose by name, one per line, the name first, then a description.\n"
        "Without a KIND, lists everything, under a heading for each kind.",
    .details = print_kinds,
    .examples = "  shoal list limiters\n"
                "  shoal list cases | cut -d' ' -f1",
    .most = 1,
    .run = cmd_list,
};
