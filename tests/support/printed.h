/* Captures this process's stdout in a file of the scratch folder; include after cmocka.h. */
#ifndef SHOAL_TEST_PRINTED_H
#define SHOAL_TEST_PRINTED_H

#include "core/command/find_command.h"
#include "tests/support/program.h"

static int printed_kept;

/* From now on, into a file of this name. */
static inline void printed_begin(const char *name)
{
    char path[PATH_LENGTH];
    scratch_path(path, name);
    fflush(stdout);
    printed_kept = dup(1);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(printed_kept >= 0 && file >= 0 && dup2(file, 1) == 1);
    close(file);
}

static inline void printed_end(void)
{
    fflush(stdout);
    assert_int_equal(dup2(printed_kept, 1), 1);
    close(printed_kept);
}

/* Runs an action of `shoal db` in this process; its output is in result.out. */
static inline enum err run_action(const struct command *action, const char *const *words)
{
    static char text[MOST_WORDS][PATH_LENGTH];
    char *argv[MOST_WORDS + 1] = {NULL};
    int argc = 0;
    for (; words[argc]; argc++)
        argv[argc] = strcpy(text[argc], words[argc]);
    printed_begin("printed");
    const enum err e = commands_run(action, "db ", argc, argv);
    printed_end();
    program_read("printed", result.out);
    return e;
}

#endif
