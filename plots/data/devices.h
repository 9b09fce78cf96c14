/* The devices with measurements in the tuning database. */
#ifndef SHOAL_DEVICES_H
#define SHOAL_DEVICES_H

#include "core/db/tuning_db.h"

struct database; /* database.h */

/* An environment of the database: a device as it was measured. */
struct plot_device {
    char device[DB_NAME + 1], environment[DB_NAME + 1];
    char folder[PATH_LENGTH]; /* of the environment */
    char latest[32];          /* when its last session began, UTC */
    enum backend_kind backend;
    int rank; /* of the device's environments, from 1, the latest first */
    struct db_manifest manifest;
    struct database *database; /* of all environments of the device; NULL but for the first one */
};

/* All environments of the database, GPUs first, sorted by device, the latest first: the others are
 * from before a driver or compiler changed. */
struct plot_devices {
    char folder[PATH_LENGTH]; /* of the tuning database */
    struct db_list files;     /* of it, all */
    struct plot_device *at;
    int count;
    struct database *database; /* of all environments */
};
/* With `only` not "" for one device only. Fails with ERR_INPUT if there is no database, with
 * ERR_USAGE if it has no such device. Must not move. */
enum err plot_devices_read(struct plot_devices *all, const char *only);
void plot_devices_free(struct plot_devices *all);

/* How many environments the device has whose first one is at `first`. */
int plot_device_environments(const struct plot_devices *all, int first);

/* A short display name: "NVIDIA H200" */
const char *plot_device_title(const struct plot_device *d);

/* How many GPUs of one host it is (1 for a CPU), and whether its runs are divided into parts: 2 and true for "2 x
 * NVIDIA H200, 2 parts". */
int plot_device_count(const struct plot_device *d);
int plot_device_divided(const struct plot_device *d);

/* Fails with ERR_USAGE, listing the existing ones, if there is no such device. */
enum err plot_devices_check(const struct plot_devices *all, const char *device);

#endif
