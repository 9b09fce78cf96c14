/* Text files of settings, "key = value" a line: run files and experiments. Each says in a table what may stand
 * in it. */
#ifndef SHOAL_INI_FILE_H
#define SHOAL_INI_FILE_H

#include "core/base/err.h"
#include "core/base/paths.h"

/* key = value, on a line. */
struct setting {
    const char *key, *value;
    int line;
};

/* [name], and the settings that follow. What stands before the first one has the name "". */
struct section {
    const char *name;
    int line, first, count;
};

struct ini {
    char path[PATH_LENGTH];
    char *text; /* what the other texts lie in */
    struct setting *setting;
    struct section *section;
    int settings, sections;
};

enum ini_form {
    INI_PLAIN, /* no sections; a value may be "quoted", with \" and \\ in it, and # is a part of it then */
    INI_SECTIONS, /* a line that begins with a blank goes on with the value above; UTF-8 */
};

/* Reads a file; # begins a comment, at the beginning of a line or after a blank. Fails with ERR_INPUT and a
 * message that names file and line. Free with ini_free, also after a failure. */
enum err ini_read(struct ini *f, const char *path, enum ini_form form);
void ini_free(struct ini *f); /* zeroed is fine */

/* INI_REPEATS: it may stand several times. INI_BACKENDS: also as key.cpu and key.cuda; INI_DEVICES: also as
 * key.device, whatever the device. */
enum { INI_REPEATS = 1, INI_BACKENDS = 2, INI_DEVICES = 4 };
struct ini_key {
    const char *name;
    int how;
};

/* What may stand in a section. */
struct ini_section {
    const char *name;
    int repeats;
    const struct ini_key *keys; /* the last has a NULL name */
    const char *letters;        /* of which a key is any word instead; NULL: it is one of `keys` */
};

/* Fails with ERR_INPUT, file and line, for a section or a key that means nothing, one twice that may stand once,
 * and a key without a value. `remedy` says where the keys are explained; NULL: it names them. */
enum err ini_check(const struct ini *f, const struct ini_section *known, int count,
                   const char *remedy);

/* The nth section of that name, counted from 0; NULL where there are not so many. */
const struct section *ini_section(const struct ini *f, const char *name, int nth);

/* A section's nth value of a key, NULL where it has none. A NULL section has nothing. */
const char *ini_value(const struct ini *f, const struct section *s, const char *key, int nth);

#endif
