/* A substitute for Nsight Compute: bin/ncu in the scratch folder; include after cmocka.h. */
#ifndef SHOAL_TEST_NCU_H
#define SHOAL_TEST_NCU_H

#include <sys/stat.h>

#include "tests/support/scratch.h"

/* Its version text, and the names of its columns. */
#define NCU_NAMES                                                                                 \
    "==PROF== Connected to process 4711 (/somewhere/shoal)\n"                                     \
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\","           \
    "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\"," \
    "\"Metric Unit\",\"Metric Value\"\n"

/* It stores its arguments in the file `arguments`, and writes this text to its --log-file. */
static inline void plant_ncu(const char *log, int status)
{
    char text[2 * PATH_LENGTH], path[PATH_LENGTH];
    scratch_write("table", "w", log);
    snprintf(text, sizeof text,
             "#!/bin/sh\necho \"$*\" >'%s/arguments'\n"
             "while [ \"$1\" != --log-file ]; do shift; done\ncat '%s/table' >\"$2\"\nexit %d\n",
             scratch, scratch, status);
    scratch_path(path, "bin");
    mkdir(path, 0700);
    scratch_write("bin/ncu", "w", text);
    scratch_path(path, "bin/ncu");
    assert_int_equal(chmod(path, 0700), 0);
}

#endif
