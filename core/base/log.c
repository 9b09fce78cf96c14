/* Log lines on stderr. */
#include "core/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/printable.h"

static int quiet;
static _Thread_local int muted;
static FILE *held; /* null: print lines at once */
static char *held_text;
static size_t held_size;

void log_quiet(int q)
{
    quiet = q;
}

int log_is_quiet(void)
{
    return quiet;
}

void log_mute_thread(void)
{
    muted = 1;
}

static void line(const char *prefix, const char *fmt, va_list ap)
{
    char text[4096];
    vsnprintf(text, sizeof text, fmt, ap);
    printable(text);
    fprintf(held ? held : stderr, "%s%s\n", prefix, text);
}

void log_hold(int hold)
{
    if (hold == (held != NULL))
        return;
    if (hold) {
        held = open_memstream(&held_text, &held_size);
        return;
    }
    fclose(held);
    held = NULL;
    fputs(held_text, stderr);
    free(held_text);
}

void log_info(const char *fmt, ...)
{
    va_list ap;
    if (quiet || muted)
        return;
    va_start(ap, fmt);
    line("shoal: ", fmt, ap);
    va_end(ap);
}

void log_warning(const char *fmt, ...)
{
    va_list ap;
    if (quiet > 1 || muted)
        return;
    va_start(ap, fmt);
    line("shoal: warning: ", fmt, ap);
    va_end(ap);
}
