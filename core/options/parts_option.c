/* Values of --parts, --tile and --ghost-steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mesh/cut.h"
#include "core/mesh/tiles.h"
#include "core/options/run_config.h"

static struct shares *member_of(const struct option *o, void *settings)
{
    return (void *)((char *)settings + o->offset);
}

static enum err set_parts(const struct option *o, void *settings, const char *text)
{
    return shares_read(text, member_of(o, settings));
}

static void reset_parts(const struct option *o, void *settings)
{
    *member_of(o, settings) = (struct shares){0};
}

static int format_parts(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    const struct shares *s = (const void *)((const char *)settings + o->offset);
    shares_print(s, text, FILE_LENGTH);
    return k == 0 && shares_parts(s) > 0;
}

const struct option_type option_parts = {
    .reset = reset_parts, .set = set_parts, .format = format_parts};

/* A whole number; sets its end; 0 if there is none. */
static int side(const char *text, char **end)
{
    const long n = *text >= '1' && *text <= '9' ? strtol(text, end, 10) : 0;
    return n < MOST_TILE + 1 ? (int)n : MOST_TILE + 1;
}

static enum err set_tile(const struct option *o, void *settings, const char *text)
{
    struct tile_size *t = (void *)((char *)settings + o->offset);
    char *end = NULL;
    const int w = side(text, &end), by = w && *end == 'x', h = by ? side(end + 1, &end) : w;
    if (!w || !h || *end)
        FAIL(USAGE, "expected the cells of a tile, such as 124 or 124x60; got '%s'", text);
    if (w > MOST_TILE || h > MOST_TILE)
        FAIL(USAGE, "'%s': expected at most %d cells on a side of a tile", text, (int)MOST_TILE);
    *t = (struct tile_size){w, h};
    return ERR_OK;
}

static void reset_tile(const struct option *o, void *settings)
{
    *(struct tile_size *)(void *)((char *)settings + o->offset) = (struct tile_size){0};
}

static int format_tile(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    const struct tile_size *t = (const void *)((const char *)settings + o->offset);
    snprintf(text, FILE_LENGTH, t->w == t->h ? "%d" : "%dx%d", t->w, t->h);
    return k == 0 && t->w > 0;
}

const struct option_type option_tile = {
    .reset = reset_tile, .set = set_tile, .format = format_tile};

static enum err set_ghost_steps(const struct option *o, void *settings, const char *text)
{
    int *const steps = (void *)((char *)settings + o->offset);
    char *end = NULL;
    const long n = *text >= '1' && *text <= '9' ? strtol(text, &end, 10) : 0;
    if (strcmp(text, "auto") == 0)
        *steps = GHOST_STEPS_AUTO;
    else if (strcmp(text, "substep") == 0)
        *steps = GHOST_STEPS_SUBSTEP;
    else if (n < 1 || *end || n > MOST_GHOST_STEPS)
        FAIL(USAGE,
             "expected auto, substep, or the steps from one exchange to the next, 1 to %d; got "
             "'%s'",
             (int)MOST_GHOST_STEPS, text);
    else
        *steps = (int)n;
    return ERR_OK;
}

static void reset_ghost_steps(const struct option *o, void *settings)
{
    *(int *)(void *)((char *)settings + o->offset) = GHOST_STEPS_AUTO;
}

static int format_ghost_steps(const struct option *o, const void *settings, int k,
                              char text[FILE_LENGTH])
{
    const int n = *(const int *)(const void *)((const char *)settings + o->offset);
    snprintf(text, FILE_LENGTH, n < 0 ? "auto" : n == 0 ? "substep" : "%d", n);
    return k == 0;
}

const struct option_type option_ghost_steps = {
    .reset = reset_ghost_steps, .set = set_ghost_steps, .format = format_ghost_steps};
