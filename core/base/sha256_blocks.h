/* The step of SHA-256 over whole blocks, in two ways; private to sha256.c and its test. */
#ifndef SHOAL_SHA256_BLOCKS_H
#define SHOAL_SHA256_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BLOCK = 64 };

extern const uint32_t sha256_constants[64];

/* Takes n blocks into the state, on any processor. */
void sha256_blocks(uint32_t state[8], const unsigned char *from, size_t n);

/* The same by the instructions that some x86 processors have for it, in a sixth of the time. Where there are none it does
 * nothing and returns 0. */
int sha256_blocks_x86(uint32_t state[8], const unsigned char *from, size_t n);

#endif
