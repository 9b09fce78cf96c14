/* The identity of compiled code: what a processor executes, without the names, paths and dates that
 * compilers add. */
#ifndef SHOAL_MACHINE_CODE_H
#define SHOAL_MACHINE_CODE_H

#include "core/base/err.h"

enum { MACHINE_CODE_HASH = 12 };

/* The first 12 hexadecimal digits of the SHA-256 over the executable sections of an ELF file (a cubin,
 * a shared object). */
enum err machine_code_hash(const char *path, char hash[MACHINE_CODE_HASH + 1]);

#endif
