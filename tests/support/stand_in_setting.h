/* What the stand-ins for NVIDIA's libraries pretend, by the environment. */
#ifndef SHOAL_TEST_STAND_IN_SETTING_H
#define SHOAL_TEST_STAND_IN_SETTING_H

#include <stdlib.h>

static inline const char *setting(const char *name, const char *usual)
{
    const char *value = getenv(name);
    return value && *value ? value : usual;
}

/* Of CUDA, as its libraries tell it. */
static inline int setting_version(const char *name)
{
    char *dot;
    const long major = strtol(setting(name, "99.0"), &dot, 10);
    return (int)(1000 * major + 10 * strtol(dot + 1, NULL, 10));
}

#endif
