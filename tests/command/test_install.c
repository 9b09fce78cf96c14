/* What `make install` leaves: a program that needs no source, writes to the user's folders, and can be uninstalled.
 * */
#include "tests/support/test.h"

#include "tests/support/tree.h"

/* A tree with a small database, an installation of it, and a user. Then the tree is deleted. */
static const char prepare[] =
    "mkdir -p tuning_db ../user ../more && cd \"$HERE\" && cp -a README.md CHANGES.md CITATION.cff "
    "LICENSE kernels "
    "schemes verification experiments plots manual core paper packaging python \"$TREE\" &&\n"
    "cp -a tuning_db/published \"$TREE\"/tuning_db &&\n"
    "environment=$(cd tuning_db && du -s *-*/*/ | sort -n | head -n 1 | cut -f2) &&\n"
    "mkdir -p \"$TREE/tuning_db/${environment%/*/}\" &&\n"
    "cp -a \"tuning_db/$environment\" \"$TREE/tuning_db/${environment%/*/}\" &&\n"
    "\"$TREE\"/packaging/install \"$PROGRAM\" \"$PREFIX\" && rm -r \"$TREE\" && mkdir \"$TREE\"";

static int begin(void **state)
{
    static const char *const variables[] = {"XDG_DATA_HOME", "XDG_CACHE_HOME", "SHOAL_CACHE",
                                            "SHOAL_DB",      "SHOAL_HOME",     "DESTDIR"};
    char path[PATH_LENGTH];
    (void)state;
    if (tree_begin())
        return -1;
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        unsetenv(variables[k]);
    setenv("PROGRAM", program, 1);
    scratch_path(path, "tree");
    setenv("TREE", path, 1);
    scratch_path(path, "prefix");
    setenv("PREFIX", path, 1);
    scratch_path(path, "user");
    setenv("HOME", path, 1);
    expect_shell(prepare);
    set_to_output("PATH", 1, "echo \"$PREFIX/bin:$PATH\"");
    return 0;
}

/* Every file of the prefix with its time and size. */
#define LIST_PREFIX "find \"$PREFIX\" -printf '%p %T@ %s\\n' | sort "

static void it_runs_without_its_source_and_writes_to_the_users_cache(void **state)
{
    (void)state;
    expect_shell(
        LIST_PREFIX
        ">before && shoal run circular-dam --scheme euler --nx 16 --steps 2 "
        "--backend cpu --quiet &&\n" LIST_PREFIX "| cmp - before &&\n"
        "ls ~/.cache/shoal/*.so >/dev/null && [ -s \"$PREFIX\"/share/shoal/python/shoal.py ]");
    expect_shell(
        "shoal help terrain >page && ! grep build/shoal page && grep '^    shoal run valley' page "
        "&&\n"
        "ground=$(sed -n 's/^    sh \\(.*valley.sh\\)/\\1/p' page) && (cd ~ && sh \"$ground\")");
    expect_shell("[ ! -e ~/.local ] && shoal db check && shoal help terrain | grep -q '^# ' &&\n"
                 "shoal list experiments | grep -q '^dt-factor ' && [ ! -e ~/.local ]");
}

/* A session that the database contains. */
#define SESSION                                                      \
    "$(cat \"$PREFIX\"/share/shoal/tuning_db/*-*/*/manifest.json | " \
    "sed -n 's/^  *\"\\([0-9a-f]\\{8\\}\\)\": {.*/\\1/p' | head -n 1)"

static void measurements_are_the_users_and_begin_with_the_installed_ones(void **state)
{
    (void)state;
    expect_shell(LIST_PREFIX ">before && shoal db remark " SESSION
                             " --why 'seen by a user' &&\n" LIST_PREFIX "| cmp - before");
    expect_shell("cd ~/.local/share/shoal/tuning_db && grep -rq 'seen by a user' . &&\n"
                 "ls published/*/*.tsv >/dev/null && shoal db check | grep 'faults=0'");
    expect_shell("export XDG_DATA_HOME=~/data && shoal db remark " SESSION " --why 'there, too' "
                 "&& grep -rq 'there, too' ~/data/shoal/tuning_db && ! grep -rq 'seen by' ~/data");
}

static void a_later_installation_adds_its_measurements_to_the_users(void **state)
{
    (void)state;
    expect_shell("new=$PREFIX/share/shoal/tuning_db/published/later && mkdir \"$new\" &&\n"
                 "cp \"$(ls \"$PREFIX\"/share/shoal/tuning_db/published/*/*.tsv | head -n 1)\" "
                 "\"$new\" && cd ~/.local/share/shoal/tuning_db && [ ! -e published/later ] &&\n"
                 "shoal db remark " SESSION " --why 'again' && ls published/later/*.tsv");
}

