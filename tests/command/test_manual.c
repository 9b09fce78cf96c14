/* The manual: its pages are found, their links work, their options and messages exist. test_manual_commands.c runs its
 * commands. */
#include "tests/support/test.h"

#include <errno.h>

#include "core/base/whole_file.h"
#include "core/picture/markdown.h"
#include "tests/support/tree.h"

enum { LINE = 1024, HELPS = 1 << 15 };

/* The folder in which a reader works: build/shoal is the program, manual/ has the pages. */
static int begin(void **state)
{
    (void)state;
    if (tree_begin())
        return -1;
    unsetenv("PAGER");
    setenv("PROGRAM", program, 1);
    expect_shell("mkdir build && ln -s \"$PROGRAM\" build/shoal && ln -s \"$HERE/manual\" manual");
    return 0;
}

static void help_lists_every_page_and_shows_it(void **state)
{
    (void)state;
    expect_shell(
        "build/shoal help >topics\n"
        "for page in manual/*.md; do\n"
        "    name=$(basename \"$page\" .md)\n"
        "    [ $name != README ] || continue\n"
        "    grep -q \"^  $name  *[a-z]\" topics || { echo \"not listed: $name\"; exit 1; }\n"
        "    build/shoal help $name >shown && head -n 1 shown | grep -q '^# ' || exit 1\n"
        "    ! grep '^<!--' shown || exit 1\n"
        "done\n"
        "[ $(grep -c '^  [a-z]' topics) -eq $(ls manual/*.md | grep -vc README) ]");
}

static void pages_have_the_options_of_the_tables(void **state)
{
    (void)state;
    expect_shell("while read -r command page least; do\n"
                 "    build/shoal $command --help >options && build/shoal help $page >page\n"
                 "    [ $(grep -c '^  --' options) -ge $least ] || exit 1\n"
                 "    grep -e '^  --' options | while read -r line; do\n"
                 "        grep -qF -e \"$line\" page || { echo \"$command: $line\"; exit 1; }\n"
                 "    done || exit 1\n"
                 "done <<'END'\n"
                 "run running 40\nrender pictures 10\nexport output 4\nverify accuracy 10\n"
                 "certify accuracy 5\njudge choices 5\ntune tuning 10\nmeasure tuning 5\n"
                 "plot figures 4\nbench speed 4\nEND");
}

/* Defaults that pages mention: the option's line of the help, and the words of the page. */
static void defaults_in_the_pages_are_those_of_the_tables(void **state)
{
    (void)state;
    expect_shell(
        "build/shoal run --help >options\n"
        "while IFS='|' read -r option has page says; do\n"
        "    grep -e \"^  --$option \" options | grep -qF -e \"$has\" || { echo \"--$option: "
        "$has\"; exit 1; }\n"
        "    tr '\\n' ' ' <manual/$page.md | grep -qF -e \"$says\" || { echo \"$page: $says\"; "
        "exit 1; }\n"
        "done <<'END'\n"
        "maxima-every|(10)|output|every ten steps (`--maxima-every`)\n"
        "wet-depth|(0.01)|output|deeper than a centimetre (`--wet-depth`)\n"
        "gauge-every|a thousandth of the run|output|once per map, or 1000 times per run without "
        "`--every`\n"
        "tile|sparse: 60 or 112|sparse|default 60, in f64 on a GPU 112\n"
        "domain|(full)|sparse|`full`, the default\n"
        "compaction|1,1 for a file|sediment|default 1,1\n"
        "cfl|of sediment 0.9|sediment|the default is 0.9\n"
        "cfl|(0.25)|choices|the default of 0.25\n"
        "limiter|(minmod)|choices|`minmod` (the default\n"
        "flux|(central_upwind)|choices|`central_upwind` (the default)\n"
        "reconstruction|(auto)|choices|`auto` (the default)\n"
        "precision|(f32;|choices|single precision, is the default\n"
        "mode|(fast)|choices|`fast`, the default\n"
        "exchange-timeout|(60)|parts|after `--exchange-timeout` (60 s)\n"
        "terrain-at|centres|terrain|unless the file or `--terrain-at corners` says otherwise\n"
        "positive|(up)|terrain|`--positive down`\n"
        "holes|a wall 100 m above the rest|terrain|a wall, 100 m above all other terrain\n"
        "END");
}

