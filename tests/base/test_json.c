/* JSON, as jansson is asked to read it: what is refused, and where. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "core/base/json.h"
#include "tests/support/near.h"

static void members_keep_their_order_and_whole_numbers_stay_whole(void **state)
{
    (void)state;
    static const char text[] = "{\"b\": [1, -2.5e-1], \"a\": 9007199254740993}";
    json_t *root;
    assert_int_equal(json_read("text", text, strlen(text), &root), ERR_OK);
    assert_string_equal(json_object_iter_key(json_object_iter(root)), "b");
    assert_true(json_integer_value(json_object_get(root, "a")) == 9007199254740993);
    ASSERT_NEAR(json_real_value(json_array_get(json_object_get(root, "b"), 1)), -0.25, 0);
    assert_null(json_text(root, "a"));
    json_decref(root);
}

static void what_is_no_json_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } faults[] = {
        {"", "text:1: "},
        {"{\"a\": 1,\n\"a\": 2}", "text:2: duplicate object key"},
        {"[\"\\u0000\"]", "text:1: \\u0000 is not allowed"},
        {"[1,\n2,\n]", "text:3: unexpected token near ']'"},
        {"[\"\xff\"]", "text:1: "},
        {"[1e999]", "text:1: "},
        {"[1] 2", "text:1: end of file expected"},
        {"[NaN]", "text:1: "},
    };
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        json_t *root;
        const enum err e = json_read("text", faults[k].text, strlen(faults[k].text), &root);
        if (e != ERR_INPUT ||
            strncmp(err_message(), faults[k].message, strlen(faults[k].message)) != 0)
            fail_msg("%s: %d: %s", faults[k].text, e, e ? err_message() : "read");
        assert_null(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_keep_their_order_and_whole_numbers_stay_whole),
        cmocka_unit_test(what_is_no_json_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
