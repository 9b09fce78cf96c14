/* HDF5 does not survive every damaged file: it frees what it never set where a group has fewer links than it
 * counts, and looks for ever for what a heap does not hold (seen with 1.10.8; tests/fuzz/found, which
 * tests/base/test_fuzz.c opens). So a file of its format is looked through in a child first. */
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

/* What the library has to understand before it can read: names, shapes, attributes. */
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

/* In the child, which has nothing to say: neither a word nor a core, nor what handlers would do. */
static int inspect(void *context)
{
    static const int deaths[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU};
    const struct rlimit none = {0, 0},
                        patience = {2, 3}; /* s of processor time; it takes milliseconds */
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

/* Its signature stands at the beginning, or behind a block of 512 bytes, 1024, and so on. */
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
    if (ended != 0 && ended != NO_CHILD) /* without a child it is tried here */
        FAIL(INPUT, "%s: cannot be opened: the file is damaged in a way that HDF5 does not survive",
             path);
    return ERR_OK;
}

#endif
