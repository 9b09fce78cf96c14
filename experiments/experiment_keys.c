/* The keys of an experiment's file. */
#include "experiments/experiment_keys.h"

#include <string.h>

#include "experiments/measure/measure_parts.h"

static const struct ini_key top_keys[] = {
    {"title", 0},
    {"chapter", 0},
    {"figure", INI_REPEATS},
    {"caption", 0},
    {"missing", INI_DEVICES},
    {"readme", 0},
    {"historical", 0},
    {NULL, 0},
};

static const struct ini_key data_keys[] = {
    {"name", 0},
    {"sql", INI_BACKENDS},
    {"texts", 0},
    {NULL, 0},
};

static const struct ini_key draw_keys[] = {
    {"mark", INI_REPEATS},
    {NULL, 0},
};

static const struct ini_key claim_keys[] = {
    {"id", 0},     {"kind", 0},     {"where", 0}, {"claim", 0},  {"published", 0},
    {"ours", 0},   {"compares", 0}, {"holds", 0}, {"partly", 0}, {"since", 0},
    {"chosen", 0}, {"remark", 0},   {NULL, 0},
};

static void add_keys(struct ini_key keys[CATALOG_ENTRIES], const struct option *table)
{
    for (const struct option *o = table; o && o->name; o++) {
        int k = 0;
        while (keys[k].name && strcmp(keys[k].name, o->name) != 0)
            k++;
        if (k + 1 < CATALOG_ENTRIES)
            keys[k] = (struct ini_key){o->name, keys[k].name ? keys[k].how : INI_BACKENDS};
    }
}

/* Keys of all kinds, and of each. */
static void list_measure_keys(struct ini_key keys[CATALOG_ENTRIES])
{
    for (int k = 0; measure_all_take[k]; k++)
        keys[k] = (struct ini_key){measure_all_take[k], 0};
    add_keys(keys, measure_common);
    for (int k = 0; measure_kinds[k]; k++)
        add_keys(keys, measure_kinds[k]->options);
}

static enum err check_keys(const struct experiment *x)
{
    struct ini_key measure_keys[CATALOG_ENTRIES] = {{NULL, 0}};
    const struct ini_section known[] = {
        {.name = "", .keys = top_keys},
        {.name = "measure", .keys = measure_keys},
        {.name = "data", .keys = data_keys, .repeats = 1},
        {.name = "draw", .keys = draw_keys, .letters = "abcdefghijklmnopqrstuvwxyz0123456789-"},
        {.name = "facts", .letters = "abcdefghijklmnopqrstuvwxyz0123456789_"},
        {.name = "claim", .keys = claim_keys, .repeats = 1},
    };
    list_measure_keys(measure_keys);
    return ini_check(&x->file, known, sizeof known / sizeof known[0], NULL);
}

enum err experiment_check(const struct experiment *x)
{
    const struct section *top = experiment_section(x, "", 0),
                         *draw = experiment_section(x, "draw", 0);
    const char *path = x->file.path;
    TRY(check_keys(x));
    for (int k = 0; k < 2; k++) {
        const char *key = k ? "chapter" : "title";
        if (!experiment_value(x, top, key))
            FAIL(INPUT, "%s: add a line '%s = ...' before the first section", path, key);
    }
    if (!draw)
        FAIL(INPUT, "%s: add a section [draw] with 'shape = ...'", path);
    if (!experiment_value(x, draw, "shape"))
        FAIL(INPUT, "%s:%d: [draw] must have 'shape = ...'", path, draw->line);
    return ERR_OK;
}
