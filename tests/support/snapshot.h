/* The files of a folder below the scratch folder, kept in memory; include after cmocka.h. */
#ifndef SHOAL_TEST_SNAPSHOT_H
#define SHOAL_TEST_SNAPSHOT_H

#include <dirent.h>

#include "tests/support/scratch.h"

enum { SNAPSHOT_FILES = 64 };

/* Names are relative to the scratch folder; a folder has no bytes. */
struct snapshot {
    int count;
    struct kept {
        char name[256], *bytes;
        size_t size;
        int folder;
    } file[SNAPSHOT_FILES];
};

static inline void snapshot_free(struct snapshot *s)
{
    for (int k = 0; k < s->count; k++)
        free(s->file[k].bytes);
    s->count = 0;
}

static inline void snapshot_add(struct snapshot *s, const char *name)
{
    char path[PATH_LENGTH];
    struct stat is;
    assert_true(s->count < SNAPSHOT_FILES);
    struct kept *f = &s->file[s->count++];
    *f = (struct kept){.bytes = NULL};
    assert_true(snprintf(f->name, sizeof f->name, "%s", name) < (int)sizeof f->name);
    scratch_path(path, name);
    assert_int_equal(stat(path, &is), 0);
    f->folder = S_ISDIR(is.st_mode);
    if (f->folder)
        return;
    f->size = (size_t)is.st_size;
    f->bytes = malloc(f->size + 1);
    FILE *from = fopen(path, "rb");
    assert_non_null(f->bytes);
    assert_non_null(from);
    assert_int_equal(fread(f->bytes, 1, f->size, from), f->size);
    f->bytes[f->size] = '\0';
    fclose(from);
}

/* Adds a folder and everything below it. */
static inline void snapshot_take(struct snapshot *s, const char *folder)
{
    char path[PATH_LENGTH], name[2 * PATH_LENGTH];
    const int at = s->count;
    snapshot_add(s, folder);
    if (!s->file[at].folder)
        return;
    scratch_path(path, folder);
    DIR *d = opendir(path);
    assert_non_null(d);
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        snprintf(name, sizeof name, "%s/%s", folder, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            snapshot_take(s, name);
    }
    closedir(d);
}

/* Restores the folder. */
static inline void snapshot_restore(const struct snapshot *s)
{
    char path[PATH_LENGTH];
    scratch_path(path, s->file[0].name);
    nftw(path, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
    for (int k = 0; k < s->count; k++) {
        const struct kept *f = &s->file[k];
        scratch_path(path, f->name);
        if (f->folder) {
            assert_int_equal(mkdir(path, 0700), 0);
            continue;
        }
        FILE *to = fopen(path, "wb");
        assert_non_null(to);
        assert_int_equal(fwrite(f->bytes, 1, f->size, to), f->size);
        assert_int_equal(fclose(to), 0);
    }
}

/* The file of this name; null: none. */
static inline const struct kept *snapshot_find(const struct snapshot *s, const char *name)
{
    for (int k = 0; k < s->count; k++)
        if (strcmp(s->file[k].name, name) == 0)
            return &s->file[k];
    return NULL;
}

static inline int snapshot_same(const struct kept *a, const struct kept *b)
{
    return a && b && a->folder == b->folder && a->size == b->size &&
           (a->folder || memcmp(a->bytes, b->bytes, a->size) == 0);
}

#endif
