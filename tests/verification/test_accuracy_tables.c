/* The errors that README.md, manual/accuracy.md and verification/README.md list are those that `shoal verify` finds.
 * `make test` computes the cheapest rows; SHOAL_TEST_FULL=1 all, which takes minutes. */
#include "tests/support/test.h"

#include <ctype.h>
#include <math.h>

#include "core/base/paths.h"
#include "core/base/whole_file.h"
#include "core/registry/registry.h"
#include "tests/support/everything.h"
#include "tests/support/program.h"
#include "tests/support/users_kernels.h"

enum { MOST_ROWS = 32, MOST_FOUND = 4096, CELL = 128, MOST_BYTES = 1 << 20 };

static const char *const pages[] = {"README.md", "manual/accuracy.md"};
static const char *const cheap[] = {"macdonald-sub", "ritter-fan", "stoker-anuga"};

/* A row of a page's table, as printed. */
struct row {
    const char *page;
    char flow[CELL], n[CELL], value[CELL], order[CELL];
};
static struct row rows[MOST_ROWS];
static int row_count;

/* A line of results.tsv. */
struct found {
    char flow[CELL], n[CELL], what[CELL];
    double value;
};
static struct found found[MOST_FOUND];
static int found_count;

/* Cell k, from 0, of a line of a table, without the blanks around it. */
static int cell_of(const char *line, int k, char text[CELL])
{
    const char *from = line;
    for (int n = 0; n <= k; n++) {
        from = strchr(from, '|');
        if (!from)
            return 0;
        from++;
    }
    from += strspn(from, " ");
    size_t length = strcspn(from, "|");
    while (length > 0 && from[length - 1] == ' ')
        length--;
    snprintf(text, CELL, "%.*s", (int)length, from);
    return 1;
}

/* | `case`, words | n | error | value | order |; without a case it is the one above. */
static void read_rows(const char *page)
{
    char path[PATH_LENGTH], flow[CELL] = "", first[CELL], *text, *end;
    size_t size;
    fine(paths_file(page, path));
    fine(whole_file_read(path, MOST_BYTES, &text, &size));
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        struct row r = {.page = page};
        if (!cell_of(line, 0, first) || !cell_of(line, 1, r.n) || !cell_of(line, 3, r.value) ||
            !cell_of(line, 4, r.order))
            continue;
        if (*first)
            snprintf(flow, sizeof flow, "%.*s", (int)strcspn(first + 1, "`"), first + 1);
        snprintf(r.flow, sizeof r.flow, "%s", flow);
        if (find_case(r.flow) && strtod(r.value, &end) > 0 && !*end) {
            assert_true(row_count < MOST_ROWS);
            rows[row_count++] = r;
        }
    }
    free(text);
}

static int is_wanted(const char *flow)
{
    for (size_t k = 0; k < sizeof cheap / sizeof *cheap; k++)
        if (strcmp(flow, cheap[k]) == 0)
            return 1;
    return everything();
}

static void read_results(void)
{
    char path[PATH_LENGTH], *text, first[CELL] = "";
    size_t size;
    scratch_path(path, "out/results.tsv");
    fine(whole_file_read(path, MOST_BYTES, &text, &size));
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) && *line;) {
        struct found f;
        int n = 0;
        for (char *column; (column = strsep(&line, "\t")); n++) {
            char *const to[] = {f.flow, [7] = f.n, [9] = f.what, [10] = first};
            if ((size_t)n < sizeof to / sizeof *to && to[n])
                snprintf(to[n], CELL, "%s", column);
        }
        assert_true(n > 10 && found_count < MOST_FOUND);
        f.value = strtod(first, NULL);
        found[found_count++] = f;
    }
    free(text);
}

static int is_of(const struct found *f, const struct row *r)
{
    return strcmp(f->flow, r->flow) == 0 && strcmp(f->n, r->n) == 0;
}

/* Is it the number that a text begins with, to as many digits as that has? */
static int is_printed(double value, const char *as)
{
    char text[CELL], same[CELL];
    int digits = 0;
    if (strtod(as, NULL) == 0)
        return value == 0;
    for (const char *c = as + strspn(as, "0."); strchr("0123456789.", *c) && *c; c++)
        digits += *c != '.';
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    snprintf(same, sizeof same, "%.*e", digits - 1, strtod(as, NULL));
    return digits > 0 && strcmp(text, same) == 0;
}

