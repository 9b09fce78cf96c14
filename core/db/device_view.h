/* The inside of a view of the tuning database: the environments relevant to a device. */
#ifndef SHOAL_DEVICE_VIEW_H
#define SHOAL_DEVICE_VIEW_H

#include "core/db/tuning_db.h"

/* An environment's folder. */
struct shelf {
    char path[2 * DB_NAME + 2]; /* relative to the database */
    int same_device;
    char latest[DB_TIME]; /* when the last of its sessions was started */
    struct db_manifest manifest;
};

struct db_view {
    char folder[PATH_LENGTH], device[DB_NAME + 1], capability[16];
    struct shelf *shelf;
    int threads; /* of a CPU's environments; 0: any */
    int count;
    int others; /* includes the shelves of other devices */
};

/* Adds the environments of devices with the same compute capability, unless already done. */
enum err db_view_add_others(struct db_view *v);

#endif
