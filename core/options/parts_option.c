/* Values of --parts. */
#include "core/mesh/cut.h"
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
    *member_of(o, settings) = (struct shares){.count = {1, 1}, .share = {{1}, {1}}};
}

static int format_parts(const struct option *o, const void *settings, int k, char text[FILE_LENGTH])
{
    const struct shares *s = (const void *)((const char *)settings + o->offset);
    shares_print(s, text, FILE_LENGTH);
    return k == 0;
}

const struct option_type option_parts = {
    .reset = reset_parts, .set = set_parts, .format = format_parts};
