/* Hill shading: a height field lit from several sides, mostly from the north-west. */
#ifndef SHOAL_HILL_SHADING_H
#define SHOAL_HILL_SHADING_H

/* How much steeper a height field must be made to show well: its steep parts (nine tenths of the
 * non-flat area is flatter) become slopes of 31 degrees. z: ny rows of nx heights from south to
 * north, NaN where there is none; dx, dy in the unit of z. 0: all of it is flat. */
double hill_shading_stretch(const float *z, int nx, int ny, double dx, double dy);

/* Brightness of each point with heights stretched: 1 on flat ground, more facing the light, at
 * least 0.25, at most 1.5. NaN heights give 1. */
void hill_shading_shade(const float *z, int nx, int ny, double dx, double dy, double stretch,
                        float *light);

#endif
