/* Markdown and the pages made of it: every character of a name is shown, and none acts as markup. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/log.h"
#include "core/picture/markdown.h"
#include "core/picture/markdown_page.h"
#include "tests/support/html.h"

static const char *const hostile[] = {
    "<script>alert(1)</script>",
    "`<b>` and ``<i>``",
    "a | b || c",
    "[x](http://a.b)",
    "![x](y)",
    "*a* **b** _c_ __d__",
    "&lt;b&gt; &#60; &",
    "\\<b> \\\\ \\|",
    "# heading",
    "- item",
    "1. item",
    "+ item",
    "> quoted",
    "===",
    "---",
    "``` code",
    "~~~ code",
    "    indented",
    "\tindented",
    "<!-- x -->",
    "<http://a.b>",
    "a\n\n# b",
    "ends with \\",
    "ends with `",
    "$x$ {y} ~z~",
    "| - |",
    "snake_case_name",
    "\xc3\xa6 \xe2\x89\xa4",
    "1) item",
    "a  \nb",
    "x\r\n<b>",
    "` | `",
    "<--:$>x",
    "<=a@b.c>",
    "a\t#",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

/* Every way to write a text. */
static enum err print_hostile(FILE *f, const void *context)
{
    const char *s = context;
    struct markdown_table t = {0};
    markdown_heading(f, 1, "%s", s);
    markdown_print(f, "%s\n\nX %s Y `%s` Z\n\n- %s\n- `%s`\n\n", s, s, s, s, s);
    markdown_column(&t, 0, "%s", s);
    markdown_column(&t, 1, "`%s`", s);
    markdown_cell(&t, "%s", s);
    markdown_cell(&t, "`%s`", s);
    markdown_cell(&t, "[%s](%s)", s, s);
    markdown_cell(&t, "**%s**", s);
    markdown_table_end(&t, f);
    markdown_image(f, s, "%s", s);
    markdown_block(f, s);
    markdown_heading(f, 4, "%s", s);
    markdown_heading(f, 4, "%s", s);
    markdown_print(f, "the end\n");
    return ERR_OK;
}

static char *page_of(enum err (*print)(FILE *f, const void *context), const void *context,
                     int whole)
{
    char stem[PATH_LENGTH];
    scratch_path(stem, "page");
    if (markdown_report(stem, whole, print, context))
        fail_msg("%s", err_message());
    if (!scratch_has("page.html")) {
        print_message("skipped: there is no md4c\n");
        skip();
    }
    return scratch_read("page.html", NULL);
}

/* As a browser shows it: without tags, with sequences of blanks as one. */
static void shown(const char *html, char *text)
{
    static const struct {
        const char *entity;
        char sign;
    } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}};
    char *const begin = text;
    while (*html) {
        size_t n = 1;
        char c = *html;
        if (c == '<')
            c = ' ', n = strcspn(html, ">") + 1;
        for (size_t k = 0; k < sizeof entities / sizeof *entities; k++)
            if (strncmp(html, entities[k].entity, strlen(entities[k].entity)) == 0)
                c = entities[k].sign, n = strlen(entities[k].entity);
        c = (unsigned char)c <= ' ' ? ' ' : c;
        if (c != ' ' || text == begin || text[-1] != ' ')
            *text++ = c;
        html += n;
    }
    *text = '\0';
}

static void plain(const char *s, char *text)
{
    char *const begin = text;
    for (s += strspn(s, " \t"); *s; s++) {
        const char c = (unsigned char)*s <= ' ' ? ' ' : *s;
        if (c != ' ' || text == begin || text[-1] != ' ')
            *text++ = c;
    }
    *text = '\0';
}

static void a_name_is_shown_as_it_is_and_is_no_markup(void **state)
{
    static const char *const tags[] = {"<script", "<b>",  "<i>", "<blockquote",
                                       "<hr",     "<!--", "<ol", "<del"};
    (void)state;
    for (int k = 0; k < HOSTILE; k++) {
        char wanted[200], text[1 << 14];
        char *page = page_of(print_hostile, hostile[k], 0);
        char *body = strstr(page, "<body>");
        assert_non_null(body);
        assert_balanced(page);
        for (size_t m = 0; m < sizeof tags / sizeof *tags; m++)
            if (strstr(body, tags[m]))
                fail_msg("%s became a tag: %s", hostile[k], strstr(body, tags[m]));
        shown(body, text);
        plain(hostile[k], wanted);
        /* the heading, three texts and two codes of paragraphs and list, six of the table, block, two headings */
        if (times_in(text, wanted) < 15)
            fail_msg("'%s' is shown %d times in:\n%s", wanted, times_in(text, wanted), body);
        assert_int_equal(times_in(body, "<p>"), 4);
        assert_int_equal(times_in(body, "<li>"), 2);
        assert_int_equal(times_in(body, "<h1 id="), 1);
        assert_int_equal(times_in(body, "<details>"), 2);
        assert_int_equal(times_in(body, "<td"), 4);
        assert_int_equal(times_in(body, "<th"), 3); /* with thead */
        assert_int_equal(times_in(body, "<a "), 1);
        assert_int_equal(times_in(body, "<img "), 1);
        assert_int_equal(times_in(body, "<em>"), 0);
        /* No blank may follow the marks. */
        assert_int_equal(times_in(body, "<strong>"), !strchr(" \t", *hostile[k]));
        assert_int_equal(times_in(body, "<pre>"), 1);
        free(page);
    }
}

