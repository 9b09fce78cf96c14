/* Shell completion of commands, options and their values. */
#ifndef SHOAL_COMPLETION_H
#define SHOAL_COMPLETION_H

#include <stdio.h>

#include "core/base/err.h"

/* Write a script for bash or zsh, from the tables of commands and options, and the names that users
 * choose from. */
enum err completion_bash(FILE *f);
enum err completion_zsh(FILE *f);

#endif
