/* Tables of the comparison, in the page. */
#include <string.h>

#include "verification/judge/page.h"

static const char *row_class(const struct judging *j, int entry)
{
    return entry == j->own ? " class=\"own\"" : "";
}

static void number_cell(FILE *f, double x)
{
    fputs("<td class=\"num\">", f);
    page_number(f, x);
    fputs("</td>", f);
}

/* "< 0.1": it was below the error on its coarsest grid already. */
static void time_cell(FILE *f, const struct judging *j, int trial, int entry)
{
    int beyond;
    const double wall = study_time_to_error(j, trial, entry, &beyond);
    fputs("<td class=\"num\">", f);
    fputs(isnan(wall) || !beyond ? "" : beyond > 0 ? "&gt;&nbsp;" : "&lt;&nbsp;", f);
    page_number(f, wall);
    fputs("</td>", f);
}

static int place_of(const struct judging *j, int trial, int entry)
{
    int order[ENTRIES], k = 0;
    study_rank(j, trial, order);
    while (order[k] != entry)
        k++;
    return k + 1;
}

/* A row for each flow: where this one stands. */
void page_glance(FILE *f, const struct judging *j)
{
    const char *standard = j->entry[j->standard].name;
    if (j->own < 0 || !j->trials)
        return;
    page_print(f,
               "<div class=\"wide\"><table>\n<tr><th>flow</th><th class=\"num\">place</th>"
               "<th class=\"num\">error beside %s</th><th class=\"num\">order</th>"
               "<th class=\"num\">time to the same error beside %s</th></tr>\n",
               standard, standard);
    for (int t = 0; t < j->trials; t++) {
        const int last = j->trial[t].rungs - 1;
        const struct cell *own = &j->cell[t][j->own][last];
        int of_own, of_standard;
        const double a = study_time_to_error(j, t, j->own, &of_own),
                     b = study_time_to_error(j, t, j->standard, &of_standard);
        page_print(f, "<tr><td>%s <span class=\"soft\">%s</span></td><td class=\"num\">",
                   j->trial[t].flow_case.name, j->trial[t].flow_case.title);
        if (own->failed)
            fputs("failed</td>", f);
        else
            page_print(f, "%d of %d</td>", place_of(j, t, j->own), j->entries);
        number_cell(f, own->error / j->cell[t][j->standard][last].error);
        number_cell(f, own->order);
        fputs("<td class=\"num\">", f);
        fputs(of_own > 0 ? "&gt;&nbsp;" : of_own < 0 ? "&lt;&nbsp;" : "", f);
        page_number(f, a / b);
        fputs("</td></tr>\n", f);
    }
    fputs("</table></div>\n", f);
}

static void errors_head(FILE *f, const struct judging *j, const struct trial *t)
{
    page_print(f, "<div class=\"wide\"><table>\n<tr><th>%s</th>", subject_rivals(&j->subject));
    for (int k = 0; k < t->rungs; k++)
        page_print(f, "<th class=\"num\">%d cells</th>", t->ladder[k]);
    page_print(f,
               "<th class=\"num\">order</th><th class=\"num\">beside %s</th>"
               "<th class=\"num\">steps</th><th class=\"num\">seconds</th>"
               "<th class=\"num\">mass error</th></tr>\n",
               j->entry[j->standard].name);
}

static void errors_row(FILE *f, const struct judging *j, int trial, int entry)
{
    const struct trial *t = &j->trial[trial];
    const struct cell *c = j->cell[trial][entry];
    const int last = t->rungs - 1;
    page_print(f, "<tr");
    fputs(row_class(j, entry), f);
    page_print(f, "><td class=\"word\">%s</td>", j->entry[entry].name);
    for (int k = 0; k < t->rungs; k++) {
        if (c[k].failed)
            fputs("<td class=\"num bad\">failed</td>", f);
        else
            number_cell(f, c[k].error);
    }
    number_cell(f, c[last].order);
    number_cell(f, c[last].error / j->cell[trial][j->standard][last].error);
    if (c[last].failed) {
        fputs("<td></td><td></td><td></td></tr>\n", f);
        return;
    }
    page_print(f, "<td class=\"num\">%d</td>", (int)study_run(j, trial, entry, last)->steps);
    number_cell(f, c[last].wall);
    number_cell(f, fabs(study_run(j, trial, entry, last)->mass_error));
    fputs("</tr>\n", f);
}

void page_errors(FILE *f, const struct judging *j)
{
    for (int t = 0; t < j->trials; t++) {
        const struct trial *of = &j->trial[t];
        int order[ENTRIES];
        page_print(f, "<h3>%s <small>%s</small></h3>\n", of->flow_case.name, of->flow_case.title);
        if (of->norm)
            page_print(f, "<p class=\"soft\">%s: %s.</p>\n", of->norm->name, of->norm->meaning);
        else
            fputs("<p class=\"soft\">It has no exact solution and no reference, so there are no "
                  "errors and no orders.</p>\n",
                  f);
        if (study_is_exact(j, t))
            page_print(f, "<p>Here %s.</p>\n", STUDY_EXACT);
        errors_head(f, j, of);
        study_rank(j, t, order);
        for (int k = 0; k < j->entries; k++)
            errors_row(f, j, t, order[k]);
        fputs("</table></div>\n", f);
    }
}

/* A row for each entry, a column for each flow. */
void page_times(FILE *f, const struct judging *j)
{
    if (!study_has_errors(j))
        return;
    page_print(f, "<div class=\"wide\"><table>\n<tr><th>seconds until</th>");
    for (int t = 0; t < j->trials; t++)
        page_print(f, "<th class=\"num\">%s</th>", j->trial[t].flow_case.name);
    fputs("</tr>\n<tr><td class=\"soft\">the error is</td>", f);
    for (int t = 0; t < j->trials; t++)
        number_cell(f, study_error_to_reach(j, t));
    page_print(f, "</tr>\n<tr><td class=\"soft\">as by %s with</td>", j->entry[j->standard].name);
    for (int t = 0; t < j->trials; t++)
        page_print(f, "<td class=\"num\">%d cells</td>", j->trial[t].ladder[j->trial[t].stated]);
    fputs("</tr>\n", f);
    for (int e = 0; e < j->entries; e++) {
        fputs("<tr", f);
        fputs(row_class(j, e), f);
        page_print(f, "><td class=\"word\">%s</td>", j->entry[e].name);
        for (int t = 0; t < j->trials; t++)
            time_cell(f, j, t, e);
        fputs("</tr>\n", f);
    }
    fputs("</table></div>\n", f);
}

void page_speed(FILE *f, const struct judging *j, enum backend_kind on)
{
    page_print(f,
               "<div class=\"wide\"><table>\n<tr><th>%s</th><th class=\"num\">a step (ms)</th>"
               "<th class=\"num\">beside %s</th><th class=\"num\">quartiles</th></tr>\n",
               subject_rivals(&j->subject), j->entry[j->standard].name);
    for (int e = 0; e < j->entries; e++) {
        const struct speed *s = &j->timings->speed[on][e];
        fputs("<tr", f);
        fputs(row_class(j, e), f);
        page_print(f, "><td class=\"word\">%s</td>", j->entry[e].name);
        number_cell(f, 1e3 * s->step);
        number_cell(f, s->ratio);
        fputs("<td class=\"num\">", f);
        page_number(f, s->low);
        fputs(" to ", f);
        page_number(f, s->high);
        fputs("</td></tr>\n", f);
    }
    fputs("</table></div>\n", f);
}
