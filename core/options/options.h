/* Options: one row of a table defines how each is typed, checked, stored, printed and explained.
 * The command lines of all commands, run files, --print-config and --help work from such tables. */
#ifndef SHOAL_OPTIONS_H
#define SHOAL_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

#include "core/registry/catalog.h"

enum { NAME_LENGTH = 64, FILE_LENGTH = 4096, VALUE_FILES = 2 };

struct option;

/* How to read and print values of a kind. */
struct option_type {
    /* Stores the default, or what means "not given"; the member's bytes are zero before. */
    void (*reset)(const struct option *o, void *settings);
    /* Parses, checks and stores a text that is not empty. Fails with ERR_USAGE; the message omits
     * the option's name. */
    enum err (*set)(const struct option *o, void *settings, const char *text);
    /* Formats value number k so that `set` reads it back; returns 0 if there is no such value. */
    int (*format)(const struct option *o, const void *settings, int k, char text[FILE_LENGTH]);
    /* Where in a value the name of file number k (below VALUE_FILES) stands, for code that rewrites
     * paths; 0: it has no such one. Null: it never has one. */
    int (*file)(const char *text, int k, size_t *begin, size_t *length);
    int repeats; /* adds to earlier values: a run file may repeat it */
};

struct option {
    const char *name;  /* without "--" */
    const char *value; /* what the help calls the value; null: a flag's */
    const char *help;
    const struct option_type *type;
    size_t offset, size;        /* offset of its member in the settings */
    const char *initial;        /* the default, as it would be typed; null if there is none */
    const char *unset;          /* otherwise: where the value comes from if it is not given */
    enum listed list;           /* the registry of its names */
    const char *const *choices; /* ends with NULL */
    double low, high;           /* range of a number, ends included; DBL_MAX: no limit */
    int above;                  /* excludes `low` itself */
    int only_command_line;      /* not a key of run files */
    int group;                  /* its group in the help */
    int edge;                   /* enum edge, of option_edge */
    const char *system;         /* applies to these equations only; NULL: to any */
};

/* The kinds of values, and the members they are stored in. */
extern const struct option_type option_text, /* char[size], "" for unset */
    option_path,                             /* the same, a file name */
    option_name,   /* char[size]: an entry of `list`, or one of `choices` */
    option_names,  /* char[size]: several such names, with commas between them; "" for unset */
    option_words,  /* char[size]: several of `choices`, else of `list`, each once */
    option_choice, /* int: index in `choices`, -1 for unset */
    option_number, /* double, NAN for unset */
    option_count,  /* int; 0 for unset where there is no default */
    option_long,   /* the same as a long */
    option_flag;   /* int 0 or 1; "yes" and "no" in run files */

/* The part of a row that says where it is stored; fields such as .initial may follow. */
#define OPTION_IN(settings, member, kind)                         \
    .type = &option_##kind, .offset = offsetof(settings, member), \
    .size = sizeof(((settings *)0)->member)
#define TEXT_IN(settings, member)          OPTION_IN(settings, member, text)
#define PATH_IN(settings, member)          OPTION_IN(settings, member, path)
#define FLAG_IN(settings, member)          OPTION_IN(settings, member, flag)
#define CHOICE_IN(settings, member, words) OPTION_IN(settings, member, choice), .choices = (words)
#define NAME_IN(settings, member, listed)  OPTION_IN(settings, member, name), .list = (listed)
#define NAMES_IN(settings, member, listed) OPTION_IN(settings, member, names), .list = (listed)
#define COUNT_IN(settings, member, from, to) \
    OPTION_IN(settings, member, count), .low = (from), .high = (to)
#define NUMBER_IN(settings, member, from, to) \
    OPTION_IN(settings, member, number), .low = (from), .high = (to)
/* A number above `from`. */
#define ABOVE_IN(settings, member, from, to) NUMBER_IN(settings, member, from, to), .above = 1

/* cpu, cuda, and auto: ANY_BACKEND. */
extern const char *const backend_words[];

/* The row of that name in a table; NULL if there is none. The last row of a table has a NULL name. */
const struct option *option_find(const struct option *table, const char *name);

/* Stores the default, or "not given", of one option; of all. */
void option_reset(const struct option *o, void *settings);
void options_reset(const struct option *table, void *settings);

/* option_type's `set`; its message names the option as "--NAME". */
enum err option_set(const struct option *o, void *settings, const char *text);

/* option_type's `format`. */
static inline int option_format(const struct option *o, const void *settings, int k,
                                char text[FILE_LENGTH])
{
    return o->type->format(o, settings, k, text);
}

/* Copies a value; `move` rewrites the file names in it, relative to the folder or file `from`.
 * Fails if `move` does, or with ERR_USAGE if the result has n characters or more. */
enum err option_move_files(const struct option *o, const char *value,
                           enum err (*move)(const char *name, const char *from,
                                            char path[FILE_LENGTH]),
                           const char *from, char moved[FILE_LENGTH]);

/* The arguments of a command. */
struct arguments {
    const char *command;          /* for messages: "db show" */
    const struct option *options; /* NULL: it has none */
    const char **word;            /* the arguments that are not options, in order */
    int words, most;
    const char *takes;   /* what these are: "[KERNEL]" */
    const char *instead; /* if `most` is 0, the option probably meant: "--case"; or NULL */
    char *typed;         /* by row: set to 1 if the option is given; or NULL */
};

/* Reads "--name value", "--name=value" and flags into `settings`. Fails with ERR_USAGE; the message
 * names the option and what it takes. */
enum err options_read(struct arguments *a, int argc, char **argv, void *settings);

/* Prints a line for each option of a group; -1: for all. */
void options_help(FILE *f, const struct option *table, int group);

/* Copies the next word of a list with commas, without blanks around it, and cut where it is longer; returns
 * what is left, NULL after the last word. */
const char *option_next_word(const char *list, char word[NAME_LENGTH]);

/* The index of a text in `words`. If it is none of them, fails with ERR_USAGE and suggests the
 * nearest; `what` calls it in the message: "backend". */
enum err option_find_word(const char *what, const char *text, const char *const words[],
                          int *which);

/* Is the word in such a list? */
int option_lists(const char *list, const char *wanted);

/* The fewest digits that read back as the same number. */
void option_format_real(double x, char *text, size_t n);

/* For types defined elsewhere: text to a char[o->size]; its default; its value as text. */
enum err option_store_text(const struct option *o, void *settings, const char *text);
void option_reset_text(const struct option *o, void *settings);
int option_format_text(const struct option *o, const void *settings, int k, char text[FILE_LENGTH]);

/* For the same: a number within the row's range; a file name. */
enum err option_parse_real(const struct option *o, const char *text, double *x);
enum err option_check_path(const char *text, size_t length);

#endif
