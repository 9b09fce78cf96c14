/* HDF5 crashes on some damaged files: it frees unset memory if a group has fewer links than it
 * claims, and searches endlessly for what a heap lacks (seen with 1.10.8; tests/fuzz/found has
 * such files, tests/base/test_fuzz.c opens them). So a child process looks through an HDF5 file
 * first. */
#include "core/base/err.h"

#ifdef HAVE_NETCDF

#include "core/base/forked_child.h"
#include "core/netcdf/variables.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void look_at_attributes(int id, int var)
{
    char name[NC_MAX_NAME + 1];
    nc_type type;
    size_t n;
    int count;
    if (nc_inq_varnatts(id, var, &count))
        return;
    for (int k = 0; k < count; k++)
        if (!nc_inq_attname(id, var, k, name))
            nc_inq_att(id, var, name, &type, &n);
}

/* Reads what the library must understand before it reads values: names, shapes, attributes. */
static void look_through(int id)
{
    int variables;
    look_at_attributes(id, NC_GLOBAL);
    if (nc_inq_nvars(id, &variables))
        return;
    for (int v = 0; v < variables; v++)
        look_at_attributes(id, v);
}

struct task {
    const char *path;
    int parent;
};

/* In the child, which stays silent: no output, no core dump, no signal handlers. */
static int inspect(void *context)
{
    static const int deaths[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU};
    const struct rlimit none = {0, 0},
                        patience = {2, 3}; /* s of processor time; milliseconds suffice */
    const struct task *t = context;
    const int silent = open("/dev/null", O_WRONLY);
    int id;
    forked_child_begin(t->parent);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &patience);
    for (size_t k = 0; k < sizeof deaths / sizeof *deaths; k++)
        signal(deaths[k], SIG_DFL);
    if (silent >= 0)
        dup2(silent, STDERR_FILENO);
    if (!nc_open(t->path, NC_NOWRITE, &id)) {
        look_through(id);
        nc_close(id);
    }
    return 0;
}

/* The signature is at the start, or after 512 bytes, 1024, and so on. */
static int is_hdf5(const char *path)
{
    static const char signature[] = {'\211', 'H', 'D', 'F', '\r', '\n', '\032', '\n'};
    char there[sizeof signature];
    FILE *f = fopen(path, "rb");
    int found = 0;
    for (off_t at = 0; f && !found; at = at ? 2 * at : 512) {
        if (fseeko(f, at, SEEK_SET) != 0 || fread(there, 1, sizeof there, f) != sizeof there)
            break;
        found = memcmp(there, signature, sizeof there) == 0;
    }
    if (f)
        fclose(f);
    return found;
}

enum err ncprobe_check(const char *path)
{
    struct task t = {.path = path, .parent = (int)getpid()};
    if (!is_hdf5(path))
        return ERR_OK;
    const int ended = forked_child_ask(inspect, &t);
    if (ended != 0 && ended != NO_CHILD) /* if there is no child the file is opened directly */
        FAIL(INPUT, "%s: cannot be opened: the file is damaged in a way that HDF5 does not survive",
             path);
    return ERR_OK;
}

#endif
