/* Processes started by a launcher. MPI is in a module beside the program, opened when needed. */
#include "core/device/launched.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/paths.h"

#define MODULE "shoal-mpi.so"

static struct ranks *joined; /* null: none, or none yet */

/* Of launchers that do not say how many processes there are: which one this is. */
static const char RANK_ALONE[] = "PMIX_RANK";

/* How many processes there are, as launchers say in the environment; null: none has started several. */
static const char *find_launcher(int *count)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                        "MPI_LOCALNRANKS",      "MV2_COMM_WORLD_SIZE",
                                        "SLURM_STEP_NUM_TASKS", NULL};
    const char *rank = getenv(RANK_ALONE);
    for (const char *const *name = sizes; *name; name++) {
        const char *size = getenv(*name);
        const long n = size ? strtol(size, NULL, 10) : 0;
        *count = n > 1000000 ? 1000000 : (int)n;
        if (n > 1)
            return *name;
        rank = size ? NULL : rank;
    }
    const long n = rank ? strtol(rank, NULL, 10) + 1 : 1; /* at least */
    *count = !rank ? 1 : n < 2 ? 2 : n > 1000000 ? 1000000 : (int)n;
    return rank ? RANK_ALONE : NULL;
}

int launched_count(void)
{
    int count;
    find_launcher(&count);
    return count;
}

int launched_speaks(void)
{
    return !joined || ranks_speaks(joined);
}

enum err launched_refuse(const char *command, int divides)
{
    int count;
    const char *variable = find_launcher(&count);
    if (!variable)
        return ERR_OK;
    FAIL(USAGE,
         "the launcher (%s) started %d processes, but %s computes in one process: each copy "
         "would do the same and write the same files; start it without the launcher%s",
         variable, count, command, divides ? ", and divide its runs by --parts or --devices" : "");
}

/* SHOAL_MPI; beside the program; or where an installation has it. */
static void *open_module(char path[PATH_LENGTH], char *why, size_t n)
{
    static const char *const places[] = {"", "../lib/shoal/"};
    char program[PATH_LENGTH] = "";
    const char *chosen = getenv("SHOAL_MPI");
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0 || !strrchr(program, '/'))
        *program = 0;
    else
        strrchr(program, '/')[1] = 0;
    for (int k = 0; k < 2; k++) {
        if (chosen && *chosen)
            snprintf(path, PATH_LENGTH, "%s", chosen);
        else
            snprintf(path, PATH_LENGTH, "%.*s%s" MODULE, PATH_LENGTH - 64, program, places[k]);
        if (access(path, F_OK) != 0)
            continue;
        /* The library opens parts of itself by name, which look for its symbols globally. */
        void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (!module)
            snprintf(why, n, "%s", dlerror());
        return module;
    }
    if (chosen && *chosen)
        snprintf(why, n, "there is no '%.300s', the path in SHOAL_MPI", chosen);
    else
        snprintf(why, n, "there is no " MODULE);
    return NULL;
}

static const struct transport *find_transport(char path[PATH_LENGTH], char *why, size_t n)
{
    void *module = open_module(path, why, n);
    if (!module)
        return NULL;
    const struct transport *t = dlsym(module, TRANSPORT_SYMBOL);
    if (t && t->version == TRANSPORT_VERSION)
        return t;
    snprintf(why, n, "%s belongs to another build: run make", path);
    return NULL;
}

int launched_describe(char *text, size_t n)
{
    char path[PATH_LENGTH], why[512];
    const struct transport *t = find_transport(path, why, sizeof why);
    if (t)
        snprintf(text, n, "%s, in %s", t->library(), path);
    else
        snprintf(text, n, "%s", why);
    return t != NULL;
}

enum err launched_join(struct ranks **out, double patience)
{
    char path[PATH_LENGTH], why[512];
    int count;
    const char *variable = find_launcher(&count);
    const struct transport *t = find_transport(path, why, sizeof why);
    if (!t)
        FAIL(ABSENT,
             "the launcher (%s) started %d processes, but this build has no MPI (%s): each copy "
             "would compute the same and write the same file; run ./bootstrap --mpi make, or start "
             "it once, with --parts",
             variable ? variable : "", count, why);
    TRY(ranks_open(&joined, t, NULL, patience));
    *out = joined;
    const int found = ranks_crew(joined)->ranks;
    if (found == count || variable == RANK_ALONE)
        return ERR_OK;
    ranks_close(&joined, ERR_OK);
    FAIL(ABSENT,
         "the launcher (%s) started %d processes, but the MPI of %s sees %d: use the launcher of "
         "%s, "
         "or build with the other library (make MPICC=...)",
         variable ? variable : "", count, path, found, t->library());
}

void launched_leave(enum err e)
{
    ranks_close(&joined, e);
}
