/* What schemes with mistakes launch beside the kernels of rk2. */
#include "kernels/kernel.h"

#define WRONG(called, which)                                                                 \
    {                                                                                        \
        .name = called, .stem = "mistake", .file = "mistakes.cu", .defines = "WHICH=" which, \
        .block = {                                                                           \
            [CPU] = {256, 8},                                                                \
            [CUDA] = {32, 8}                                                                 \
        }                                                                                    \
    }

extern const struct kernel kernels_mistakes[];
const struct kernel kernels_mistakes[] = {
    WRONG("mistake_wide", "1"),
    WRONG("mistake_drain", "2"),
    WRONG("mistake_lean", "3"),
    WRONG("mistake_stir", "4"),
    WRONG("mistake_no_sync", "5"),
    WRONG("mistake_corner", "6"),
    {.name = 0},
};
