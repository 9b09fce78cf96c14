/* Arguments of `shoal run` in tests, and the outcome; include after cmocka.h. */
#ifndef SHOAL_TESTS_SETTINGS_H
#define SHOAL_TESTS_SETTINGS_H

#include <string.h>

#include "core/options/run_config.h"
#include "core/registry/registry.h"

enum { MOST_ARGUMENTS = 160 };

/* Reads up to MOST_ARGUMENTS arguments, the last one followed by NULL. The texts are static: 640 KiB for each call in
 * a test would fill the stack where the compiler keeps them apart, as under ASan. */
static inline enum err read_words(struct config *c, const char *const *words)
{
    static char text[MOST_ARGUMENTS][FILE_LENGTH];
    char *argv[MOST_ARGUMENTS];
    int argc = 0;
    for (; words[argc]; argc++) {
        assert_true(argc < MOST_ARGUMENTS && strlen(words[argc]) < FILE_LENGTH);
        strcpy(text[argc], words[argc]);
        argv[argc] = text[argc];
    }
    return config_read(c, argc, argv);
}

#define READ(c, ...) read_words((c), (const char *const[]){__VA_ARGS__, NULL})

/* Expects an error whose message contains `part`; says what came instead. */
#define ASSERT_REFUSED(e, part)                                               \
    do {                                                                      \
        if ((e) == ERR_OK)                                                    \
            fail_msg("accepted, but should fail with '%s'", part);            \
        if (!strstr(err_message(), part))                                     \
            fail_msg("'%s' is not in the message '%s'", part, err_message()); \
    } while (0)
#define ASSERT_READ(e)                              \
    do {                                            \
        if ((e) != ERR_OK)                          \
            fail_msg("refused: %s", err_message()); \
    } while (0)

static inline const char *a_case(void)
{
    for (int k = 0; cases[k]; k++)
        if (case_system(cases[k])->over_bed)
            return cases[k]->name;
    return "no case";
}

#endif
