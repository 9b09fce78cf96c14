/* Keys of recipes that this process has found before: reading and hashing a kernel's files again takes longer than
 * opening the compiled kernel, and a process may make thousands of small runs. */
#ifndef SHOAL_KNOWN_KEYS_H
#define SHOAL_KNOWN_KEYS_H

#include "core/compile/kernel_text.h"

/* The key that was kept for `recipe`, a digest of all that goes into the key but the files. False: there is none, or
 * one of its files has changed, or one appeared where the compiler looks first. */
int known_key(const char *recipe, char key[KEY_LENGTH + 1]);

/* Keeps it, unless a file is so new that another change of it might leave its times as they are. */
void known_key_keep(const char *recipe, const struct texts *t, const char *key);

#endif
