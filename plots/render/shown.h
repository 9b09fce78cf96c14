/* What a picture shows: a variable of the file, or one computed from several. */
#ifndef SHOAL_RENDER_SHOWN_H
#define SHOAL_RENDER_SHOWN_H

#include "core/picture/colour_map.h"
#include "core/netcdf/read_records.h"

enum shown_kind { SHOW_DEPTH, SHOW_LEVEL, SHOW_SPEED, SHOW_PLAIN };

struct shown {
    enum shown_kind kind;
    char name[NCRECORDS_NAME];      /* as file names have it: depth, h_max */
    char label[2 * NCRECORDS_TEXT]; /* of the colour bar, without units */
    char units[NCRECORDS_TEXT];     /* "m", "m/s"; "": none */
    enum colour_map map;
    int from_zero; /* the colours begin at 0 */
    int peaks;     /* a few cells may be far above the others */
    int timed;     /* it changes from record to record */
    /* Variables of the file; null if missing or not needed. */
    const struct ncvariable *plain, *h, *w, *bed, *hu, *hv;
    const struct ncvariable
        *wet; /* depths that determine where to colour it: h, or for a maximum h_max */
};

/* `name` may be "": the depth, else a maximum, else the first variable. Fails with ERR_USAGE if the
 * file does not have it, and lists what it has. */
enum err shown_choose(struct shown *s, const struct ncrecords *r, const char *name);

#endif