/* By name, or as one of `NAME-...` (N), or as `-NAME` after its first word. */
static void every_case_is_among_the_choices(void **state)
{
    (void)state;
    expect_shell("sed -n '/^## Cases/,/^## Prec/p' manual/choices.md >choices && build/shoal list "
                 "cases | cut -d' ' -f1 >cases\n"
                 "while read -r name; do\n"
                 "    first=${name%%-*} && n=$(grep -c \"^$first-\" cases)\n"
                 "    grep -qF -e \"\\`$name\\`\" -e \"\\`$first-...\\` ($n)\" choices || "
                 "grep -F -e \"\\`$first\" choices | grep -qF -e \"\\`-${name##*-}\\`\" || { echo "
                 "$name; exit 1; }\n"
                 "done <cases");
}

/* As a device has confirmed them last. */
static void the_certificate_shown_has_the_counts_of_the_stored_one(void **state)
{
    (void)state;
    expect_shell(
        "counts() { grep -o '[0-9][0-9]* of [0-9][0-9]*'; }\n"
        "grep '^    | ' manual/accuracy.md | counts >shown\n"
        "grep '^question' \"$HERE\"/verification/certified/amd-epyc.tsv | counts | cmp - shown");
}

static void help_of_a_command_is_its_own(void **state)
{
    (void)state;
    expect_shell("build/shoal help run >a && build/shoal run --help | cmp - a\n"
                 "build/shoal help db show >a && build/shoal db show --help | cmp - a");
}

static void an_unknown_topic_is_told_the_nearest(void **state)
{
    (void)state;
    shell("build/shoal help terain");
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.err, "unknown topic 'terain': did you mean 'terrain'?"));
    shell("build/shoal help terrain edges");
    assert_int_equal(result.status, 2);
}

/* What a terminal gets as stdout of a command line. */
static void show_on_terminal(const char *line)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    char command[LINE];
    size_t used = 0;
    assert_true(master >= 0);
    assert_int_equal(grantpt(master) | unlockpt(master), 0);
    const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(terminal >= 0);
    snprintf(command, sizeof command, "cd '%s/tree' && %s >'%s' 2>/dev/null", scratch, line,
             ptsname(master));
    const pid_t pid = fork();
    if (pid == 0)
        _exit(system(command) != 0);
    close(terminal);
    for (ssize_t n; used < sizeof result.out - 1 &&
                    (n = read(master, result.out + used, sizeof result.out - 1 - used)) != 0;)
        if (n > 0)
            used += (size_t)n;
        else if (errno != EINTR && waitpid(pid, NULL, WNOHANG) != 0)
            break;
    result.out[used] = '\0';
    close(master);
}

static void a_terminal_gets_pages_through_the_pager(void **state)
{
    (void)state;
    show_on_terminal("PAGER=\"sed 's/^/paged: /'\" build/shoal help exit");
    assert_non_null(strstr(result.out, "paged: # Exit statuses"));
    show_on_terminal("PAGER=/no/such/pager build/shoal help exit");
    assert_non_null(strstr(result.out, "# Exit statuses"));
    assert_null(strstr(result.out, "paged"));
    expect_shell("PAGER=false build/shoal help exit | grep -q '^# Exit statuses'");
}

static void the_site_has_all_pages_and_links_that_hold(void **state)
{
    (void)state;
    shell("build/shoal help --output site");
    assert_int_equal(result.status, 0);
    expect_shell("ls site/shoal.1 && for action in run render 'db check' 'db sql' 'db show'; do\n"
                 "    grep -q \"^.SS shoal $action \" site/shoal.1 || exit 1\n"
                 "done; grep -q -A2 '^.B .-.-cfl NUMBER' site/shoal.1");
    expect_shell(
        "! command -v groff || [ -z \"$(groff -man -ww -Tascii site/shoal.1 2>&1 >text)\" ]");
    if (strstr(result.err, "libmd4c"))
        return;
    expect_shell("cd site && [ $(ls *.html | wc -l) -eq $(ls ../manual/*.md | wc -l) ] &&\n"
                 "for target in $(grep -oh 'href=\"[a-z][^:\"]*\"' *.html | cut -d'\"' -f2); do\n"
                 "    [ -f \"${target%%#*}\" ] || { echo \"$target\"; exit 1; }\n"
                 "done; grep -q 'src=\"data:image/png' pictures.html &&\n"
                 "! grep -h '^<p>| ' *.html");
    /* by which plots/page.css recognises a page of the manual */
    expect_shell("[ $(grep -h -A1 '^<body>' site/*.html | grep -c '^<p>') -eq "
                 "$(ls manual/*.md | wc -l) ]");
}

