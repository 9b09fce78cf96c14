/* What holds and what fails, in the page. */
#include <string.h>

#include "core/picture/html.h"
#include "verification/judge/page.h"

static const char *const marks[] = {[HOLDS] = "<span class=\"good\">holds</span>",
                                    [FAILS] = "<b class=\"bad\">fails</b>",
                                    [NOTED] = "noted",
                                    [NOT_ASKED] = "<span class=\"soft\">not asked</span>"};

void page_contract(FILE *f, const struct judging *j)
{
    fputs("<table>\n", f);
    for (int k = 0; k < j->remarks.count; k++) {
        const struct remark *r = &j->remarks.remark[k];
        fputs(r->answer == FAILS ? "<tr class=\"fails\"><td class=\"word\">"
                                 : "<tr><td class=\"word\">",
              f);
        fputs(marks[r->answer], f);
        page_print(f, "</td><td class=\"word\">%s</td><td>%s", r->check, r->sentence);
        if (*r->example)
            page_print(f, "<br/>Smallest failing example: <code>%s</code>", r->example);
        fputs("</td></tr>\n", f);
    }
    fputs("</table>\n", f);
}

static int has_failed(const struct line *l)
{
    return l->verdict == VERDICT_FAIL;
}

static int is_beyond(const struct line *l)
{
    return l->beyond;
}

static int any(const struct line *l)
{
    return l != NULL;
}

static void write_lines(FILE *f, const struct judging *j, int (*wanted)(const struct line *l))
{
    static const char *const relation[] = {"&le; ", "&ge; ", "&le; ", "~ "};
    fputs("<div class=\"wide\"><table>\n<tr><th>flow</th><th class=\"num\">cells</th>"
          "<th class=\"num\">time (s)</th><th>what</th><th class=\"num\">value</th>"
          "<th class=\"num\">limit</th><th></th><th>why</th></tr>\n",
          f);
    for (int k = 0; k < j->verdicts.count; k++) {
        const struct line *l = &j->verdicts.line[k];
        if (!wanted(l))
            continue;
        fputs(has_failed(l) ? "<tr class=\"fails\">" : "<tr>", f);
        page_print(f, "<td class=\"word\">%s",
                   strcmp(l->case_name, "-") == 0 ? "any" : l->case_name);
        if (j->own < 0)
            page_print(f, " <span class=\"soft\">%s</span>", l->variant.scheme);
        if (l->variant.backend == CUDA)
            fputs(" <span class=\"soft\">GPU</span>", f);
        page_print(f, "</td><td class=\"num\">%d</td><td class=\"num\">%s</td><td>%s</td>", l->n,
                   l->time, l->what);
        fputs("<td class=\"num\">", f);
        page_number(f, l->value);
        fputs("</td><td class=\"num\">", f);
        if (!isnan(l->limit)) {
            fputs(relation[l->kind], f);
            page_number(f, l->limit);
        }
        page_print(f, "</td><td>%s</td><td class=\"soft\">%s</td></tr>\n",
                   verdict_names[l->verdict], l->why);
    }
    fputs("</table></div>\n", f);
}

void page_verification(FILE *f, const struct judging *j)
{
    const struct verdicts *v = &j->verdicts;
    const char *word = subject_words[j->subject.kind];
    const int failed = verdicts_count(v, VERDICT_FAIL);
    page_print(f, "<p>%d checks hold, %d fail, %d values are noted.", verdicts_count(v, VERDICT_OK),
               failed, verdicts_count(v, VERDICT_NOTE));
    if (j->subject.kind != SUBJECT_CASE)
        page_print(f,
                   " <code>build/shoal verify --%s %s</code> runs finer grids, every scheme and "
                   "both precisions.",
                   word, j->subject.name);
    fputs("</p>\n", f);
    if (failed)
        write_lines(f, j, has_failed);
    if (j->beyond) {
        page_print(f,
                   "<p>These miss a limit in flows whose limits hold for the default %s only: they "
                   "count as no failure, but say where this one is weak.</p>\n",
                   word);
        write_lines(f, j, is_beyond);
    }
    page_print(f, "<details><summary>All %d lines</summary>\n", v->count);
    write_lines(f, j, any);
    fputs("</details>\n", f);
}
