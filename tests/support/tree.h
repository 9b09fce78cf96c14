/* A copy of the tree in the scratch folder, for a newcomer's commands; include after cmocka.h. */
#ifndef SHOAL_TEST_TREE_H
#define SHOAL_TEST_TREE_H

#include "tests/support/program.h"

static char home[PATH_LENGTH]; /* the tree itself */

/* Runs a command line in the copy of the tree; what it prints is in `result`. */
static inline void shell(const char *line)
{
    static char command[2 * MOST_TEXT];
    assert_true(snprintf(command, sizeof command,
                         "cd '%s/tree' && { %s\n} >'%s/stdout' 2>'%s/stderr' </dev/null", scratch,
                         line, scratch, scratch) < (int)sizeof command);
    const int status = system(command);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    program_read("stdout", result.out);
    program_read("stderr", result.err);
}

static inline void expect_shell(const char *line)
{
    shell(line);
    if (result.status != 0)
        fail_msg("`%s` ends with status %d:\n%s%s", line, result.status, result.out, result.err);
}

/* Sets a variable of the environment to the first line that a command prints. */
static inline void set_to_output(const char *variable, int overwrite, const char *line)
{
    expect_shell(line);
    result.out[strcspn(result.out, "\n")] = '\0';
    assert_int_equal(setenv(variable, result.out, overwrite), 0);
}

/* Object files keep their times, and the flags are the same except for the folder, so that
 * `make` in the copy compiles only what is new. The gnuplot does not work: figures take time and
 * show nothing here. */
static const char tree_copy[] =
    "for part in Makefile core kernels schemes verification experiments plots tests; do\n"
    "    cp -a \"$HERE/$part\" . || exit\n"
    "done\n"
    "mkdir build && cd build &&\n"
    "cp -a \"$BUILT/obj\" \"$BUILT/registry\" \"$BUILT/flags\" \"$BUILT/commit\" . || exit\n"
    "sed \"s|-I${BUILT#\"$HERE\"/} |-Ibuild |\" \"$BUILT/flags\" >flags &&\n"
    "touch -r \"$BUILT/flags\" flags || exit\n"
    "printf '#!/bin/sh\\nexit 1\\n' >../../bin/gnuplot && chmod +x ../../bin/gnuplot";

/* A folder "tree" to work in; HERE points to the tree itself. */
static inline int tree_begin(void)
{
    const char *found;
    scratch_create();
    if (program_find() || paths_home(&found))
        return -1;
    snprintf(home, sizeof home, "%s", found);
    scratch_folder("tree");
    return setenv("HERE", home, 1);
}

/* Variables of the make that runs the tests must not reach the make in the copy. */
static inline int tree_create(void **state)
{
    static const char *const variables[] = {
        "MAKEFLAGS", "MFLAGS",  "MAKELEVEL", "B",       "TEST",  "NAME", "FROM",       "CASE",
        "SCHEME",    "LIMITER", "PRECISION", "BACKEND", "QUICK", "FULL", "SHOAL_HOME", "SHOAL_BIN"};
    (void)state;
    if (tree_begin())
        return -1;
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        unsetenv(variables[k]);
    *strrchr(program, '/') = '\0';
    setenv("BUILT", program, 1);
    scratch_folder("bin");
    expect_shell(tree_copy);
    set_to_output("PATH", 1, "echo \"${PWD%/*}/bin:$PATH\"");
    set_to_output("CC", 1, "cut -d' ' -f1 build/flags");
    set_to_output("OPT", 1, "sed 's/.*-std=c11 \\(.*\\) -ffp-contract=off .*/\\1/' build/flags");
    set_to_output("LDFLAGS", 0,
                  "command -v ld.gold >/dev/null && echo -fuse-ld=gold || echo"); /* see Makefile */
    set_to_output("SHOAL_CACHE", 0, "echo \"$BUILT/cache\""); /* kernels are compiled once */
    return setenv("MAKEFLAGS", "-j2", 1);
}

#endif
