/* Turns jansson's errors into our messages. */
#include "core/base/json.h"

enum err json_read(const char *name, const char *text, size_t size, json_t **root)
{
    json_error_t error;
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (*root)
        return ERR_OK;
    if (json_error_code(&error) == json_error_out_of_memory)
        FAIL(MEMORY, "no memory to read %s", name);
    FAIL(INPUT, "%s:%d: %s", name, error.line > 0 ? error.line : 1, error.text);
}

const char *json_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}
