#include "experiments/measure/own_words.h"

#include <math.h>
#include <string.h>

#include "core/device/backend.h"
#include "experiments/measure/measure_parts.h"
#include "verification/run/verify.h"

size_t own_word_subject(const char *word)
{
    const char *end = strchr(word, ':');
    return end ? (size_t)(end - word) : 0;
}

static int is_about(const char *word, const char *subject)
{
    const size_t n = own_word_subject(word);
    return n > 0 && n == strlen(subject) && strncmp(word, subject, n) == 0;
}

const char *own_word(const char (*list)[EXPERIMENT_WORD + 1], int count, int k, const char *subject)
{
    if (own_word_subject(list[k]))
        return is_about(list[k], subject) ? list[k] + strlen(subject) + 1 : NULL;
    for (int other = 0; other < count; other++)
        if (is_about(list[other], subject))
            return NULL;
    return list[k];
}

int measure_end_words(const struct experiment *x, enum backend_kind backend, const char **value,
                      char word[MOST_ENDS][EXPERIMENT_WORD + 1])
{
    *value = experiment_variant(x, experiment_section(x, "measure", 0), "t-end",
                                backends[backend]->name);
    return *value ? experiment_words(x, *value, word, MOST_ENDS) : 0;
}

enum err measure_end_of(const struct experiment *x, enum backend_kind backend,
                        const struct flow_case *f, double *t_end)
{
    static const struct option end = {
        .name = "t-end", .type = &option_number, .size = sizeof(double), .low = 1e-9, .high = 1e9};
    char word[MOST_ENDS][EXPERIMENT_WORD + 1];
    const char *text;
    const int count = measure_end_words(x, backend, &text, word);
    if (count < 0)
        return err_last();
    *t_end = (double)NAN;
    for (int k = 0; k < count; k++) {
        const char *value = own_word((const char(*)[EXPERIMENT_WORD + 1]) word, count, k, f->name);
        if (value && !isnan(*t_end))
            return experiment_fault(x, text, "two times for %s: give one", f->name);
        if (value && end.type->set(&end, t_end, value))
            return experiment_fault(x, text, "%s", err_message());
    }
    *t_end = isnan(*t_end) ? verify_end(f) : *t_end;
    return ERR_OK;
}
