/* Signal handlers that call only async-signal-safe functions. */
#include "core/netcdf/close_guard.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/err.h"
#include "core/base/output_file.h"

static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof *crashes };

static struct {
    struct sigaction before[CRASHES];
    char path[4096];
    int status, begun;
} guard;

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

static void on_crash(int number)
{
    (void)number;
    outfile_delete_temporaries();
    say("shoal: error: cannot write '");
    say(guard.path);
    say("': the disk refused the last bytes, and HDF5 crashed over it: free some space, or choose "
        "another place\n");
    _exit(guard.status);
}

void ncguard_begin(const char *path)
{
    const struct sigaction a = {.sa_handler = on_crash};
    snprintf(guard.path, sizeof guard.path, "%s", path);
    guard.status = err_status(ERR_MACHINE);
    for (int k = 0; k < CRASHES && !guard.begun; k++)
        sigaction(crashes[k], &a, &guard.before[k]);
    guard.begun = 1;
}

void ncguard_end(void)
{
    for (int k = 0; k < CRASHES && guard.begun; k++)
        sigaction(crashes[k], &guard.before[k], NULL);
    guard.begun = 0;
}
