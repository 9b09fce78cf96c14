/* Runs one target under libFuzzer: the program's own name, after the last slash, selects it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fuzz_target *target;

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
    /* GDAL's programs must not be found: starting one takes a thousand times as long as refusing an input. */
    if (setenv("PATH", "/dev/null", 1) != 0)
        exit(2);
    if (!freopen("/dev/null", "w", stdout)) /* commands report there */
        exit(2);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* A refusal without a message would leave the user with nothing but an exit status. */
    if (target->take(data, size) && !err_message()[0])
        abort();
    return 0;
}
