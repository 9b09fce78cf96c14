/* Values of --devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/options/run_config.h"

static struct device_list *member_of(const struct option *o, void *settings)
{
    return (void *)((char *)settings + o->offset);
}

static enum err set_devices(const struct option *o, void *settings, const char *text)
{
    struct device_list read = {.all = strcmp(text, "all") == 0};
    const char *at = text;
    while (!read.all) {
        char *end;
        const long n = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : MOST_DEVICES;
        if (n >= MOST_DEVICES || (*end && *end != ',') || read.count == LISTED_DEVICES)
            FAIL(USAGE,
                 "expected numbers of GPUs, such as 0,1, at most %d, or all; got '%s'; `shoal "
                 "info` lists them",
                 (int)LISTED_DEVICES, text);
        read.of[read.count++] = (int)n;
        if (!*end)
            break;
        at = end + 1;
    }
    *member_of(o, settings) = read;
    return ERR_OK;
}

static void reset_devices(const struct option *o, void *settings)
{
    *member_of(o, settings) = (struct device_list){0};
}

static int format_devices(const struct option *o, const void *settings, int k,
                          char text[FILE_LENGTH])
{
    const struct device_list *l = (const void *)((const char *)settings + o->offset);
    size_t used = (size_t)snprintf(text, FILE_LENGTH, "%s", l->all ? "all" : "");
    for (int n = 0; n < l->count && used < FILE_LENGTH; n++)
        used += (size_t)snprintf(text + used, FILE_LENGTH - used, "%s%d", n ? "," : "", l->of[n]);
    return k == 0 && (l->all || l->count > 0);
}

const struct option_type option_devices = {
    .reset = reset_devices, .set = set_devices, .format = format_devices};

int devices_have(const struct device_list *l, int n, int device)
{
    for (int k = 0; k < n; k++)
        if (l->of[k] == device)
            return 1;
    return 0;
}

int division_divides(const struct division *d)
{
    const int parts = shares_parts(&d->parts);
    return parts > 0 ? parts > 1 : d->devices.all || d->devices.count > 1;
}

void config_divide(struct config *c, const struct division *d)
{
    if (!d || !division_divides(d))
        return;
    if (strcmp(c->backend, "cuda") == 0)
        c->devices = d->devices;
    c->parts = d->parts;
    c->parts_where_possible = 1;
}
