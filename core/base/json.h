/* Reads JSON, strictly (RFC 8259, UTF-8), into a tree. */
#ifndef SHOAL_JSON_H
#define SHOAL_JSON_H

#include <stddef.h>

#include "core/base/err.h"

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_LIST,
    JSON_OBJECT
};

/* One value. Those of a list or an object are linked, in the file's order. */
struct json {
    enum json_kind kind;
    const char *name; /* in an object; NULL elsewhere */
    const char *text; /* of a string, decoded; of a number, as written */
    double number;
    size_t count; /* of a list's or an object's values */
    const struct json *first, *next;
    int line;
};

/* A whole tree, in one piece of memory. */
struct json_tree {
    const struct json *root;
    void *memory;
};

enum { JSON_DEEPEST = 64, JSON_LARGEST = 1 << 26 /* bytes */ };

/* Reads `size` bytes. Fails with ERR_INPUT and a message that begins "name:line: " where they are
 * no JSON, a name stands twice in an object, a text holds a NUL, or a limit is passed. The tree
 * keeps nothing of `text`; it ends with json_free. */
enum err json_parse(const char *name, const char *text, size_t size, struct json_tree *tree);

/* A whole file, for the caller to free; it ends in a NUL that is not counted in `size`. */
enum err json_load(const char *path, char **text, size_t *size);

void json_free(struct json_tree *tree);

/* The length of the UTF-8 character that a text begins with: 0 if it is none, or one that
 * is spelled longer than need be. */
int json_utf8(const char *text);

/* The value an object has under a name; NULL if it has none, or is no object. */
const struct json *json_get(const struct json *object, const char *name);

/* The text of a string under that name, NULL if there is none. */
const char *json_text(const struct json *object, const char *name);

#endif
