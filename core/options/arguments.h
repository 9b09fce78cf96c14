/* The options of a command, as a table: words, numbers and flags, read into a struct. */
#ifndef SHOAL_ARGUMENTS_H
#define SHOAL_ARGUMENTS_H

#include <stddef.h>

#include "core/base/err.h"

enum argument_kind {
    ARGUMENT_WORD,   /* char[size] */
    ARGUMENT_NUMBER, /* int, least to most */
    ARGUMENT_FLAG,   /* int, set to 1 */
    ARGUMENT_REAL,   /* double, least to most */
};

struct argument {
    const char *name, *value, *help; /* --name value: help */
    size_t offset, size;             /* of the member; size of a word's array */
    enum argument_kind kind;
    double least, most;
};

/* The end of a table's row. */
#define WORD_IN(type, member) \
    offsetof(type, member), sizeof(((type *)0)->member), ARGUMENT_WORD, 0, 0
#define FLAG_IN(type, member)                offsetof(type, member), 0, ARGUMENT_FLAG, 0, 0
#define NUMBER_IN(type, member, least, most) offsetof(type, member), 0, ARGUMENT_NUMBER, least, most
#define REAL_IN(type, member, least, most)   offsetof(type, member), 0, ARGUMENT_REAL, least, most

struct arguments {
    const char *command; /* for messages: "verify" */
    const struct argument *table;
    int count;
    /* Words that are no options, in order; where most is 0 each is an error, and `instead` says
     * what was probably meant: "--case". */
    const char **word;
    int words, most;
    const char *instead;
};

/* Reads "--name value", "--name=value" and flags into the members of `to`. Fails with ERR_USAGE and a
 * message that names the option and what it takes. */
enum err arguments_read(struct arguments *a, int argc, char **argv, void *to);

/* Prints a line for each option. */
void arguments_help(const struct argument *table, int count);

/* Which of `words` (NULL at the end) a text is; *which is left alone for "". Fails with ERR_USAGE,
 * suggesting the nearest, where it is none. `what` calls it in the message: "backend". */
enum err arguments_one_of(const char *what, const char *text, const char *const words[],
                          int *which);

/* What a command's --backend means: CPU, CUDA, or ANY_BACKEND for "auto" and "". */
enum err arguments_backend(const char *text, int *which);

/* Cuts "a,b,c" at its commas, in place; how many parts there are, -1 with an error set where there are more
 * than `most` or one is empty. */
int arguments_split(const char *what, char *text, char *parts[], int most);

#endif