static void bash_completes_commands_options_and_names(void **state)
{
    (void)state;
    expect_shell(
        "command -v bash >/dev/null || exit 0\n"
        "cat >offers <<'END'\n"
        "source \"$PREFIX\"/share/bash-completion/completions/shoal\n"
        "compopt() { files=yes; }\n"
        "COMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1)) COMPREPLY=() files=; _shoal\n"
        "echo ${COMPREPLY[*]} $files\n"
        "END\n"
        "offers() { bash offers shoal \"$@\"; }\n"
        "[ \"$(offers ju)\" = judge ] && [ \"$(offers run --limiter mi)\" = minmod ] &&\n"
        "[ \"$(offers db sh)\" = show ] && [ \"$(offers tune --kernel flux_fy)\" = "
        "'flux_fy0 flux_fy1' ] &&\n"
        "[ \"$(offers run circular-dam-d)\" = 'circular-dam-dry yes' ] &&\n"
        "[ \"$(offers list exp)\" = experiments ] && [ -z \"$(offers verify --case ben)\" ] &&\n"
        "[ \"$(offers verify --case mas)\" = mass ] && [ \"$(offers run ben)\" = 'bend yes' ] &&\n"
        "[ \"$(offers run x --output n)\" = yes ] && [ \"$(offers help terr)\" = terrain ] "
        "&&\n[ \"$(offers run x --checkp)\" = '--checkpoint yes' ]");
}

/* Each "  --name" of a help text is in the completion of both shells. */
static void completion_has_every_option(void **state)
{
    (void)state;
    expect_shell("shoal help --print bash >bash && shoal help --print zsh >zsh || exit 1\n"
                 "! command -v zsh >/dev/null || zsh -n zsh || exit 1\n"
                 "for name in run render tune 'db export'; do\n"
                 "    for o in $(shoal $name --help | sed -n 's/^  \\(--[a-z-]*\\).*/\\1/p'); do\n"
                 "        grep -q -e \"'$name $o')\" -e \"'$name '.* $o[ ']\" bash &&\n"
                 "        grep -q -e \"'\\**$o[=[]\" zsh || { echo \"$name $o\"; exit 1; }\n"
                 "    done\n"
                 "done");
}

static void it_can_be_taken_away(void **state)
{
    (void)state;
    expect_shell("\"$HERE\"/packaging/install --remove \"$PREFIX\" &&\n"
                 "[ -z \"$(find \"$PREFIX\" -type f)\" ] && [ -e ~/.local/share/shoal/tuning_db ]");
    shell("\"$HERE\"/packaging/install --remove \"$PREFIX\"");
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.err, "there is no Shoal in"));
}

static void a_folder_of_another_program_is_left_alone(void **state)
{
    (void)state;
    shell("mkdir -p \"$PREFIX\"/share/shoal && echo precious >\"$PREFIX\"/share/shoal/other\n"
          "\"$HERE\"/packaging/install \"$PROGRAM\" \"$PREFIX\"");
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.err, "is not Shoal's"));
    expect_shell("[ -e \"$PREFIX\"/share/shoal/other ]");
    shell("\"$HERE\"/packaging/install \"$PROGRAM\" here");
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.err, "expected an absolute path"));
}

static void make_takes_prefix_and_destination(void **state)
{
    (void)state;
    expect_shell(
        "cd \"$HERE\" && MAKEFLAGS= make -n install PREFIX=/some/where DESTDIR=/package | "
        "grep \"^DESTDIR='/package' packaging/install .*/shoal' '/some/where'\" &&\n"
        "MAKEFLAGS= make -n uninstall PREFIX=/some/where | grep -- \"--remove '/some/where'\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_runs_without_its_source_and_writes_to_the_users_cache),
        cmocka_unit_test(measurements_are_the_users_and_begin_with_the_installed_ones),
        cmocka_unit_test(a_later_installation_adds_its_measurements_to_the_users),
        cmocka_unit_test(bash_completes_commands_options_and_names),
        cmocka_unit_test(completion_has_every_option),
        cmocka_unit_test(it_can_be_taken_away),
        cmocka_unit_test(a_folder_of_another_program_is_left_alone),
        cmocka_unit_test(make_takes_prefix_and_destination),
    };
    return cmocka_run_group_tests_name("install", tests, begin, scratch_remove);
}
