/* The reader of JSON: what it takes, what it refuses and where. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "tests/support/near.h"

static struct json_tree parsed(const char *text)
{
    struct json_tree tree;
    if (json_parse("text", text, strlen(text), &tree))
        fail_msg("%s: %s", text, err_message());
    return tree;
}

static void values_of_every_kind_are_read(void **state)
{
    (void)state;
    struct json_tree tree = parsed(" {\"a\": [1, -2.5e-1, true, false, null, \"x\"],\r\n"
                                   "\t\"b\": {}, \"c\": [], \"d\": {\"e\": 0}}\n");
    const struct json *list = json_get(tree.root, "a"), *v = list->first;
    static const enum json_kind kinds[] = {JSON_NUMBER, JSON_NUMBER, JSON_TRUE,
                                           JSON_FALSE,  JSON_NULL,   JSON_STRING};
    assert_int_equal(tree.root->kind, JSON_OBJECT);
    assert_int_equal(tree.root->count, 4);
    assert_int_equal(list->count, 6);
    for (int k = 0; k < 6; k++, v = v->next)
        assert_int_equal(v->kind, kinds[k]);
    assert_null(v);
    ASSERT_NEAR(list->first->next->number, -0.25, 0);
    assert_string_equal(list->first->next->text, "-2.5e-1");
    assert_int_equal(json_get(tree.root, "b")->kind, JSON_OBJECT);
    assert_int_equal(json_get(tree.root, "b")->line, 2);
    assert_null(json_get(tree.root, "c")->first);
    ASSERT_NEAR(json_get(json_get(tree.root, "d"), "e")->number, 0, 0);
    assert_null(json_get(tree.root, "f"));
    assert_null(json_get(list, "a"));
    assert_null(json_text(tree.root, "a"));
    json_free(&tree);
}

static void escapes_become_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *text, *value;
    } texts[] = {
        {"\"\"", ""},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e6\\u20AC\"", "A\xc3\xa6\xe2\x82\xac"},
        {"\"\\ud83d\\uDE00!\"", "\xf0\x9f\x98\x80!"},
        {"\"\xc3\xa6\xe2\x82\xac\xf0\x9f\x98\x80\"", "\xc3\xa6\xe2\x82\xac\xf0\x9f\x98\x80"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct json_tree tree = parsed(texts[k].text);
        assert_string_equal(tree.root->text, texts[k].value);
        json_free(&tree);
    }
}

static void expect_refusal(const char *text, size_t size, const char *message)
{
    struct json_tree tree;
    if (json_parse("text", text, size, &tree) != ERR_INPUT)
        fail_msg("accepted: %s", text);
    if (!strstr(err_message(), message))
        fail_msg("no '%s' in '%s'", message, err_message());
    assert_null(tree.root);
    assert_null(tree.memory);
}

static void what_is_no_json_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } faults[] = {
        {"", "text:1: a value"},
        {"\n\n ", "text:3: a value"},
        {"{", "a text in quotes is wanted, and the text ends here"},
        {"{\"a\"", "a colon"},
        {"{\"a\":", "a value"},
        {"{\"a\": 1", "a comma or }"},
        {"{\"a\": 1,}", "a text in quotes"},
        {"{a: 1}", "a text in quotes"},
        {"{1: 1}", "a text in quotes"},
        {"{\"a\": 1,\n\"a\": 2}", "text:2: 'a' stands twice"},
        {"[", "a value"},
        {"[1", "a comma or ]"},
        {"[1,]", "a value"},
        {"[,1]", "a value"},
        {"[1 2]", "a comma or ]"},
        {"[1]\nx", "text:2: the end is wanted at 'x'"},
        {"[1] [2]", "the end"},
        {"01", "a value"},
        {"+1", "a value"},
        {".5", "a value"},
        {"-", "a value"},
        {"1.", "a digit after the point"},
        {"1e", "an exponent's digits"},
        {"1e+", "an exponent's digits"},
        {"0x10", "the end"},
        {"1e999", "a smaller number"},
        {"NaN", "a value"},
        {"Infinity", "a value"},
        {"True", "a value"},
        {"nul", "a value"},
        {"nulls", "the end"},
        {"'a'", "a value"},
        {"\"a", "closing quote"},
        {"\"a\nb\"", "closing quote"},
        {"\"\t\"", "control characters"},
        {"\"\\a\"", "after a backslash"},
        {"\"\\", "after a backslash"},
        {"\"\\u12\"", "four hexadecimal digits"},
        {"\"\\u", "four hexadecimal digits"},
        {"\"\\u0000\"", "a NUL"},
        {"\"\\ud83d\"", "surrogate"},
        {"\"\\ud83dx\"", "surrogate"},
        {"\"\\ud83d\\u0041\"", "surrogate"},
        {"\"\\ude00\"", "surrogate"},
        {"\"\xff\"", "UTF-8"},
        {"\"\xc0\x80\"", "UTF-8"},
        {"\"\xe0\x80\x80\"", "UTF-8"},
        {"\"\xed\xa0\x80\"", "UTF-8"},
        {"\"\xf4\x90\x80\x80\"", "UTF-8"},
        {"\"\xe2\x82\"", "UTF-8"},
        {"// no\n1", "a value"},
        {"\xef\xbb\xbf{}", "a value"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        expect_refusal(faults[k].text, strlen(faults[k].text), faults[k].message);
    expect_refusal("[1,\0 2]", 7, "a value");
    expect_refusal("\"a\0b\"", 5, "closing quote");
    expect_refusal("1\0", 2, "the end");
}

static void depth_and_size_have_limits(void **state)
{
    (void)state;
    enum { BOTH = 2 * JSON_DEEPEST };
    char deep[BOTH + 3];
    struct json_tree tree;
    memset(deep, '[', JSON_DEEPEST);
    memset(deep + JSON_DEEPEST, ']', JSON_DEEPEST);
    deep[BOTH] = '\0';
    tree = parsed(deep);
    json_free(&tree);
    memset(deep, '[', JSON_DEEPEST + 1);
    memset(deep + JSON_DEEPEST + 1, ']', JSON_DEEPEST + 1);
    expect_refusal(deep, sizeof deep - 1, "64 levels");
    expect_refusal("1", (size_t)JSON_LARGEST + 1, "at most 64 are read");
}

/* Whatever a text was cut in: nothing is read from beyond it, and memory suffices. */
static void every_prefix_and_every_changed_byte_is_survived(void **state)
{
    (void)state;
    static const char text[] = "{\"a\": [1, [2.5e3], {\"\": -0}], \"\\u00e6\\\\\": \"\xc3\xa6\", "
                               "\"c\": [true, null, [[],{}]]}";
    static const char changes[] = "\"\\[]{},:0e-.u \n\xc3";
    struct json_tree tree = parsed(text);
    json_free(&tree);
    for (size_t n = 0; n < sizeof text - 1; n++) {
        char *cut = malloc(n + 1);
        assert_non_null(cut);
        memcpy(cut, text, n);
        assert_int_equal(json_parse("text", cut, n, &tree), ERR_INPUT);
        for (size_t k = 0; k < sizeof changes - 1; k++) {
            char changed[sizeof text];
            memcpy(changed, text, sizeof text);
            changed[n] = changes[k];
            if (json_parse("text", changed, sizeof text - 1, &tree) == ERR_OK)
                assert_int_equal(tree.root->kind, JSON_OBJECT);
            json_free(&tree);
        }
        free(cut);
    }
}

static void a_file_is_loaded_whole(void **state)
{
    (void)state;
    enum { SIZE = 300001 };
    char path[] = "/tmp/shoal-test-XXXXXX", *text;
    size_t size;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    for (int k = 0; k < SIZE; k++)
        fputc('a' + k % 26, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(json_load(path, &text, &size), ERR_OK);
    assert_int_equal(size, SIZE);
    for (int k = 0; k < SIZE; k++)
        assert_int_equal(text[k], 'a' + k % 26);
    assert_int_equal(text[SIZE], 0);
    free(text);
    assert_int_equal(remove(path), 0);
    assert_int_equal(json_load(path, &text, &size), ERR_INPUT);
    assert_int_equal(json_load("/tmp", &text, &size), ERR_INPUT);
    assert_null(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_every_kind_are_read),
        cmocka_unit_test(escapes_become_utf8),
        cmocka_unit_test(what_is_no_json_is_refused_with_its_line),
        cmocka_unit_test(depth_and_size_have_limits),
        cmocka_unit_test(every_prefix_and_every_changed_byte_is_survived),
        cmocka_unit_test(a_file_is_loaded_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
