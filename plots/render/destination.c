/* Reads --output, --film, --times and --every together. */
#include "plots/render/destination.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"

static int ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

enum err destination_records(struct chosen *c, const struct settings *s, const struct ncrecords *r,
                             const struct shown *shown)
{
    if (!shown->timed) {
        if (*s->times)
            FAIL(USAGE, "--times: %s does not change with time", shown->name);
        *c = (struct chosen){.record = calloc(1, sizeof *c->record), .count = 1};
        if (!c->record)
            FAIL(MEMORY, "no memory for the list of records");
        return ERR_OK;
    }
    const enum err e = chosen_find(c, r, s->times, s->every);
    if (e == ERR_USAGE)
        err_context("--times");
    TRY(e);
    if (!ends_with(s->output, ".png") || *s->film || c->count == 1)
        return ERR_OK;
    if (*s->times)
        FAIL(USAGE, "--times: %d records do not fit into one picture: name a folder with --output",
             c->count);
    c->record[0] = c->record[c->count - 1];
    c->count = 1;
    log_info("the last of %zu records; --times chooses another", r->records);
    return ERR_OK;
}

/* FILE-VARIABLE; whatever the file is called, it is one name. */
static void write_stem(const struct ncrecords *r, const struct shown *shown, char stem[256])
{
    const char *slash = strrchr(r->path, '/'), *name = slash ? slash + 1 : r->path;
    size_t n = strlen(name);
    const char *dot = strrchr(name, '.');
    if (ends_with(name, ".nc") || (r->memory && dot && dot > name))
        n = (size_t)(dot - name);
    snprintf(stem, 256, "%.*s-%s", (int)(n < 180 ? n : 180), name, shown->name);
}

static enum err check_names(const struct settings *s)
{
    static const char *const others[] = {".jpg", ".jpeg", ".gif",  ".svg", ".pdf",
                                         ".avi", ".mov",  ".webm", ".nc"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (ends_with(s->output, others[k]))
            FAIL(USAGE, "--output %s: pictures are .png, films are .mp4; else it names a folder",
                 s->output);
    if (*s->film && !ends_with(s->film, ".mp4"))
        FAIL(USAGE, "--film %s: the name of a film ends in .mp4", s->film);
    if (ends_with(s->output, ".mp4") && *s->film)
        FAIL(USAGE, "--output %s and --film %s are both films: leave one out", s->output, s->film);
    if (ends_with(s->output, ".png") && *s->film)
        FAIL(USAGE,
             "--output %s is one picture, and a film has several: name a folder, or leave "
             "one out",
             s->output);
    return ERR_OK;
}

enum err destination_open(struct delivery *d, const struct settings *s, const struct ncrecords *r,
                          const struct shown *shown, int pictures)
{
    char stem[256], picture[300];
    struct wanted w = {.picture = "", .folder = "", .film = s->film, .stem = stem};
    TRY(check_names(s));
    write_stem(r, shown, stem);
    snprintf(picture, sizeof picture, "%s.png", stem);
    if (ends_with(s->output, ".mp4"))
        w.film = s->output;
    else if (ends_with(s->output, ".png"))
        w.picture = s->output;
    else if (*s->output)
        w.folder = s->output;
    else if (!*s->film && pictures == 1)
        w.picture = picture;
    else if (!*s->film)
        w.folder = stem;
    if (*w.film && pictures == 1)
        FAIL(USAGE, "a film needs two records at least: %s",
             !shown->timed    ? "this variable does not change"
             : r->records > 1 ? "choose more of them"
                              : "`shoal run --every SECONDS` writes more than the last");
    return delivery_open(d, &w);
}