/* Does a file have a heading with that anchor? */
static int has_anchor(const char *path, const char *anchor)
{
    char *text, made[LINE];
    int found = 0;
    fine(whole_file_read(path, WHOLE_TEXT, &text, NULL));
    for (char *rest = text, *line; !found && (line = strsep(&rest, "\n"));) {
        if (*line != '#')
            continue;
        markdown_anchor(line + strspn(line, "# "), made, sizeof made);
        found = strcmp(made, anchor) == 0;
    }
    free(text);
    return found;
}

/* Checks one link of a file. Returns whether it is broken. */
static int broken(const char *file, const char *target)
{
    char path[2 * PATH_LENGTH];
    const size_t n = strcspn(target, "#");
    const char *slash = strrchr(file, '/');
    if (strncmp(target, "http", 4) == 0 || strchr(target, '%'))
        return 0;
    if (n)
        snprintf(path, sizeof path, "%.*s/%.*s", (int)(slash - file), file, (int)n, target);
    else
        snprintf(path, sizeof path, "%s", file);
    const int bad = access(path, R_OK) != 0 || (target[n] && !has_anchor(path, target + n + 1));
    if (bad)
        print_error("%s: the link %s leads nowhere\n", file, target);
    return bad;
}

static int broken_links(const char *file, int *links)
{
    char *text;
    int bad = 0;
    fine(whole_file_read(file, WHOLE_TEXT, &text, NULL));
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        if (strncmp(line, "    ", 4) == 0)
            continue;
        for (char *at = strstr(line, "]("); at; at = strstr(at, "](")) {
            char target[LINE];
            at += 2;
            snprintf(target, sizeof target, "%.*s", (int)strcspn(at, ")"), at);
            bad += broken(file, target);
            ++*links;
        }
    }
    free(text);
    return bad;
}

static void links_between_documents_lead_to_files_and_headings(void **state)
{
    static char list[HELPS];
    int links = 0, bad = 0;
    (void)state;
    expect_shell("cd \"$HERE\" && find . -name build -prune -o -name '.*' ! -name . -prune -o "
                 "-name '*.md' -print");
    snprintf(list, sizeof list, "%s", result.out);
    for (char *rest = list, *name; (name = strsep(&rest, "\n"));) {
        char path[2 * PATH_LENGTH];
        snprintf(path, sizeof path, "%s/%s", home, name);
        if (*name)
            bad += broken_links(path, &links);
    }
    assert_true(links > 100);
    assert_int_equal(bad, 0);
}

/* All string literals of the sources; adjacent ones are joined. */
static const char join_literals[] = "find \"$HERE/core\" \"$HERE/Makefile\" -name '*.[ch]' -o "
                                    "-name Makefile | xargs cat | tr '\\n' ' ' | "
                                    "sed 's/\" *[\\]* *\"//g; s/\\\\\"/\"/g' >literals";

/* The parts of a message between "..."; the shortest may be anywhere. Returns one that no source has. */
static const char *unknown_part(char *message, const char *sources)
{
    enum { ANYWHERE = 3 };
    for (char *end; message; message = end) {
        end = strstr(message, "...");
        if (end)
            *end = '\0', end += 3;
        if (strlen(message) > ANYWHERE && !strstr(sources, message))
            return message;
    }
    return NULL;
}

static void messages_of_troubleshooting_are_those_of_the_sources(void **state)
{
    char path[PATH_LENGTH + 64], *page, *sources;
    int messages = 0;
    (void)state;
    expect_shell(join_literals);
    scratch_path(path, "tree/literals");
    fine(whole_file_read(path, WHOLE_TEXT, &sources, NULL));
    snprintf(path, sizeof path, "%s/manual/troubleshooting.md", home);
    fine(whole_file_read(path, WHOLE_TEXT, &page, NULL));
    for (char *rest = page, *line; (line = strsep(&rest, "\n"));) {
        if (strncmp(line, "    ", 4) != 0)
            continue;
        const char *part = unknown_part(line + 4, sources);
        if (part)
            fail_msg("manual/troubleshooting.md: no message of the sources has '%s'", part);
        messages++;
    }
    free(page);
    free(sources);
    assert_true(messages > 30);
}

