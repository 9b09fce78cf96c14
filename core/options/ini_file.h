/* Settings files, one "key = value" per line: run files and experiments. A table for each says what
 * is allowed. */
#ifndef SHOAL_INI_FILE_H
#define SHOAL_INI_FILE_H

#include "core/base/err.h"
#include "core/base/paths.h"

/* key = value, on a line. */
struct setting {
    const char *key, *value;
    int line;
};

/* [name], and the settings that follow. Settings before the first section belong to one named "". */
struct section {
    const char *name;
    int line, first, count;
};

struct ini {
    char path[PATH_LENGTH];
    char *text; /* holds the other texts */
    struct setting *setting;
    struct section *section;
    int settings, sections;
};

enum ini_form {
    INI_PLAIN, /* no sections; a value may be "quoted", with \" and \\ in it, and # is a part of it then */
    INI_SECTIONS, /* a line that begins with a blank continues the value above; UTF-8 */
};

/* Reads a file; # begins a comment, at the beginning of a line or after a blank. Fails with ERR_INPUT and a
 * message that names file and line. Free with ini_free, also after a failure. */
enum err ini_read(struct ini *f, const char *path, enum ini_form form);
void ini_free(struct ini *f); /* accepts a zeroed struct */

/* INI_REPEATS: may repeat. INI_BACKENDS: also as key.cpu and key.cuda; INI_DEVICES: also as
 * key.device, for any device. */
enum { INI_REPEATS = 1, INI_BACKENDS = 2, INI_DEVICES = 4 };
struct ini_key {
    const char *name;
    int how;
};

/* What a section may contain. */
struct ini_section {
    const char *name;
    int repeats;
    const struct ini_key *keys; /* the last has a NULL name */
    const char *letters;        /* what any word as a key means; NULL: only `keys` are allowed */
};

/* Fails with ERR_INPUT, file and line, for an unknown section or key, a repeated key that may not
 * repeat, and a key without a value. `remedy` says where the keys are explained; NULL: the message
 * lists them. */
enum err ini_check(const struct ini *f, const struct ini_section *known, int count,
                   const char *remedy);

/* The nth section of that name, counted from 0; NULL if there are fewer. */
const struct section *ini_section(const struct ini *f, const char *name, int nth);

/* A section's nth value of a key, NULL if there are fewer. A NULL section is empty. */
const char *ini_value(const struct ini *f, const struct section *s, const char *key, int nth);

#endif
