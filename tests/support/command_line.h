/* Commands of the program as scripts see them, and their refusals; include after cmocka.h. */
#ifndef SHOAL_TEST_COMMAND_LINE_H
#define SHOAL_TEST_COMMAND_LINE_H

#include "tests/support/program.h"
#include "tests/support/settings.h"

static inline int lines(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static inline int command_line_ready(void **state)
{
    (void)state;
    scratch_create();
    unsetenv("SHOAL_DEBUG");
    return program_find();
}

/* Wrong usage or bad input: nothing on stdout, one message on stderr, status 2. */
static inline void assert_refused(const char *part)
{
    ASSERT_STATUS(2);
    assert_string_equal(result.out, "");
    assert_int_equal(strncmp(result.err, "shoal: error: ", 14), 0);
    assert_null(strstr(result.err + 1, "shoal: error: "));
    assert_int_equal(lines(result.err), 1);
    ASSERT_HAS(result.err, part);
}

#endif
