/* Runs one target under libFuzzer: the program's own name, after the last slash, selects it. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "tests/fuzz/fuzz.h"

const char *__asan_default_options(void);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fuzz_target *target;

/* Freed memory is used again after 16 MB more, not 256 MB: far more than an input makes a reader free, and what was in
 * use lately is mapped and in the caches. */
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=16";
}

/* In place of libc's: GDAL's programs are not found, as starting a process takes a hundred times as long as refusing
 * an input. */
int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const env[])
{
    (void)pid, (void)file, (void)actions, (void)attributes, (void)argv, (void)env;
    return ENOENT;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *slash = strrchr(**argv, '/'), *name = slash ? slash + 1 : **argv;
    (void)argc;
    for (target = fuzz_targets; target->name && strcmp(target->name, name) != 0;)
        target++;
    if (!target->name) {
        fprintf(stderr, "%s: there is no target of that name\n", name);
        exit(2);
    }
    log_quiet(1);
    if (!freopen("/dev/null", "w", stdout)) /* commands report there */
        exit(2);
    return 0;
}

/* Looking through an HDF5 file in a child process takes a hundred times as long as anything else that a reader does,
 * and the fuzzer soon knows the signature by heart: only targets whose seeds are such files get them. */
static int is_for_another_target(const uint8_t *data, size_t size)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    const size_t n = sizeof signature - 1;
    if (strcmp(target->name, "hdf5") == 0 || strcmp(target->name, "checkpoint") == 0)
        return 0;
    for (size_t at = 0; at + n <= size; at = at ? 2 * at : 512)
        if (memcmp(data + at, signature, n) == 0)
            return 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (is_for_another_target(data, size))
        return 0;
    /* A refusal without a message would leave the user with nothing but an exit status. */
    if (target->take(data, size) && !err_message()[0])
        abort();
    return 0;
}
