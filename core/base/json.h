/* JSON, parsed by jansson. JSON that is hashed is printed by our own code, because every byte of it
 * counts. */
#ifndef SHOAL_JSON_H
#define SHOAL_JSON_H

#include <jansson.h>
#include <stddef.h>

#include "core/base/err.h"

/* Parses `size` bytes; the caller releases *root with json_decref. Fails with ERR_INPUT and a
 * message that begins "name:line: " if they are not JSON (RFC 8259, UTF-8), an object repeats a
 * name, or a text holds a NUL. */
enum err json_read(const char *name, const char *text, size_t size, json_t **root);

/* The text of an object's string member of that name, NULL if there is none. */
const char *json_text(const json_t *object, const char *name);

#endif
