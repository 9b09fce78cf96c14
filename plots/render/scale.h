/* The ends of the colours: the same for all pictures of a set. */
#ifndef SHOAL_RENDER_SCALE_H
#define SHOAL_RENDER_SCALE_H

#include "plots/render/map.h"
#include "plots/render/times.h"

/* Reads all chosen records once (just one where the variable does not change). */
enum err scale_find(struct scale *s, const struct planes *p, const struct chosen *c, float *value,
                    float *depth);

/* Reads "LOW,HIGH". */
enum err scale_read(struct scale *s, const char *text);

#endif
