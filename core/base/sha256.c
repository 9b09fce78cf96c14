/* SHA-256; the names follow FIPS 180-4, sections 4.1.2 and 6.2. */
#include "core/base/sha256.h"

#include <stdio.h>
#include <string.h>

#include "core/base/sha256_blocks.h"

const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void schedule(const unsigned char block[SHA256_BLOCK], uint32_t w[64])
{
    const unsigned char *b = block;
    for (int t = 0; t < 16; t++, b += 4)
        w[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3];
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

static void compress(uint32_t state[8], const unsigned char block[SHA256_BLOCK])
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7], w[64];
    schedule(block, w);
    for (int t = 0; t < 64; t++) {
        const uint32_t sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25), ch = (e & f) ^ (~e & g);
        const uint32_t sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
        const uint32_t maj = (a & b) ^ (a & c) ^ (b & c),
                       t1 = h + sum1 + ch + sha256_constants[t] + w[t];
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + sum0 + maj;
    }
    const uint32_t v[8] = {a, b, c, d, e, f, g, h};
    for (int k = 0; k < 8; k++)
        state[k] += v[k];
}

void sha256_blocks(uint32_t state[8], const unsigned char *from, size_t n)
{
    for (; n > 0; n--, from += SHA256_BLOCK)
        compress(state, from);
}

static void take_blocks(struct sha256 *s, const unsigned char *from, size_t n)
{
    if (!sha256_blocks_x86(s->state, from, n))
        sha256_blocks(s->state, from, n);
}

void sha256_init(struct sha256 *s)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(s->state, start, sizeof start);
    s->length = 0;
}

void sha256_update(struct sha256 *s, const void *data, size_t n)
{
    const unsigned char *from = data;
    while (n > 0) {
        const size_t used = s->length % SHA256_BLOCK, room = SHA256_BLOCK - used;
        const size_t whole = used ? 0 : n / SHA256_BLOCK * SHA256_BLOCK;
        const size_t take = whole ? whole : n < room ? n : room;
        if (whole)
            take_blocks(s, from, whole / SHA256_BLOCK);
        else
            memcpy(s->block + used, from, take);
        s->length += take;
        from += take;
        n -= take;
        if (!whole && take == room)
            take_blocks(s, s->block, 1);
    }
}

void sha256_final(struct sha256 *s, char hex[SHA256_DIGITS + 1])
{
    static const unsigned char padding[64] = {0x80};
    unsigned char bits[8];
    for (int k = 0; k < 8; k++)
        bits[k] = (unsigned char)(s->length * 8 >> (56 - 8 * k));
    sha256_update(s, padding, 1 + (119 - s->length % 64) % 64);
    sha256_update(s, bits, sizeof bits);
    for (int k = 0; k < 8; k++, hex += 8)
        snprintf(hex, 9, "%08x", s->state[k]);
}
