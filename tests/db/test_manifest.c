/* Writing manifests: entries read back, several writers lose nothing, and what could not be read back is refused. */
#include "tests/support/test.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/database.h"
#include "tests/support/manifest.h"

static char fresh[PATH_LENGTH]; /* of a manifest that does not exist yet */

static int make_scratch(void **state)
{
    (void)state;
    scratch_create();
    scratch_path(fresh, "new.json");
    return 0;
}

static void assert_holds(const struct db_entry *entries, size_t count)
{
    struct db_manifest m;
    assert_fine(db_manifest_read(fresh, &m));
    assert_int_equal(m.count, count);
    for (size_t k = 0; k < count; k++) {
        assert_string_equal(m.entry[k].key, entries[k].key);
        assert_string_equal(m.entry[k].value, entries[k].value);
    }
    db_manifest_free(&m);
}

static void entries_are_written_sorted_nested_and_one_to_a_line(void **state)
{
    (void)state;
    static char text[MOST_TEXT];
    static const struct db_entry entries[] = {{"sessions/0000000a/started", "noon"},
                                              {"format", "1"},
                                              {"environment/device", "A \"B\" \\ C"},
                                              {"sessions/0000000a/commit", "abc"},
                                              {"environment/backend", "cpu"},
                                              {"sessions/0000000b/commit", "abd"},
                                              {"a/b/c/d", ""}};
    assert_fine(merge_manifest(fresh, entries, sizeof entries / sizeof *entries));
    program_read("new.json", text);
    assert_string_equal(text, "{\n"
                              "  \"a\": {\n"
                              "    \"b\": {\n"
                              "      \"c\": {\n"
                              "        \"d\": \"\"\n"
                              "      }\n"
                              "    }\n"
                              "  },\n"
                              "  \"environment\": {\n"
                              "    \"backend\": \"cpu\",\n"
                              "    \"device\": \"A \\\"B\\\" \\\\ C\"\n"
                              "  },\n"
                              "  \"format\": 1,\n"
                              "  \"sessions\": {\n"
                              "    \"0000000a\": {\n"
                              "      \"commit\": \"abc\",\n"
                              "      \"started\": \"noon\"\n"
                              "    },\n"
                              "    \"0000000b\": {\n"
                              "      \"commit\": \"abd\"\n"
                              "    }\n"
                              "  }\n"
                              "}\n");
}

static void merging_replaces_and_keeps(void **state)
{
    (void)state;
    const struct db_entry first[] = {{"a/x", "1"}, {"b", "2"}};
    const struct db_entry second[] = {{"a/x", "3"}, {"a/y", "4"}, {"a!", "5"}};
    const struct db_entry both[] = {{"a!", "5"}, {"a/x", "3"}, {"a/y", "4"}, {"b", "2"}};
    assert_fine(merge_manifest(fresh, first, 2));
    assert_holds(first, 2);
    assert_fine(merge_manifest(fresh, second, 3));
    assert_holds(both, 4);
    assert_fine(merge_manifest(fresh, second, 3));
    assert_holds(both, 4);
}

static void a_manifest_written_by_hand_keeps_its_meaning(void **state)
{
    (void)state;
    const struct db_entry more = {"sessions/0000000c/started", "2014-05-17T12:00:00Z"};
    struct db_manifest before, after;
    char hash[2][DB_HASH + 1];
    scratch_write("new.json", "w", MANIFEST);
    assert_fine(db_manifest_read(fresh, &before));
    assert_fine(merge_manifest(fresh, &more, 1));
    assert_fine(db_manifest_read(fresh, &after));
    assert_int_equal(after.count, before.count + 1);
    for (size_t k = 0, n = 0; k < after.count; k++)
        if (strcmp(after.entry[k].key, more.key) != 0)
            assert_string_equal(before.entry[n++].value, after.entry[k].value);
    db_manifest_hash(&before, hash[0]);
    db_manifest_hash(&after, hash[1]);
    assert_string_equal(hash[0], hash[1]);
    db_manifest_free(&before);
    db_manifest_free(&after);
}

