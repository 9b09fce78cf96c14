/* Which records become pictures, and where pictures and film go. */
#ifndef SHOAL_RENDER_DESTINATION_H
#define SHOAL_RENDER_DESTINATION_H

#include "plots/render/delivery.h"
#include "plots/render/settings.h"
#include "plots/render/shown.h"
#include "plots/render/times.h"

/* Chooses records by --times, --every and --output: a single picture shows the last. A constant
 * variable has one picture. */
enum err destination_records(struct chosen *c, const struct settings *s, const struct ncrecords *r,
                             const struct shown *shown);

/* Opens the delivery of so many pictures. Without --output one picture is FILE-VARIABLE.png here, several
 * are in the folder FILE-VARIABLE. */
enum err destination_open(struct delivery *d, const struct settings *s, const struct ncrecords *r,
                          const struct shown *shown, int pictures);

#endif
