/* The files that a command reads: nothing that it writes may replace them. */
#ifndef SHOAL_INPUT_FILES_H
#define SHOAL_INPUT_FILES_H

#include "core/base/err.h"

/* Notes a file that is read, or a folder with all below it. What is not there is passed over: reading it
 * says why. Thread safe. */
void input_files_note(const char *path);

/* Ends all notes. */
void input_files_forget(void);

/* Fails with ERR_USAGE where a path, by whatever name, is that of a file noted, or leads into a folder
 * noted. */
enum err input_files_check(const char *path);

#endif
