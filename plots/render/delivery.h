/* Pictures are drawn in a temporary folder beside their destination and moved there when all are
 * complete, so that a set of pictures or a film appears as a whole or not at all. */
#ifndef SHOAL_RENDER_DELIVERY_H
#define SHOAL_RENDER_DELIVERY_H

#include "core/base/output_file.h"
#include "core/base/paths.h"

struct delivery {
    char temporary[PATH_LENGTH]; /* the folder; "": none yet */
    char folder[PATH_LENGTH];    /* for pictures of several records; "": none are kept */
    char stem[256];              /* their names: STEM-0000.png */
    struct outfile picture;      /* the only picture, if there is just one; no path: none */
    struct outfile film;         /* no path: none */
    int made;                    /* the folder did not exist before */
    int count;                   /* pictures in the temporary folder */
};

/* Names of the outputs; "": not requested. */
struct wanted {
    const char *picture, *folder, *film, *stem;
};

/* Prepares all destinations. Fails with ERR_USAGE if one is impossible. End with delivery_publish
 * or delivery_discard. */
enum err delivery_open(struct delivery *d, const struct wanted *w);

enum { DELIVERY_NAME = 32 };

/* The name of the k-th picture in the temporary folder. */
void delivery_name(int k, char name[DELIVERY_NAME]);

/* Are all pictures whole? `record` numbers them. */
enum err delivery_check(const struct delivery *d, const size_t *record);

/* Makes the film from the existing pictures. */
enum err delivery_film(struct delivery *d, double per_second);

/* Moves all to their destinations and prints these; `record` numbers the pictures. */
enum err delivery_publish(struct delivery *d, const size_t *record);

/* Removes all temporary files. Accepts a zeroed or finished struct. */
void delivery_discard(struct delivery *d);

#endif
