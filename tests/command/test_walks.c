/* The walks through the code in core/README.md name files that exist, and functions that are in them. */
#include "tests/support/test.h"

#include <unistd.h>

#include "core/base/paths.h"
#include "core/base/whole_file.h"

enum { MOST_WALK = 1 << 16 };

/* A word in backticks: a file that must exist, or a name that one of `files` must contain. */
static void check_word(const char *word, const char *files)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    char line[2048];
    if (strchr(word, '/'))
        snprintf(line, sizeof line, "[ -e '%s' ]", word);
    else if (strspn(word, letters) == strlen(word) && *files)
        snprintf(line, sizeof line, "grep -qw '%s' %s", word, files);
    else
        return;
    assert_true(strlen(line) < sizeof line - 1);
    if (system(line) != 0)
        fail_msg("`%s` fails: no such file, or name in it", line);
}

/* One step of a walk: first its files, then the names that must be in them. Returns how many words. */
static int check_step(const char *step)
{
    char files[1024] = "", word[128];
    int words = 0;
    for (int pass = 0; pass < 2; pass++)
        for (const char *open = strchr(step, '`'), *close; open; open = strchr(close + 1, '`')) {
            assert_non_null(close = strchr(open + 1, '`'));
            snprintf(word, sizeof word, "%.*s", (int)(close - open - 1), open + 1);
            const size_t n = strlen(files);
            if (pass == 1)
                check_word(word, files);
            else if (strchr(word, '/') && word[strlen(word) - 1] != '/')
                snprintf(files + n, sizeof files - n, " %s", word);
            words++;
        }
    return words;
}

/* Where the next step of a numbered list begins, NULL if there is none. */
static char *next_step(char *text)
{
    for (char *line = strchr(text, '\n'); line; line = strchr(line + 1, '\n')) {
        const size_t digits = strspn(line + 1, "0123456789");
        if (digits && strncmp(line + 1 + digits, ". ", 2) == 0)
            return line;
    }
    return NULL;
}

static void the_walks_name_files_and_functions_that_there_are(void **state)
{
    static char one[MOST_WALK];
    char path[PATH_LENGTH], *text;
    size_t size;
    (void)state;
    fine(paths_file("core/README.md", path));
    fine(whole_file_read(path, MOST_WALK - 1, &text, &size));
    int steps = 0;
    for (char *step = next_step(text), *next; step; step = next, steps++) {
        next = next_step(step + 1);
        const char *blank = strstr(step, "\n\n");
        const char *end = blank && (!next || blank < next) ? blank : next;
        snprintf(one, sizeof one, "%.*s", end ? (int)(end - step) : (int)strlen(step), step);
        assert_true(check_step(one) > 0);
    }
    free(text);
    assert_true(steps > 30);
}

static int go_home(void **state)
{
    const char *home;
    (void)state;
    return paths_home(&home) || chdir(home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_walks_name_files_and_functions_that_there_are),
    };
    return cmocka_run_group_tests_name("walks", tests, go_home, NULL);
}
