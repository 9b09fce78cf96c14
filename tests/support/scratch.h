/* A folder for one test, named by `scratch` and deleted after it; include after cmocka.h. */
#ifndef SHOAL_SCRATCH_H
#define SHOAL_SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/paths.h"
#include "core/base/whole_file.h"

static char scratch[] = "/tmp/shoal-test-XXXXXX";

static inline void scratch_create(void)
{
    strcpy(scratch, "/tmp/shoal-test-XXXXXX");
    assert_non_null(mkdtemp(scratch));
}

static inline int scratch_setup(void **state)
{
    (void)state;
    scratch_create();
    return 0;
}

static inline int scratch_remove_one(const char *path, const struct stat *s, int kind,
                                     struct FTW *where)
{
    (void)s, (void)kind, (void)where;
    return remove(path);
}

static inline int scratch_remove(void **state)
{
    (void)state;
    return nftw(scratch, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void scratch_path(char path[PATH_LENGTH], const char *name)
{
    assert_true(snprintf(path, PATH_LENGTH, "%s/%s", scratch, name) < PATH_LENGTH);
}

static inline void scratch_folder(const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static inline int scratch_has(const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    return access(path, F_OK) == 0;
}

static inline void scratch_delete(const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    unlink(path);
}

/* The bytes of any file, followed by a NUL; to be freed. */
static inline char *bytes_of(const char *path, size_t *size)
{
    static char *bytes; /* if automatic, gcc suspects that it points to itself */
    if (whole_file_read(path, WHOLE_DATA, &bytes, size))
        fail_msg("%s", err_message());
    return bytes;
}

/* The same for a file of the folder. */
static inline char *scratch_read(const char *name, size_t *size)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    return bytes_of(path, size);
}

/* Writes a file; mode "w" or "a", as for fopen. */
static inline void scratch_write(const char *name, const char *mode, const char *text)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    FILE *f = fopen(path, mode);
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

#endif
