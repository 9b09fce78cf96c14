/* `shoal list experiments`: name, title, in parentheses the published figure, how long it takes to
 * measure and what that needs, or that it is historical. */
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "experiments/experiment.h"

static void print(const struct experiment *x, const char *indent, int width)
{
    const struct section *top = experiment_section(x, "", 0);
    const char *figure;
    int figures = 0;
    printf("%s%-*s  %s", indent, width, x->name, experiment_value(x, top, "title"));
    while ((figure = experiment_value_at(x, top, "figure", figures)) != NULL)
        printf("%s%s", figures++ ? "; " : " (", figure);
    const struct section *measure = experiment_section(x, "measure", 0);
    const char *takes = experiment_value(x, measure, "takes");
    const char *needs = experiment_value(x, measure, "needs");
    if (experiment_historical(x))
        printf("%s; historical\n", figures ? ")" : "");
    else
        printf("%s%s%s%s%s\n", figures ? ")" : "", takes ? "; takes " : "", takes ? takes : "",
               needs ? "; needs " : "", needs ? needs : "");
}

enum err experiments_print(const char *indent)
{
    struct experiment_list list;
    int width = 0, faulty = 0;
    TRY(experiment_list_read(&list));
    const int count = list.count;
    for (int k = 0; k < count; k++) {
        const int n = (int)strlen(list.name[k]);
        width = n > width ? n : width;
    }
    for (int k = 0; k < count; k++) {
        struct experiment x;
        if (experiment_read(&x, list.name[k])) {
            log_warning("%s", err_message());
            faulty++;
            continue;
        }
        print(&x, indent, width);
        experiment_free(&x);
    }
    experiment_list_free(&list);
    if (faulty)
        FAIL(INPUT, "%d of %d experiments cannot be read", faulty, count);
    return ERR_OK;
}
