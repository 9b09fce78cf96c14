/* A line that is rewritten. */
#include "verification/run/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/monotonic_time.h"

void progress_show(const char *fmt, ...)
{
    static double shown;
    const double now = seconds();
    va_list ap;
    if (!isatty(STDERR_FILENO) || now - shown < 0.2)
        return;
    shown = now;
    fputc('\r', stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputs(" \033[K", stderr);
}

void progress_end(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
