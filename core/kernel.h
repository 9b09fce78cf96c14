/* What the host knows of a kernel: where its text is, what it was specialised with, how large a
 * block it takes when nobody tuned it. Described in kernels/<file>.c, beside the text. */
#ifndef SHOAL_KERNEL_H
#define SHOAL_KERNEL_H

enum backend_kind { CPU, CUDA, BACKENDS };
enum precision { F32, F64, PRECISIONS };
enum mode { STRICT, FAST_MODE, MODES };

struct block {
    int w, h;
};

struct kernel {
    const char *name;    /* in options and the database: rk0 */
    const char *stem;    /* --block accepts it for all variants: rk */
    const char *file;    /* in kernels/ */
    const char *defines; /* what makes this variant: "SUBSTEP=0", several separated by spaces */
    int tuned;           /* one of those the tuner varies */
    int plugins;         /* its text includes the limiter, the flux and the reconstruction */
    struct block block[BACKENDS]; /* default */
};

#endif
