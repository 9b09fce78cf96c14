/* SHA-256's compression of whole blocks, in two versions; private to sha256.c and its test. */
#ifndef SHOAL_SHA256_BLOCKS_H
#define SHOAL_SHA256_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BLOCK = 64 };

extern const uint32_t sha256_constants[64];

/* Adds n blocks to the state, on any processor. */
void sha256_blocks(uint32_t state[8], const unsigned char *from, size_t n);

/* The same by the SHA instructions of some x86 processors, in a sixth of the time. Returns 0, and
 * does nothing, if the processor lacks them. */
int sha256_blocks_x86(uint32_t state[8], const unsigned char *from, size_t n);

#endif
