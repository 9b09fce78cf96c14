/* The message of each thread and the table of exit statuses. */
#include "core/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/printable.h"

static _Thread_local char message[16384];
static _Thread_local char place[256];
static _Thread_local enum err last;

int err_status(enum err e)
{
    static const int status[] = {
#define ERR_STATUS(name, status, text) status,
        ERR_TABLE(ERR_STATUS)
#undef ERR_STATUS
    };
    return status[e];
}

void err_keep(enum err e, const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    printable(message);
    snprintf(place, sizeof place, "%s:%d", file, line);
    last = e;
}

const char *err_message(void)
{
    return message;
}

const char *err_place(void)
{
    return place;
}

enum err err_last(void)
{
    return last;
}

void err_context(const char *fmt, ...)
{
    char text[sizeof message], context[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(context, sizeof context, fmt, ap);
    va_end(ap);
    printable(context);
    memcpy(text, message, sizeof text);
    snprintf(message, sizeof message, "%s: %s", context, text);
}
