/* JSON, read by jansson. What is hashed as JSON is printed by hand: every byte of it counts. */
#ifndef SHOAL_JSON_H
#define SHOAL_JSON_H

#include <jansson.h>
#include <stddef.h>

#include "core/base/err.h"

/* Reads `size` bytes; the caller ends *root with json_decref. Fails with ERR_INPUT and a message that begins
 * "name:line: " where they are no JSON (RFC 8259, UTF-8), a name stands twice in an object, or a text holds a
 * NUL. */
enum err json_read(const char *name, const char *text, size_t size, json_t **root);

/* The text of a string that an object has under that name, NULL if there is none. */
const char *json_text(const json_t *object, const char *name);

#endif
