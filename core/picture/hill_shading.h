/* Hill shading: a height field lit from several sides, mostly from the north-west. */
#ifndef SHOAL_HILL_SHADING_H
#define SHOAL_HILL_SHADING_H

/* How much steeper a height field must be made to be seen well: its steep parts (nine tenths of what
 * is not flat is flatter) become slopes of 31 degrees. z: ny rows of nx heights from south to north, NaN
 * where there is none; dx, dy in the unit of z. 0: all of it is flat. */
double hill_shading_stretch(const float *z, int nx, int ny, double dx, double dy);

/* Brightness of each point with heights stretched: 1 where it is flat, more where it faces the light, at
 * least 0.25, at most 1.5. NaN heights are 1. */
void hill_shading_shade(const float *z, int nx, int ny, double dx, double dy, double stretch,
                        float *light);

#endif
