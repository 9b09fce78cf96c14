/* Adds entries to a manifest; include after cmocka.h. */
#ifndef SHOAL_TEST_MANIFEST_H
#define SHOAL_TEST_MANIFEST_H

#include "core/db/tuning_db.h"

struct entries {
    const struct db_entry *at;
    size_t count;
};

static inline enum err set_all(struct db_manifest *m, void *context)
{
    const struct entries *all = context;
    for (size_t k = 0; k < all->count; k++)
        TRY(db_manifest_set(m, all->at[k].key, all->at[k].value));
    return ERR_OK;
}

static inline enum err merge_manifest(const char *path, const struct db_entry *entries,
                                      size_t count)
{
    struct entries all = {entries, count};
    return db_manifest_change(path, set_all, &all);
}

#endif
