/* `shoal list`: everything that can be chosen by name, one per line, the name first. */
#include "core/registry/command.h"

#include <stdio.h>
#include <string.h>

#include "core/registry/catalog.h"
#include "experiments/experiment.h"

/* Not of the registry: files, which are listed by the folder they lie in. */
static const char experiments[] = "experiments";

static void cmd_list_help(void)
{
    puts("usage: shoal list [KIND]\n"
         "\n"
         "Lists what can be chosen by name, one per line, the name first, then what it is.\n"
         "Without a KIND, everything, under a heading for each kind. Kinds:");
    for (int k = 0; k < LISTS; k++)
        printf("  %s\n", catalog_kinds[k]);
    printf("  %s\n", experiments);
    puts("\n"
         "Examples:\n"
         "  shoal list limiters\n"
         "  shoal list cases | cut -d' ' -f1");
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

static enum err cmd_list(int argc, char **argv)
{
    struct catalog kinds = {0};
    if (argc > 1)
        FAIL(USAGE, "list takes one kind at most, not '%s' and '%s'", argv[0], argv[1]);
    for (int k = 0; k < LISTS; k++) {
        if (argc == 0)
            printf("%s%s:\n", k ? "\n" : "", catalog_kinds[k]);
        if (argc == 0 || strcmp(argv[0], catalog_kinds[k]) == 0)
            print_list((enum listed)k, argc == 0 ? "  " : "");
        catalog_add(&kinds, catalog_kinds[k]);
    }
    catalog_add(&kinds, experiments);
    if (argc == 0)
        printf("\n%s:\n", experiments);
    if (argc == 0 || strcmp(argv[0], experiments) == 0)
        return experiments_print(argc == 0 ? "  " : "");
    if (!catalog_has(&kinds, argv[0]))
        return catalog_unknown(&kinds, "kind of list", argv[0], NULL);
    return ERR_OK;
}

const struct command command_list = {
    .name = "list",
    .arguments = "[KIND]",
    .title = "what can be chosen by name",
    .place = 1,
    .run = cmd_list,
    .help = cmd_list_help,
};
