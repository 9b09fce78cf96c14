/* A stage that lies in memory in 16 bits a value between the substeps: eta as what it differs from one
 * number of the run, discharges as they are. STAGE is the number of binary digits: 11 for f16, 8 for
 * bf16. Rounded to the nearest, ties to even, with the same bits on CPUs and GPUs; f16 turns what is
 * beyond 65504 into infinity, which ends the run. */
#ifndef SHOAL_STAGE16_H
#define SHOAL_STAGE16_H

#include "real.h"

#if PRECISION == 64
#error "STAGE keeps f32 values in 16 bits: leave it out, or use --precision f32"
#endif
#if STAGE != 8 && STAGE != 11
#error "STAGE is 11 (f16) or 8 (bf16)"
#endif

typedef unsigned short short_bits;

#if STAGE == 8

/* What does not fit becomes infinite; a NaN stays one. */
FN short_bits shortened(real x)
{
    const bits b = bits_of(x), even = (b >> 16) & 1u;
    return (short_bits)(x == x ? (b + 0x7fffu + even) >> 16 : (b >> 16) | 0x40u);
}

FN real lengthened(short_bits s)
{
    return real_of((bits)s << 16);
}

#elif defined(__CUDACC__)

FN short_bits shortened(real x)
{
    short_bits s;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(s) : "f"(x));
    return s;
}

FN real lengthened(short_bits s)
{
    real x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(s));
    return x;
}

#else

/* Below 2^-14 f16 counts in units of 2^-24, which are those of f32 from 0.5 to 1: adding 0.5 rounds.
 * Above, the exponent's bias falls by 112. */
FN short_bits shortened(real x)
{
    const bits b = bits_of(x), size = b & 0x7fffffffu, sign = (b >> 16) & 0x8000u;
    const bits small = bits_of(real_of(size) + REAL(0.5)) - 0x3f000000u;
    const bits usual = (size - (112u << 23) + 0xfffu + ((size >> 13) & 1u)) >> 13;
    const bits large = size > 0x7f800000u ? 0x7e00u : 0x7c00u;
    const bits fits = size < 0x38800000u ? small : usual;
    return (short_bits)(sign | (size < 0x47800000u ? fits : large));
}

FN real lengthened(short_bits s)
{
    const bits size = ((bits)s & 0x7fffu) << 13, sign = ((bits)s & 0x8000u) << 16;
    const bits small = bits_of(real_of(size + 0x38800000u) - real_of(0x38800000u));
    const bits usual = size + (112u << 23), large = size + (224u << 23);
    const bits finite = size < (1u << 23) ? small : usual;
    return real_of(sign | (size < (31u << 23) ? finite : large));
}

#endif

/* What is stored of eta. Of a dry cell's it is rounded downwards: else rounding would make a film that
 * flows. */
FN real deviation(real eta, real floor, real level)
{
    const real d = eta - level;
    const short_bits s = shortened(d);
    const short_bits below = (short_bits)((s & 0x7fff) == 0 ? 0x8001
                                          : (s & 0x8000)    ? s + 1
                                                            : s - 1);
    return eta <= floor && lengthened(s) > d ? lengthened(below) : d;
}

/* Where a stage keeps what a field of reals would keep at offset k. */
#define STAGE_AT(field, k) ((short_bits *)(void *)(field) + (k))

/* For the row language. */
#ifdef SHOAL_ROWS_H

#if defined(__CUDACC__) || defined(EMULATE)

/* Neighbours are one access, as in rows.h. */
#define TOGETHER (COLUMNS % 2 == 0 ? 2 : 1)

typedef struct {
    short_bits v[TOGETHER];
} __attribute__((aligned(2 * TOGETHER))) short_group;

FN void load_stage(row *to, const short_bits *from, int n, int thread)
{
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS; k += TOGETHER) {
        const int c = thread * COLUMNS + k;
        const int have = c < n ? c : (n - 1) / TOGETHER * TOGETHER;
        const short_group g = *(const short_group *)(const void *)(from + have);
        PRAGMA_UNROLL
        for (int m = 0; m < TOGETHER; m++)
            to->v[k + m] = lengthened(g.v[m]);
    }
}

FN void store_stage(short_bits *to, const row *from, int n, int thread)
{
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS; k += TOGETHER) {
        const int c = thread * COLUMNS + k;
        short_group g;
        PRAGMA_UNROLL
        for (int m = 0; m < TOGETHER; m++)
            g.v[m] = shortened(from->v[k + m]);
        if (c >= HALO && c < n + HALO)
            *(short_group *)(void *)(to + c) = g;
    }
}

#define LOAD_STAGE(to, field, k, n) \
    load_stage(&(to), STAGE_AT(field, k), (n) + 2 * HALO, warp.thread)
#define STORE_STAGE(field, k, from, n) store_stage(STAGE_AT(field, k), &(from), n, warp.thread)

#else

#define LOAD_STAGE(to, field, k, n) \
    INDEPENDENT FOR_INNER(0, (n) + 2 * HALO) HERE(to) = lengthened(STAGE_AT(field, k)[c])
#define STORE_STAGE(field, k, from, n) \
    INDEPENDENT FOR_INNER(HALO, n) STAGE_AT(field, k)[c] = shortened(HERE(from))

#endif

#endif

#endif
