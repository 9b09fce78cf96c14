/* Which bits a device has confirmed: verification/certified/DEVICE.tsv, written by
 * `shoal certify --record`. */
#ifndef SHOAL_RECORD_H
#define SHOAL_RECORD_H

#include "core/device/backend.h"
#include "core/db/tuning_db.h"
#include "verification/certify/certify.h"

struct record {
    char device[128], target[64], compiler[128], driver[64], commit[64]; /* "-": there is none */
    struct answer answer[QUESTIONS]; /* by question; not `absent` */
    struct certificate runs;         /* their final bits; no starts */
};

struct records {
    struct record *at;
    int count;
};

/* All records, by name, each with how many of the `stored` runs gave the stored bits there,
 * answer[ASK_STORED]; none if there is no such folder. Fails with ERR_INPUT, naming file and
 * mistake, if one is malformed. */
enum err records_read(struct records *all, const struct certificate *stored);
void records_free(struct records *all);

/* For a device of this machine: no answers and no runs yet. */
void record_begin(struct record *r, const struct device_info *device);

/* Writes the device's results, replacing earlier ones. */
enum err record_write(const struct record *r, char path[PATH_LENGTH]);

#endif
