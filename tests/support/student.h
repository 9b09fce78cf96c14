/* A copy of what a student edits, in the scratch folder, with a blank and a quote in its path;
 * include after cmocka.h. */
#ifndef SHOAL_TEST_STUDENT_H
#define SHOAL_TEST_STUDENT_H

#include "tests/support/program.h"

#define STUDENT_HOME "the student's home"

static char original[PATH_LENGTH]; /* with which the tests were started */

static inline int student_find(void **state)
{
    const char *found;
    (void)state;
    if (paths_home(&found))
        return -1;
    snprintf(original, sizeof original, "%s", found);
    return program_find();
}

/* Copies files and folders of the installation; names are relative to it. */
static inline void student_copy(const char *const *names)
{
    char command[3 * PATH_LENGTH];
    for (; *names; names++) {
        snprintf(command, sizeof command,
                 "cd '%s' && cp -RL --parents '%s' \"%s/" STUDENT_HOME "/\"", original, *names,
                 scratch);
        if (system(command) != 0)
            fail_msg("%s cannot be copied", *names);
    }
}

/* The path of a file of the copy, relative to the scratch folder. */
static inline const char *student_file(const char *name)
{
    static char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%s", STUDENT_HOME, name);
    return path;
}

static inline void student_begin(const char *const *names)
{
    char path[PATH_LENGTH];
    scratch_create();
    scratch_folder(STUDENT_HOME);
    student_copy(names);
    scratch_folder("cache");
    scratch_path(path, "cache");
    setenv("SHOAL_CACHE", path, 1);
    scratch_path(path, STUDENT_HOME);
    setenv("SHOAL_HOME", path, 1);
}

static inline int student_end(void **state)
{
    unsetenv("SHOAL_CACHE");
    unsetenv("SHOAL_CC");
    setenv("SHOAL_HOME", original, 1);
    return scratch_remove(state);
}

#endif
