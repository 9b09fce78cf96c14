/* The content of a checkpoint. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state.h"
#include "core/run/checkpoint_parts.h"

const char *const checkpoint_rows[SERIES] = {"checkpoint_maps", "checkpoint_gauge_rows",
                                             "checkpoint_balance_rows", "checkpoint_section_rows"};

const char *const checkpoint_tile[2] = {"checkpoint_tile_width", "checkpoint_tile_height"};

void content_free(struct content *c)
{
    content_close(c);
    free(c->settings);
    free(c->state);
    free(c->bed);
    free(c->source);
    *c = (struct content){0};
}

enum err content_add(struct content *c, const char *prefix, const char *name, size_t bytes)
{
    if (c->count == CHECKPOINT_ARRAYS)
        FAIL(INPUT, "a checkpoint holds at most %d arrays", (int)CHECKPOINT_ARRAYS);
    struct stored_array *a = &c->array[c->count];
    a->bytes = bytes;
    if (snprintf(a->name, sizeof a->name, "%s%s", prefix, name) >= (int)sizeof a->name)
        FAIL(INPUT, "the name '%s%s' is too long", prefix, name);
    c->count++;
    return ERR_OK;
}

void checkpoint_bed_sum(const struct sim *s, char text[BED_SUM + 1])
{
    snprintf(text, BED_SUM + 1, "%016llx", s->initial->bed_digest);
}

void checkpoint_source_sum(const struct sim *s, char text[BED_SUM + 1])
{
    snprintf(text, BED_SUM + 1, "%016llx", s->initial->bed_source);
}

void settings_digest(const char *settings, char hex[SHA256_DIGITS + 1])
{
    struct sha256 all;
    sha256_init(&all);
    sha256_update(&all, settings, strlen(settings));
    sha256_final(&all, hex);
}