/* Between this grid and another one, as verify prints it or from both errors. */
static int has_order(const struct found *error, const struct row *r)
{
    char printed[2 * CELL];
    snprintf(printed, sizeof printed, "order of %s from ", error->what);
    for (int k = 0; k < found_count; k++) {
        const struct found *f = &found[k];
        const double finer = strtod(error->n, NULL) / strtod(f->n, NULL);
        double order = NAN;
        if (strcmp(f->flow, r->flow) != 0)
            continue;
        if (finer == 1 && strncmp(f->what, printed, strlen(printed)) == 0)
            order = f->value;
        else if (finer > 1 && strcmp(f->what, error->what) == 0)
            order = log(f->value / error->value) / log(finer);
        if (is_printed(order, r->order))
            return 1;
    }
    return 0;
}

static void pages_list_the_errors_that_verify_finds(void **state)
{
    int checked = 0, stale = 0;
    (void)state;
    for (int k = 0; k < row_count; k++) {
        const struct row *r = &rows[k];
        int same = 0;
        if (!is_wanted(r->flow))
            continue;
        checked++;
        for (int m = 0; m < found_count && !same; m++)
            same = is_of(&found[m], r) && is_printed(found[m].value, r->value) &&
                   has_order(&found[m], r);
        stale += !same;
        if (!same)
            print_error(
                "%s: %s on %s cells has no error of %s and order %s: write what `shoal verify "
                "--case %s --scheme rk2 --precision f64` prints\n",
                r->page, r->flow, r->n, r->value, r->order, r->flow);
    }
    assert_int_equal(stale, 0);
    assert_true(checked >= 5);
}

/* "L1 h 4.88e-6, L1 q 1.73e-5; on 100 cells L1 q 1.57e-5": how many of these are errors that were found on that grid,
 * and how many of them are not as printed. */
static void check_errors(struct row *r, char *text, int *checked, int *stale)
{
    for (char *part; (part = strsep(&text, ",;"));) {
        int skip = 0;
        part += strspn(part, " ");
        if (sscanf(part, "on %127[0-9] cells %n", r->n, &skip) == 1)
            part += skip;
        int known = 0, same = 0; /* an error may be of several times */
        for (int m = 0; m < found_count; m++) {
            const size_t length = strlen(found[m].what);
            if (!is_of(&found[m], r) || strncmp(part, found[m].what, length) != 0 ||
                part[length] != ' ' || !isdigit((unsigned char)part[length + 1]))
                continue;
            known = 1;
            same |= is_printed(found[m].value, part + length + 1);
        }
        if (known && !same)
            print_error("verification/README.md: %s on %s cells: verify finds no '%s'\n", r->flow,
                        r->n, part);
        *checked += known;
        *stale += known && !same;
    }
}

static void the_table_of_all_cases_has_them_too(void **state)
{
    char path[PATH_LENGTH], first[CELL], errors[CELL], *text;
    int checked = 0, stale = 0;
    size_t size;
    (void)state;
    fine(paths_file("verification/README.md", path));
    fine(whole_file_read(path, MOST_BYTES, &text, &size));
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        struct row r;
        if (!cell_of(line, 0, first) || *first != '`' || !cell_of(line, 1, r.n) ||
            !cell_of(line, 2, errors))
            continue;
        snprintf(r.flow, sizeof r.flow, "%.*s", (int)strcspn(first + 1, "`"), first + 1);
        if (find_case(r.flow) && is_wanted(r.flow))
            check_errors(&r, errors, &checked, &stale);
    }
    free(text);
    assert_int_equal(stale, 0);
    assert_true(checked >= 5);
}

static int set_up(void **state)
{
    char flows[MOST_ROWS * CELL] = "";
    (void)state;
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++)
        read_rows(pages[k]);
    for (int k = 0, m; k < row_count; k++) {
        for (m = 0; m < k && strcmp(rows[m].flow, rows[k].flow) != 0; m++)
            ;
        if (m == k && is_wanted(rows[k].flow))
            sprintf(flows + strlen(flows), "%s%s", *flows ? "," : "", rows[k].flow);
    }
    scratch_create();
    if (program_find())
        return -1;
    char *kept = everything() ? users_kernels() : NULL; /* of all cases */
    SHOAL("verify", "--scheme", "rk2", "--limiter", "minmod", "--precision", "f64", "--backend",
          "cpu", "--output", "out", everything() ? NULL : "--case", flows);
    usual_kernels(kept);
    read_results();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_list_the_errors_that_verify_finds),
        cmocka_unit_test(the_table_of_all_cases_has_them_too),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_remove);
}
