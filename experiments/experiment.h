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

/* Reads experiments/NAME.ini of the installation. Fails with ERR_USAGE, suggesting the nearest, where
 * there is no such experiment, and with ERR_INPUT, file and line, where it has a section or a key
 * that means nothing, one twice that may stand once, or none of those it must have. Whether values
 * make sense is for those who use them to say. */
enum err experiment_read(struct experiment *x, const char *name);
void experiment_free(struct experiment *x); /* zeroed is fine */

/* Why it cannot be measured again: the kernels have lost what it is about. NULL where it can. */
const char *experiment_historical(const struct experiment *x);

/* The names of all experiments, in byte order: sorted file names without their ending. */
struct experiment_list {
    char (*name)[EXPERIMENT_NAME + 1];
    int count;
};
enum err experiment_list_read(struct experiment_list *list);
void experiment_list_free(struct experiment_list *list);

/* `shoal list experiments`, each line after `indent`: experiments/list_experiments.c. One that cannot be read
 * is named on stderr; the others are listed, then it fails with ERR_INPUT. */
enum err experiments_print(const char *indent);

/* The nth section of that name, counted from 0; NULL where there are not so many. */
const struct section *experiment_section(const struct experiment *x, const char *name, int nth);

/* A section's value of a key, NULL where it has none; the nth where a key may repeat. A NULL section has
 * nothing. */
const char *experiment_value(const struct experiment *x, const struct section *s, const char *key);
const char *experiment_value_at(const struct experiment *x, const struct section *s,
                                const char *key, int nth);

/* The same, of "key.variant" where there is one, else of "key": sizes for a backend (nx.cpu). */
const char *experiment_variant(const struct experiment *x, const struct section *s, const char *key,
                               const char *variant);

/* The words of a value, separated by blanks: copied to `word`, at most `most`. How many; -1, with an
 * error set that names file, line and key, where there are more or one is too long. "a b" in double
 * quotes is one word. */
enum { EXPERIMENT_WORD = 127 };
int experiment_words(const struct experiment *x, const char *value,
                     char (*word)[EXPERIMENT_WORD + 1], int most);

/* Fails with ERR_INPUT: "FILE:LINE: KEY: what", for a value that its user cannot take. */
enum err experiment_fault(const struct experiment *x, const char *value, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
