/* Reading the input of a run of several processes: one process of each host reads its files, and
 * the others on that host use the same memory and the same temporary files. */
#ifndef SHOAL_INPUT_ONCE_H
#define SHOAL_INPUT_ONCE_H

#include "core/device/ranks.h"
#include "core/problem/problem.h"

struct input_once {
    struct ranks *ranks;
    int told; /* the log says so */
};

/* All processes read with one of these, equally often. One that cannot open what another one has
 * read reads the files itself. */
struct input_reader input_once(struct input_once *once);

#endif
