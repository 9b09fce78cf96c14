/* Channels with Manning's friction whose beds are made for a chosen steady flow (MacDonald et al.
 * 1997; depths as in SWASHES: Delestre et al. 2013, section 3.2). */
#ifndef SHOAL_MACDONALD_H
#define SHOAL_MACDONALD_H

struct macdonald {
    double length;                /* m */
    double q, manning;            /* m2/s, s/m^(1/3) */
    double seam;                  /* where the second depth takes over; the length: nowhere */
    double (*depth[2])(double x); /* m; smooth on its part of the channel */
};

extern const double macdonald_gravity; /* m/s2 */

extern const struct macdonald macdonald_sub;           /* 1000 m, subcritical */
extern const struct macdonald macdonald_super;         /* 1000 m, supercritical */
extern const struct macdonald macdonald_transcritical; /* 1000 m, sub- to supercritical */
extern const struct macdonald macdonald_jump;      /* 100 m, sub- to supercritical, then a jump */
extern const struct macdonald macdonald_jump_long; /* 1000 m, supercritical, then a jump */

/* Depth at x, m; at the seam the second one. */
double macdonald_depth(const struct macdonald *c, double x);

/* Level of the bed at x, m; 0 at the channel's end. */
double macdonald_bed(const struct macdonald *c, double x);

#endif
