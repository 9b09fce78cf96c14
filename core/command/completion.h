/* Completion of commands, options and their values for shells. */
#ifndef SHOAL_COMPLETION_H
#define SHOAL_COMPLETION_H

#include <stdio.h>

#include "core/base/err.h"

/* Write a script that bash or zsh reads, from the tables of commands and options, and what can be chosen by name. */
enum err completion_bash(FILE *f);
enum err completion_zsh(FILE *f);

#endif
