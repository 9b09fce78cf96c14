/* The readers of files and words from outside, as functions of arbitrary bytes: for a fuzzer (`make fuzz`), and for
 * tests/base/test_fuzz.c, which replays the seeds and earlier findings. */
#ifndef SHOAL_FUZZ_H
#define SHOAL_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct fuzz_target {
    const char *name; /* of its folder of seeds */
    /* Accepts the input or refuses it with a message; frees what it has made of it. */
    enum err (*take)(const uint8_t *data, size_t size);
};

/* The last one has a null name. */
extern const struct fuzz_target fuzz_targets[];

#endif