static enum err print_table(FILE *f, const void *context)
{
    struct markdown_table t = {0};
    (void)context;
    markdown_column(&t, 0, "name");
    markdown_column(&t, 1, "n");
    markdown_column(&t, 0, "why");
    markdown_cell(&t, "S%s", "\xc3\xa6tra");
    markdown_cell(&t, "%d", 5);
    markdown_cell(&t, "%s", "a|b");
    markdown_cell(&t, "%s", "it is so very long that it does not make its column any wider");
    markdown_cell(&t, "%d", 1234);
    markdown_cell(&t, "%s", "");
    markdown_table_end(&t, f);
    return ERR_OK;
}

static void tables_are_aligned_by_characters(void **state)
{
    char *text = NULL;
    size_t size;
    (void)state;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    print_table(f, NULL);
    fclose(f);
    assert_string_equal(
        text, "| name  |    n | why |\n"
              "|-------|-----:|------|\n"
              "| S\xc3\xa6tra |    5 | a\\|b |\n"
              "| it is so very long that it does not make its column any wider | 1234 |  |\n\n");
    free(text);
}

static enum err print_headings(FILE *f, const void *context)
{
    char anchor[100];
    (void)context;
    markdown_heading(f, 1, "Of `%s` & more", "it");
    markdown_anchor("Errors, at 5 %: S\xc3\xa6tra_2", anchor, sizeof anchor);
    markdown_print(f, "[there](#%s)\n", anchor);
    markdown_heading(f, 2, "Errors, at 5 %s: S\xc3\xa6tra_2", "%");
    markdown_heading(f, 4, "Lines");
    markdown_print(f, "folded\n");
    markdown_heading(f, 4, "Lines");
    markdown_heading(f, 2, "Next");
    markdown_image(f, "there.svg", "a drawing");
    markdown_image(f, "not there.svg", "no drawing");
    return ERR_OK;
}

static void headings_have_anchors_and_fold_what_is_below_them(void **state)
{
    static const char *const parts[] = {
        "<title>Of ",
        "<h1 id=\"of-it--more\">",
        "<a href=\"#errors-at-5--s%C3%A6tra_2\">",
        "<h2 id=\"errors-at-5--s\xc3\xa6tra_2\">",
        "<details><summary id=\"lines\">Lines</summary>\n<p>folded</p>\n</details>\n"
        "<details><summary id=\"lines-1\">Lines</summary>\n</details>\n<h2 id=\"next\">",
        "<img src=\"there.svg\" alt=\"a drawing\"",
        "<img src=\"not%20there.svg\"",
    };
    (void)state;
    scratch_write("there.svg", "w", "<svg>1</svg>");
    char *page = page_of(print_headings, NULL, 0);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (!strstr(page, parts[k]))
            fail_msg("no '%s' in: %s", parts[k], strstr(page, "<body>"));
    free(page);
}

static void drawings_are_within_a_page_that_is_to_be_whole(void **state)
{
    (void)state;
    scratch_write("there.svg", "w", "<svg>1</svg>");
    char *page = page_of(print_headings, NULL, 1);
    assert_non_null(strstr(page, "<img src=\"data:image/svg+xml;base64,PHN2Zz4xPC9zdmc+\" alt="));
    assert_non_null(strstr(page, "<img src=\"not%20there.svg\""));
    free(page);
    scratch_write("there.svg", "w", "<svg>12</svg>");
    page = page_of(print_headings, NULL, 1);
    assert_non_null(strstr(page, "base64,PHN2Zz4xMjwvc3ZnPg==\""));
    free(page);
}

static void without_md4c_there_is_markdown_and_no_stale_page(void **state)
{
    char stem[PATH_LENGTH];
    (void)state;
    scratch_path(stem, "page");
    scratch_write("page.html", "w", "stale");
    setenv("SHOAL_LIBMD4C", "/nowhere/libmd4c.so", 1);
    log_quiet(2);
    const enum err e = markdown_report(stem, 0, print_table, NULL);
    log_quiet(0);
    unsetenv("SHOAL_LIBMD4C");
    assert_int_equal(e, ERR_OK);
    assert_true(scratch_has("page.md"));
    assert_false(scratch_has("page.html"));
}

static enum err print_nothing(FILE *f, const void *context)
{
    (void)f, (void)context;
    FAIL(INPUT, "nothing to print");
}

static void what_cannot_be_printed_leaves_no_file(void **state)
{
    char stem[PATH_LENGTH];
    (void)state;
    scratch_path(stem, "page");
    assert_int_equal(markdown_report(stem, 0, print_nothing, NULL), ERR_INPUT);
    assert_false(scratch_has("page.md"));
    assert_false(scratch_has("page.html"));
}

#if __has_include(<md4c-html.h>)
#include <md4c-html.h>
/* What core/picture/markdown_page.c says about the library when built without it. */
_Static_assert(MD_FLAG_TABLES == 0x100 && MD_FLAG_NOHTML == 0x60 && MD_HTML_FLAG_XHTML == 8,
               "md4c");
_Static_assert(_Generic(&md_html,
                        int (*)(const char *, unsigned, void (*)(const char *, unsigned, void *),
                                void *, unsigned, unsigned) : 1,
                        default : 0),
               "md4c");
#endif

int main(void)
{
#define FRESH(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_remove)
    const struct CMUnitTest tests[] = {
        FRESH(a_name_is_shown_as_it_is_and_is_no_markup),
        FRESH(tables_are_aligned_by_characters),
        FRESH(headings_have_anchors_and_fold_what_is_below_them),
        FRESH(drawings_are_within_a_page_that_is_to_be_whole),
        FRESH(without_md4c_there_is_markdown_and_no_stale_page),
        FRESH(what_cannot_be_printed_leaves_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
