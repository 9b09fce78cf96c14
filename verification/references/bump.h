/* Steady frictionless flow over the parabolic bump that many codes are tested on (Goutal and Maurel
 * 1997; SWASHES: Delestre et al. 2013, section 3.1). */
#ifndef SHOAL_BUMP_H
#define SHOAL_BUMP_H

/* Of the channel, m; the crest of the bump lies at bump_crest and bump_height above the floor at 0.
 *  */
extern const double bump_length, bump_crest, bump_height;
extern const double bump_gravity; /* m/s2 */

/* For `bed` of a case: its level at x, m. */
double bump_bed(double x, double y);

/* Depth, m, of a flow of q m2/s that is h_out deep on the floor downstream, and so is subcritical
 * everywhere. */
double bump_subcritical(double x, double q, double h_out);

/* Depth, m, of a flow of q m2/s that is critical on the crest: subcritical before it, supercritical
 * behind. */
double bump_transcritical(double x, double q);

struct bump_jump {
    double x, before, after; /* where, and the depths on its two sides, m */
};

/* The hydraulic jump behind the crest of a flow of q m2/s that is critical on the crest and h_out
 * deep on the floor downstream. It must lie on the bump: h_out not so low that the jump is swept
 * off it, nor so high that it drowns the crest. */
struct bump_jump bump_jump(double q, double h_out);

/* Depth, m, of the flow with that jump. */
double bump_with_jump(double x, double q, double h_out);

#endif
