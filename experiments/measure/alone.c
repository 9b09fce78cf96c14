/* Keeps a second process from measuring the same, and ends cleanly on a signal. */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/output_file.h"
#include "core/base/signals.h"
#include "experiments/measure/measure_parts.h"

static volatile sig_atomic_t status;

/* The operating system drops this name with the process, however that ends: no file remains. */
enum err measure_alone(struct measure *m)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct stat folder;
    if (stat(m->folder, &folder) != 0)
        FAIL(MACHINE, "%s: cannot be read", m->folder);
    const int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "shoal %jx %jx %s",
                           (uintmax_t)folder.st_dev, (uintmax_t)folder.st_ino, m->experiment->name);
    m->lock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (m->lock < 0 || bind(m->lock, (const struct sockaddr *)&name,
                            (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)))
        FAIL(MACHINE, "another process is measuring %s into %s: wait until it has ended",
             m->experiment->name, m->folder);
    return ERR_OK;
}

/* Rows of a point are stored all or none: there is nothing to wait for. */
static void on_signal(int number)
{
    static const char text[] =
        "\nshoal: stopped by a signal; measurements are kept, and the same command resumes\n";
    outfile_delete_temporaries();
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(128 + number);
    _exit(status);
}

void measure_end_on_signals(int wanted)
{
    status = err_status(ERR_STOPPED);
    signals_catch(wanted ? on_signal : NULL, 0);
}
