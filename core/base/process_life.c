/* Asks the system whether a process is alive. */
#include "core/base/process_life.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/sha256.h"

/* The letter that the system gives it; 0: unknown. */
static int state_of(long pid)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    const int read = fscanf(f, "%*d (%*[^)]) %c", &state);
    fclose(f);
    return read == 1 ? state : 0;
}

int process_gone(long pid)
{
    if (kill((pid_t)pid, 0) != 0)
        return errno == ESRCH;
    const int state = state_of(pid);
    return state == 'Z' || state == 'X';
}

int process_stopped(long pid)
{
    return state_of(pid) == 'T';
}

unsigned long process_host(void)
{
    struct sha256 s;
    char text[SHA256_DIGITS + 1] = "", space[64] = "";
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (f && !fgets(text, sizeof text, f))
        *text = 0;
    if (f)
        fclose(f);
    if (readlink("/proc/self/ns/pid", space, sizeof space - 1) < 0)
        *space = 0;
    sha256_init(&s);
    sha256_update(&s, text, strlen(text));
    sha256_update(&s, space, strlen(space));
    sha256_final(&s, text);
    text[16] = 0;
    return strtoul(text, NULL, 16);
}
