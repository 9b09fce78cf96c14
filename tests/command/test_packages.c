/* What is distributed: the source archive knows its commit without git, the Debian package is valid. */
#include "tests/support/test.h"

#include "tests/support/tree.h"

static int begin(void **state)
{
    static const char *const variables[] = {"DESTDIR", "MAKEFLAGS", "MAKELEVEL", "TEST", "B"};
    (void)state;
    if (tree_begin())
        return -1;
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        unsetenv(variables[k]); /* of the make that runs the tests */
    setenv("PROGRAM", program, 1);
    setenv("DPKG_DEB_COMPRESSOR_TYPE", "none", 1);
    return 0;
}

static int has(const char *command)
{
    shell(command);
    return result.status == 0;
}

static void an_archive_has_every_file_and_its_commit(void **state)
{
    (void)state;
    if (!has("[ -e \"$HERE/.git\" ] && git -C \"$HERE\" rev-parse HEAD")) {
        print_message("skipped: this tree is no clone\n");
        skip();
    }
    expect_shell(
        "\"$HERE\"/packaging/dist 7.8 . && tar -xzf shoal-7.8.tar.gz &&\n"
        "git -C \"$HERE\" ls-tree -r --name-only HEAD | sort >wanted &&\n"
        "(cd shoal-7.8 && find . -type f ! -name COMMIT | cut -c3- | sort) | cmp - wanted");
    /* as where there is no git, or another repository's around it */
    expect_shell("commit=$(git -C \"$HERE\" describe --always --abbrev=12 --exclude='*')\n"
                 "git init -q . && cd shoal-7.8 && make -s print-COMMIT print-COMMITTED >said &&\n"
                 "grep -x \"COMMIT = $commit\" said && grep -x 'COMMITTED = 20..-.*Z' said");
    shell("shoal-7.8/packaging/dist 7.8 .");
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.err, "this is no clone"));
}

/* It is opened at run time, so that the program alone does not ask for it. */
#ifdef HAVE_NETCDF
#define NETCDF_IS_NAMED "dpkg-deb -I \"$deb\" | grep '^ Depends: .*libnetcdf[0-9]* ' &&\n"
#else
#define NETCDF_IS_NAMED ""
#endif

static void a_debian_package_can_be_taken_apart(void **state)
{
    (void)state;
    if (!has("command -v dpkg-deb && command -v dpkg-shlibdeps && command -v strip")) {
        print_message("skipped: there is no dpkg-shlibdeps (dpkg-dev)\n");
        skip();
    }
    expect_shell(
        "deb=$(\"$HERE\"/packaging/deb \"$PROGRAM\" 7.8 .) && dpkg-deb -x \"$deb\" root &&\n"
        "dpkg-deb -I \"$deb\" | grep '^ Depends: .*libc6 .*, gcc' &&\n" NETCDF_IS_NAMED
        "dpkg-deb -I \"$deb\" | grep '^ Version: 7.8' && env -u SHOAL_HOME root/usr/bin/shoal list "
        "cases | "
        "grep -q '^circular-dam ' && gzip -dc root/usr/share/man/man1/shoal.1.gz | "
        "grep -q '^.SS shoal run' && [ -e root/usr/share/zsh/vendor-completions/_shoal ] &&\n"
        "grep '^Copyright: 20[0-9][0-9] ' root/usr/share/doc/shoal/copyright &&\n"
        "[ -z \"$(grep -rl '^#!' root/usr/share/shoal | xargs -d '\\n' -I {} find {} ! -perm "
        "-100)\" ] &&\n"
        "[ -s root/usr/share/shoal/python/shoal.py ]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_has_every_file_and_its_commit),
        cmocka_unit_test(a_debian_package_can_be_taken_apart),
    };
    return cmocka_run_group_tests_name("packages", tests, begin, scratch_remove);
}
