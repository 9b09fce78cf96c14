/* The files that a command reads, so that no output replaces them. */
#ifndef SHOAL_INPUT_FILES_H
#define SHOAL_INPUT_FILES_H

#include "core/base/err.h"

/* Records a file that is read, or a folder with everything below it. Ignores a missing file:
 * reading it reports that. Thread safe. */
void input_files_note(const char *path);

/* Forgets all records. */
void input_files_forget(void);

/* Fails with ERR_USAGE if a path, under any name, is a recorded file or lies in a recorded folder. */
enum err input_files_check(const char *path);

#endif
