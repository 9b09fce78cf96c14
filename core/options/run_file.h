/* Run files: the settings of a run as lines of text, "key = value". */
#ifndef SHOAL_RUN_FILE_H
#define SHOAL_RUN_FILE_H

#include "core/options/run_config.h"

/* Adds what a run file says to `c`. Relative paths in it start at its own folder. Fails with
 * ERR_INPUT if the file cannot be read, else with ERR_USAGE; the message names file and line. */
enum err runfile_read(struct config *c, const char *path);

#endif
