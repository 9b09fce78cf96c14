/* SHA-256 by the instructions of x86 processors (Intel SDM, volume 2: SHA256RNDS2, SHA256MSG1, SHA256MSG2). */
#include "core/base/sha256_blocks.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

/* Does the processor have the instructions? CPUID, leaf 7, EBX; the shuffles came with SSE4.1. */
static int is_able(void)
{
    enum { UNKNOWN, ABLE, UNABLE };
    static atomic_int known = UNKNOWN;
    if (known == UNKNOWN) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        const int able = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) &&
                         __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1);
        known = able ? ABLE : UNABLE;
    }
    return known == ABLE;
}

#define WITH_SHA __attribute__((target("sha,sse4.1")))

/* Four words of the message schedule from the sixteen before them. */
WITH_SHA static __m128i scheduled(const __m128i *w)
{
    const __m128i sum =
        _mm_add_epi32(_mm_sha256msg1_epu32(w[-4], w[-3]), _mm_alignr_epi8(w[-1], w[-2], 4));
    return _mm_sha256msg2_epu32(sum, w[-1]);
}

/* The state in the instructions' layout: words f, e, b, a and h, g, d, c, lowest first. */
WITH_SHA static void compress(__m128i *feba, __m128i *hgdc, const unsigned char *block)
{
    const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    const __m128i *const k = (const __m128i *)(const void *)sha256_constants;
    __m128i x = *feba, y = *hgdc, w[16];
    for (int t = 0; t < 16; t++) {
        w[t] = t < 4 ? _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)block + t),
                                        big_endian)
                     : scheduled(w + t);
        const __m128i wk = _mm_add_epi32(w[t], _mm_loadu_si128(k + t));
        y = _mm_sha256rnds2_epu32(y, x, wk);
        x = _mm_sha256rnds2_epu32(x, y, _mm_shuffle_epi32(wk, 0x0e)); /* its upper half */
    }
    *feba = _mm_add_epi32(*feba, x);
    *hgdc = _mm_add_epi32(*hgdc, y);
}

WITH_SHA static void compress_all(uint32_t state[8], const unsigned char *from, size_t n)
{
    const uint32_t *s = state;
    __m128i feba = _mm_set_epi32((int)s[0], (int)s[1], (int)s[4], (int)s[5]);
    __m128i hgdc = _mm_set_epi32((int)s[2], (int)s[3], (int)s[6], (int)s[7]);
    uint32_t x[4], y[4];
    for (; n > 0; n--, from += SHA256_BLOCK)
        compress(&feba, &hgdc, from);
    _mm_storeu_si128((__m128i *)(void *)x, feba);
    _mm_storeu_si128((__m128i *)(void *)y, hgdc);
    const uint32_t now[8] = {x[3], x[2], y[3], y[2], x[1], x[0], y[1], y[0]};
    for (int k = 0; k < 8; k++)
        state[k] = now[k];
}

int sha256_blocks_x86(uint32_t state[8], const unsigned char *from, size_t n)
{
    if (!is_able())
        return 0;
    compress_all(state, from, n);
    return 1;
}
#else
int sha256_blocks_x86(uint32_t state[8], const unsigned char *from, size_t n)
{
    (void)state, (void)from, (void)n;
    return 0;
}
#endif
