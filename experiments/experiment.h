/* Experiments: a text file for each figure or table, experiments/NAME.ini, that says what to measure,
 * what to draw, and what was claimed. experiments/README.md describes the format. */
#ifndef SHOAL_EXPERIMENT_H
#define SHOAL_EXPERIMENT_H

#include "core/options/ini_file.h"

enum { EXPERIMENT_NAME = 63 };

struct experiment {
    char name[EXPERIMENT_NAME + 1];
    struct ini file;
};

/* Reads experiments/NAME.ini of the installation. Fails with ERR_USAGE, suggesting the nearest, if
 * there is no such experiment, and with ERR_INPUT, file and line, for an unknown, repeated or
 * missing section or key. Users of the values check these. */
enum err experiment_read(struct experiment *x, const char *name);
void experiment_free(struct experiment *x); /* zeroed is fine */

/* Why it cannot be measured again: the kernels no longer have what it measures. NULL if it can. */
const char *experiment_historical(const struct experiment *x);

/* The names of all experiments, in byte order: sorted file names without their ending. */
struct experiment_list {
    char (*name)[EXPERIMENT_NAME + 1];
    int count;
};
enum err experiment_list_read(struct experiment_list *list);
void experiment_list_free(struct experiment_list *list);

/* `shoal list experiments`, each line after `indent`: experiments/list_experiments.c. Names
 * malformed ones on stderr and lists the others, then fails with ERR_INPUT. */
enum err experiments_print(const char *indent);

/* The nth section of that name, counted from 0; NULL if there are fewer. */
const struct section *experiment_section(const struct experiment *x, const char *name, int nth);

/* A section's value of a key, NULL if it has none; the nth if a key may repeat. A NULL section is
 * empty. */
const char *experiment_value(const struct experiment *x, const struct section *s, const char *key);
const char *experiment_value_at(const struct experiment *x, const struct section *s,
                                const char *key, int nth);

/* The same for "key.variant" if there is one, else for "key": sizes for a backend (nx.cpu). */
const char *experiment_variant(const struct experiment *x, const struct section *s, const char *key,
                               const char *variant);

/* The words of a value, separated by blanks: copied to `word`, at most `most`. Returns how many;
 * -1, with an error set that names file, line and key, if there are more or one is too long. "a b"
 * in double quotes is one word. */
enum { EXPERIMENT_WORD = 127 };
int experiment_words(const struct experiment *x, const char *value,
                     char (*word)[EXPERIMENT_WORD + 1], int most);

/* Fails with ERR_INPUT: "FILE:LINE: KEY: what", for an invalid value. */
enum err experiment_fault(const struct experiment *x, const char *value, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
