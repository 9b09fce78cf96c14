/* SHA-256 (FIPS 180-4), for keys, records and seals of files. */
#ifndef SHOAL_SHA256_H
#define SHOAL_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_DIGITS = 64 };

struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
};

void sha256_init(struct sha256 *s);
void sha256_update(struct sha256 *s, const void *data, size_t n);

/* Writes the digest as lower-case hexadecimal digits and a NUL; call init before using `s` again. */
void sha256_final(struct sha256 *s, char hex[SHA256_DIGITS + 1]);

#endif
