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
    struct certificate runs;         /* their bits in the end; no starts */
};

struct records {
    struct record *at;
    int count;
};

/* All records, by name, each with how many of the `stored` runs have come to the stored bits there, answer[ASK_STORED];
 * none where there is no such folder. Fails with ERR_INPUT, naming file and what is wrong, where one cannot be
 * understood. */
enum err records_read(struct records *all, const struct certificate *stored);
void records_free(struct records *all);

/* Of a device that is here: no answers and no runs yet. */
void record_begin(struct record *r, const struct device_info *device);

/* Writes what a device has confirmed and answered, over what it had confirmed before. */
enum err record_write(const struct record *r, char path[PATH_LENGTH]);

#endif
