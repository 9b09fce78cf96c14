/* The ceilings of a device: a copy that streams through memory, and multiplications and additions that never
 * wait for a result. No run launches them, so they ignore the clock. */
#include "args.h"
#include "ceilings.h"

NO_TILES;

#if CEILING_FMA

/* Eight independent chains of 64 multiplications and additions each, repeated eight times
 * (CEILING_OPERATIONS), so that no instruction waits for the previous result. The 64 are unrolled, not a
 * loop, so that a C compiler vectorises across neighbouring cells. Blocks of a GPU take time to start, so
 * there each thread repeats the chains; a C compiler would not vectorise that, so on a CPU the phase repeats
 * instead. */
#ifdef __CUDACC__
#define EIGHT_PHASES
#define EIGHT_TIMES UNROLL(1) for (int r = 0; r < 8; r++)
#else
#define EIGHT_PHASES for (int r = 0; r < 8; r++)
#define EIGHT_TIMES
#endif
#define ROUND                                                                   \
    x0 = x0 * m + c, x1 = x1 * m + c, x2 = x2 * m + c, x3 = x3 * m + c,         \
    x4 = x4 * m + c, x5 = x5 * m + c, x6 = x6 * m + c, x7 = x7 * m + c
#define ROUNDS_8  ROUND, ROUND, ROUND, ROUND, ROUND, ROUND, ROUND, ROUND
#define ROUNDS_64 ROUNDS_8, ROUNDS_8, ROUNDS_8, ROUNDS_8, ROUNDS_8, ROUNDS_8, ROUNDS_8, ROUNDS_8

KERNEL(ceiling_fma, struct ceiling_args)
{
    const real m = a.p.theta, c = a.p.kappa4; /* unknown to the compiler, so it folds nothing */
    (void)t;
    EIGHT_PHASES
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.span.nx, X0 + i, Y0 + j);
        real x0 = a.from[k], x1 = x0 + REAL(1), x2 = x0 + REAL(2), x3 = x0 + REAL(3),
             x4 = x0 + REAL(4), x5 = x0 + REAL(5), x6 = x0 + REAL(6), x7 = x0 + REAL(7);
        EIGHT_TIMES { ROUNDS_64; }
        /* Not a sum: in fast mode a compiler would factor it, round by round. */
        a.to[k] = max2(max2(max2(x0, x1), max2(x2, x3)), max2(max2(x4, x5), max2(x6, x7)));
    }
}

#else

/* Each cell of the span has CEILING_REALS reals, all read before any is written, so that a thread waits for
 * all of them at once. */
KERNEL(ceiling_copy, struct ceiling_args)
{
    (void)t;
    FOR_TILE(i, j, 0, 0) {
        const long n = CELLS_X, k = (long)CEILING_REALS * X0 + j + i;
        const real x0 = a.from[k], x1 = a.from[k + n], x2 = a.from[k + 2 * n],
                   x3 = a.from[k + 3 * n], x4 = a.from[k + 4 * n], x5 = a.from[k + 5 * n],
                   x6 = a.from[k + 6 * n], x7 = a.from[k + 7 * n];
        a.to[k] = x0;
        a.to[k + n] = x1;
        a.to[k + 2 * n] = x2;
        a.to[k + 3 * n] = x3;
        a.to[k + 4 * n] = x4;
        a.to[k + 5 * n] = x5;
        a.to[k + 6 * n] = x6;
        a.to[k + 7 * n] = x7;
    }
}

#endif
