/* What a figure says of the tables of kernels that it is drawn from: files, sessions, texts, how much was tried. */
#include <stdio.h>
#include <string.h>

#include "plots/data/kernel_tables.h"

static void add_text(struct plot_table *t, const struct plot_text *text)
{
    for (int k = 0; k < t->texts; k++)
        if (memcmp(&t->text[k], text, sizeof *text) == 0)
            return;
    if (t->texts < PLOT_TEXTS)
        t->text[t->texts++] = *text;
}

void plot_texts_add(struct plot_table *t, const struct plot_table *more)
{
    for (int k = 0; k < more->texts; k++)
        add_text(t, &more->text[k]);
    t->stale |= more->stale;
    t->listed += more->listed;
    t->absent += more->absent;
}

int plot_texts_mixed(const struct plot_table *t)
{
    for (int k = 0; k < t->texts; k++)
        for (int m = 0; m < k; m++)
            if (strcmp(t->text[k].file, t->text[m].file) == 0 &&
                strcmp(t->text[k].flags, t->text[m].flags) == 0 &&
                strcmp(t->text[k].source, t->text[m].source) != 0)
                return 1;
    return 0;
}

void plot_texts_name(const struct plot_table *t, char *names, size_t room)
{
    size_t n = 0;
    *names = '\0';
    for (int k = 0; k < t->texts && n < room; k++)
        n += (size_t)snprintf(names + n, room - n, "%s%s %s", n ? ", " : "", t->text[k].file,
                              t->text[k].source);
}

static void note_text(struct plot_table *t, const struct kernel_rows *rows)
{
    struct plot_text text = {.file = ""};
    snprintf(text.file, sizeof text.file, "%s", rows->kernel->file);
    snprintf(text.flags, sizeof text.flags, "%s", rows->group.row[0].flags);
    snprintf(text.source, sizeof text.source, "%s", rows->group.row[0].source);
    add_text(t, &text);
    t->stale |= !rows->present;
    t->listed += rows->listed;
    t->absent += rows->absent;
}

/* What fits into a table's list of sessions. */
enum { SESSIONS = sizeof((struct plot_table *)0)->session / (DB_SESSION + 1) };

struct sessions {
    const char *name[SESSIONS + 1], *started[SESSIONS + 1];
    int count;
};

/* Keeps the latest ones, the latest first. */
static void note_session(struct sessions *s, const struct source_request *r, const char *name)
{
    for (int k = 0; k < s->count; k++)
        if (strcmp(s->name[k], name) == 0)
            return;
    const char *when = kernel_tables_started(r, name);
    int k = s->count;
    for (; k > 0 && strcmp(when, s->started[k - 1]) > 0; k--) {
        s->name[k] = s->name[k - 1];
        s->started[k] = s->started[k - 1];
    }
    s->name[k] = name;
    s->started[k] = when;
    s->count += s->count < SESSIONS;
}

void kernel_tables_describe(const struct kernel_tables *all, const struct source_request *r,
                            struct plot_table *t)
{
    struct sessions s = {0};
    const char *kernel = NULL, *name = NULL;
    for (int n = 0; n < all->count; n++) {
        const struct kernel_rows *rows = &all->at[n];
        const char *file = strrchr(rows->file, '/') + 1;
        kernel = !kernel || strcmp(kernel, rows->kernel->name) == 0 ? rows->kernel->name : "*";
        name = !name || strcmp(name, file) == 0 ? file : "*.tsv";
        for (size_t k = 0; k < rows->group.count; k++)
            note_session(&s, r, rows->group.row[k].session);
        note_text(t, rows);
    }
    t->file[0] = t->session[0] = '\0';
    if (kernel)
        snprintf(t->file, sizeof t->file, "%s/%s/%s/%s", r->device->device, r->device->environment,
                 kernel, name);
    for (int k = 0, used = 0; k < s.count; k++)
        used += snprintf(t->session + used, sizeof t->session - (size_t)used, "%s%s", k ? " " : "",
                         s.name[k]);
}
