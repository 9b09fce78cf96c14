/* GPUs of the stand-in for NVIDIA's driver and NVRTC: tests/support/stand_in_gpu.c. */
#ifndef SHOAL_TEST_STAND_IN_H
#define SHOAL_TEST_STAND_IN_H

#include "tests/support/program.h"

static char stand_in_library[PATH_LENGTH];

/* For a new scratch folder; the library lies beside the test program. With a cache of its own, as the kernels in it are
 * not for a GPU. 0: done. */
static inline int stand_in_use(void)
{
    char *const library = stand_in_library, path[PATH_LENGTH];
    const ssize_t n = readlink("/proc/self/exe", library, PATH_LENGTH - 64);
    scratch_create();
    if (n < 0)
        return 1;
    library[n] = '\0';
    strcpy(strrchr(library, '/'), "/libstand_in_gpu.so");
    scratch_folder("cuda");
    scratch_path(path, "cuda/libnvrtc.so.13");
    if (access(library, R_OK) || symlink(library, path))
        return 1;
    scratch_path(path, "cuda");
    setenv("SHOAL_CUDA", path, 1);
    scratch_path(path, "cache");
    setenv("SHOAL_CACHE", path, 1);
    setenv("SHOAL_LIBNCCL", "/nowhere/libnccl.so.2", 1);
    setenv("SHOAL_LIBNVML", "/nowhere/libnvidia-ml.so.1", 1);
    return setenv("SHOAL_LIBCUDA", library, 1);
}

#endif