static void what_could_not_be_read_back_is_refused(void **state)
{
    (void)state;
    static const struct db_entry bad[] = {
        {"a/b", "two\nlines"}, {"a/b", "\x1f"}, {"a\tb", "x"},      {"a//b", "x"},     {"", "x"},
        {"/a", "x"},           {"a/", "x"},     {"a/b/c/d/e", "x"}, {"good/sub", "x"}, {"go", "x"},
        {"format", ""}};
    const struct db_entry good[] = {{"go/od", "yes"}, {"good", "yes"}};
    struct db_manifest m = {0};
    assert_fine(merge_manifest(fresh, good, 2));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        if (merge_manifest(fresh, &bad[k], 1) != ERR_INPUT)
            fail_msg("accepted: %s = %s", bad[k].key, bad[k].value);
        assert_holds(good, 2);
    }
    static char too_long[DB_VALUE + 2];
    memset(too_long, 'k', DB_KEY + 1);
    assert_int_equal(db_manifest_set(&m, too_long, "x"), ERR_INPUT);
    ASSERT_HAS(err_message(), "shorten");
    memset(too_long, 'v', DB_VALUE + 1);
    assert_int_equal(db_manifest_set(&m, "a", too_long), ERR_INPUT);
    ASSERT_HAS(err_message(), "shorten");
    /* An existing file that cannot be read is not overwritten. */
    scratch_write("new.json", "w", "{\"a\": [1]}\n");
    assert_int_equal(merge_manifest(fresh, good, 2), ERR_INPUT);
    static char text[MOST_TEXT];
    program_read("new.json", text);
    assert_string_equal(text, "{\"a\": [1]}\n");
}

static void the_longest_values_and_most_entries_fit(void **state)
{
    (void)state;
    struct db_entry longest = {"a", ""};
    memset(longest.key, 'k', DB_KEY);
    memset(longest.value, 'v', DB_VALUE);
    assert_fine(merge_manifest(fresh, &longest, 1));
    assert_holds(&longest, 1);
    assert_int_equal(unlink(fresh), 0);
    struct db_entry *many = calloc(DB_ENTRIES + 1, sizeof *many);
    assert_non_null(many);
    for (int k = 0; k <= DB_ENTRIES; k++) {
        snprintf(many[k].key, sizeof many[k].key, "a/%05d", k);
        snprintf(many[k].value, sizeof many[k].value, "%d", k);
    }
    assert_fine(merge_manifest(fresh, many, DB_ENTRIES));
    assert_holds(many, DB_ENTRIES);
    assert_int_equal(merge_manifest(fresh, &many[DB_ENTRIES], 1), ERR_INPUT);
    free(many);
}

enum { MERGES = 20 };

static int merge_many(char writer)
{
    for (int k = 0; k < MERGES; k++) {
        struct db_entry entry = {"", "x"};
        snprintf(entry.key, sizeof entry.key, "%c/%02d", writer, k);
        if (merge_manifest(fresh, &entry, 1))
            return 1;
    }
    return 0;
}

static void two_writers_of_a_manifest_lose_nothing(void **state)
{
    (void)state;
    struct db_manifest m;
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(merge_many('a'));
    const int mine = merge_many('b');
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0 && mine == 0);
    assert_fine(db_manifest_read(fresh, &m));
    assert_int_equal(m.count, 2 * MERGES);
    db_manifest_free(&m);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_scratch, scratch_remove)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_FOLDER(entries_are_written_sorted_nested_and_one_to_a_line),
        WITH_FOLDER(merging_replaces_and_keeps),
        WITH_FOLDER(a_manifest_written_by_hand_keeps_its_meaning),
        WITH_FOLDER(what_could_not_be_read_back_is_refused),
        WITH_FOLDER(the_longest_values_and_most_entries_fit),
        WITH_FOLDER(two_writers_of_a_manifest_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