/* Every option of a command line in the pages exists in that command; every target exists in make. */
static const char check_commands[] =
    "sed -n -e ':a' -e '/\\\\$/N; s/\\\\\\n *//; ta' -e 's/^    \\(build\\/shoal .*\\)/\\1/p' "
    "-e 's/^    \\(make .*\\)/\\1/p' \"$HERE/README.md\" manual/*.md >lines\n"
    "[ $(wc -l <lines) -gt 40 ] || exit 1\n"
    "while read -r tool command action rest; do\n"
    "    if [ $tool = make ]; then\n"
    "        grep -q \"^\\(.* \\)*$command[: ]\" \"$HERE/Makefile\" && continue\n"
    "        echo \"make $command\"; exit 1\n"
    "    fi\n"
    "    [ $command = db ] && command=\"db $action\"\n"
    "    known=$(build/shoal help $command) || exit 1\n"
    "    for word in $action $rest; do\n"
    "        case $word in --[a-z]*) ;; *) continue ;; esac\n"
    "        case $known in *\" $word \"* | *\" $word\"?*) ;; *) echo \"$command $word\"; exit 1 "
    ";; esac\n"
    "    done\n"
    "done <lines";

static void commands_of_the_pages_have_options_that_there_are(void **state)
{
    (void)state;
    expect_shell(check_commands);
}

/* A folder manual/, say, would otherwise be the target. */
static void documented_targets_of_make_are_phony(void **state)
{
    (void)state;
    expect_shell(
        "sed -n '/^\\.PHONY/,/[^\\\\]$/p' \"$HERE/Makefile\" | tr ' ' '\\n' | sort >phony\n"
        "sed -n 's/^\\([a-z-]*\\):.*## .*/\\1/p' \"$HERE/Makefile\" | sort >documented\n"
        "[ $(wc -l <documented) -gt 30 ] && [ -z \"$(comm -13 phony documented)\" ]");
}

static void lists_have_what_each_system_means_by_a_name(void **state)
{
    (void)state;
    expect_shell("build/shoal list variables >listed && [ $(grep -c '^h ' listed) = 1 ] &&\n"
                 "grep \"^h  *depth of the water, m; system sediment: height of the basin's floor, "
                 "m$\" listed");
}

static void the_version_is_that_of_the_citation_and_the_newest_change(void **state)
{
    (void)state;
    expect_shell("version=$(build/shoal --version | sed -n '1s/^shoal \\([^ ]*\\) .*/\\1/p')\n"
                 "[ \"$(sed -n 's/^version: //p' \"$HERE/CITATION.cff\")\" = \"$version\" ] &&\n"
                 "[ \"$(sed -n 's/^## //p' \"$HERE/CHANGES.md\" | head -n 1)\" = \"$version\" ]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_lists_every_page_and_shows_it),
        cmocka_unit_test(pages_have_the_options_of_the_tables),
        cmocka_unit_test(defaults_in_the_pages_are_those_of_the_tables),
        cmocka_unit_test(every_case_is_among_the_choices),
        cmocka_unit_test(the_certificate_shown_has_the_counts_of_the_stored_one),
        cmocka_unit_test(help_of_a_command_is_its_own),
        cmocka_unit_test(an_unknown_topic_is_told_the_nearest),
        cmocka_unit_test(a_terminal_gets_pages_through_the_pager),
        cmocka_unit_test(the_site_has_all_pages_and_links_that_hold),
        cmocka_unit_test(links_between_documents_lead_to_files_and_headings),
        cmocka_unit_test(messages_of_troubleshooting_are_those_of_the_sources),
        cmocka_unit_test(commands_of_the_pages_have_options_that_there_are),
        cmocka_unit_test(documented_targets_of_make_are_phony),
        cmocka_unit_test(lists_have_what_each_system_means_by_a_name),
        cmocka_unit_test(the_version_is_that_of_the_citation_and_the_newest_change),
    };
    return cmocka_run_group_tests_name("manual", tests, begin, scratch_remove);
}
