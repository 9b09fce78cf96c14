/* Tries every registered plug-in of a kind and holds what came of it to promises. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/sample.h"
#include "tests/support/trials.h"

static const struct tried *tried(const struct trial *t)
{
    return (const struct tried *)t;
}

static int try_setting(struct trials *all, const struct plugin_library *lib, struct tried what)
{
    void *room = all->count < TRIALS_MOST ? calloc(1, all->size) : NULL;
    if (!room) {
        print_error("no room to try %s\n", what.plugin->name);
        return -1;
    }
    *(struct tried *)room = what;
    all->trial[all->count++] = room;
    all->run(room, lib);
    return 0;
}

static int try_plugin(struct trials *all, const struct plugin *plugin, enum precision p)
{
    struct plugin_library lib;
    if (all->load(&lib, plugin->name, p)) {
        print_error("%s\n", err_message());
        return -1;
    }
    int failure = 0;
    for (int k = 0; k < all->setting_count && !failure; k++) {
        struct tried what = {plugin, p, rounded_to(p, all->settings[k])};
        failure = try_setting(all, &lib, what);
    }
    plugin_unload(&lib);
    return failure;
}

int trials_run(struct trials *all)
{
    for (int p = 0; p < PRECISIONS; p++) {
        all->fill((enum precision)p);
        for (int k = 0; all->plugins[k]; k++)
            if (try_plugin(all, all->plugins[k], (enum precision)p))
                return -1;
    }
    return 0;
}

void trials_forget(struct trials *all)
{
    while (all->count > 0)
        free(all->trial[--all->count]);
}

void trials_cited(const struct trials *all)
{
    for (int k = 0; all->plugins[k]; k++) {
        const struct plugin *p = all->plugins[k];
        if (!p->title || !p->title[0] || !p->cite || !p->cite[0])
            fail_msg("%s %s: PROPERTIES must state a title and a source", all->kind, p->name);
    }
}

static void report(const struct trials *all, const struct trial *t, const char *what)
{
    const struct tried *of = tried(t);
    print_error("%s %s in %s, %s %g: %s\n", all->kind, of->plugin->name,
                precision_name(of->precision), all->setting, of->setting, what);
}

/* -1 if there is none. */
static int smallest_breach(const struct trial_samples *samples, const struct trial *t,
                           breach *broken)
{
    int smallest = -1;
    for (int k = 0; k < samples->count; k++)
        if (broken(t, k) && (smallest < 0 || samples->size(t, k) < samples->size(t, smallest)))
            smallest = k;
    return smallest;
}

void trials_hold(const struct trials *all, const struct trial_samples *samples, unsigned properties,
                 breach *broken, const char *promise)
{
    int held = 0, failed = 0;
    for (int n = 0; n < all->count; n++) {
        const struct trial *t = all->trial[n];
        if ((tried(t)->plugin->properties & properties) != properties)
            continue;
        held++;
        int k = smallest_breach(samples, t, broken);
        if (k < 0)
            continue;
        failed++;
        report(all, t, promise);
        samples->print(t, k);
    }
    assert_true(held > 0);
    assert_int_equal(failed, 0);
}
