/* The part of tests/support/stand_in_gpu.c that is NVRTC: the C compiler. */
#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/stand_in_setting.h"

enum { OUT_OF_HOST_MEMORY = 1, COMPILATION = 6, MOST_WORDS = 128 };

struct program {
    char *source, *code;
    size_t size;
};

const char *nvrtcGetErrorString(int code);
const char *nvrtcGetErrorString(int code)
{
    return code == COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_OUT_OF_MEMORY";
}

int nvrtcVersion(int *major, int *minor);
int nvrtcVersion(int *major, int *minor)
{
    *major = setting_version("FAKE_NVRTC") / 1000;
    *minor = setting_version("FAKE_NVRTC") % 1000 / 10;
    return 0;
}

int nvrtcGetNumSupportedArchs(int *n);
int nvrtcGetNumSupportedArchs(int *n)
{
    *n = 1;
    return 0;
}

int nvrtcGetSupportedArchs(int *archs);
int nvrtcGetSupportedArchs(int *archs)
{
    *archs = (int)strtol(setting("FAKE_ARCH", "90"), NULL, 10);
    return 0;
}

int nvrtcCreateProgram(struct program **p, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names);
int nvrtcCreateProgram(struct program **p, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names)
{
    (void)text, (void)headers, (void)texts, (void)names;
    *p = calloc(1, sizeof **p);
    if (*p)
        (*p)->source = strdup(name);
    return *p && (*p)->source ? 0 : OUT_OF_HOST_MEMORY;
}

int nvrtcDestroyProgram(struct program **p);
int nvrtcDestroyProgram(struct program **p)
{
    free((*p)->source);
    free((*p)->code);
    free(*p);
    *p = NULL;
    return 0;
}

static int read_code(struct program *p, int fd)
{
    const off_t size = lseek(fd, 0, SEEK_END);
    p->size = size > 0 ? (size_t)size : 0;
    p->code = malloc(p->size + 1);
    return p->code && p->size && pread(fd, p->code, p->size, 0) == (ssize_t)p->size ? 0
                                                                                    : COMPILATION;
}

/* With the defines and folders that NVRTC is given, and arithmetic as in strict mode. */
int nvrtcCompileProgram(struct program *p, int count, const char *const *options);
int nvrtcCompileProgram(struct program *p, int count, const char *const *options)
{
    static const char *const own[] = {"cc",
                                      "-x",
                                      "c",
                                      "-std=gnu11",
                                      "-O1",
                                      "-w",
                                      "-fPIC",
                                      "-shared",
                                      "-ffp-contract=off",
                                      "-fno-math-errno",
                                      "-fno-trapping-math"};
    enum { OWN = sizeof own / sizeof *own };
    char *argv[MOST_WORDS + OWN + 4], output[] = "/tmp/stand-in-XXXXXX";
    int n = 0, status = 1;
    pid_t pid;
    for (int k = 0; k < OWN; k++)
        memcpy(&argv[n++], &own[k], sizeof *argv);
    for (int k = 0; k < count && k < MOST_WORDS; k++)
        if (strncmp(options[k], "-D", 2) == 0 || strncmp(options[k], "-I", 2) == 0)
            memcpy(&argv[n++], &options[k], sizeof *argv);
    const int fd = mkstemp(output);
    char dash_o[] = "-o", *const last[] = {p->source, dash_o, output, NULL};
    memcpy(&argv[n], last, sizeof last);
    if (fd < 0 || posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0) {
        unlink(output);
        return COMPILATION;
    }
    close(fd);
    const int again = open(output, O_RDONLY | O_CLOEXEC);
    unlink(output);
    status = read_code(p, again);
    close(again);
    return status;
}

int nvrtcGetProgramLogSize(struct program *p, size_t *bytes);
int nvrtcGetProgramLogSize(struct program *p, size_t *bytes)
{
    (void)p;
    *bytes = 1;
    return 0;
}

int nvrtcGetProgramLog(struct program *p, char *log);
int nvrtcGetProgramLog(struct program *p, char *log)
{
    (void)p;
    *log = '\0';
    return 0;
}

int nvrtcGetPTXSize(struct program *p, size_t *bytes);
int nvrtcGetPTXSize(struct program *p, size_t *bytes)
{
    return nvrtcGetProgramLogSize(p, bytes);
}

int nvrtcGetPTX(struct program *p, char *ptx);
int nvrtcGetPTX(struct program *p, char *ptx)
{
    return nvrtcGetProgramLog(p, ptx);
}

int nvrtcGetCUBINSize(struct program *p, size_t *bytes);
int nvrtcGetCUBINSize(struct program *p, size_t *bytes)
{
    *bytes = p->size;
    return 0;
}

int nvrtcGetCUBIN(struct program *p, char *cubin);
int nvrtcGetCUBIN(struct program *p, char *cubin)
{
    memcpy(cubin, p->code, p->size);
    return 0;
}
