/* A compiler as a command: its words and its output. */
#ifndef SHOAL_COMPILER_COMMAND_H
#define SHOAL_COMPILER_COMMAND_H

#include "core/base/err.h"
#include "core/base/paths.h"

enum { COMMAND_WORDS = 256 };

/* Half a megabyte: allocate it, zeroed. */
struct compiler_command {
    char text[COMMAND_WORDS][PATH_LENGTH / 2];
    const char *argv[COMMAND_WORDS + 1];
    int n, cut; /* some did not fit */
};

/* Adds one word: `prefix` and `word` joined. */
void compiler_add(struct compiler_command *c, const char *prefix, const char *word);

/* Adds words separated by spaces. */
void compiler_add_words(struct compiler_command *c, const char *words);

/* Runs it without a shell, in English, and waits. `log` receives its output, also after an error;
 * the caller frees it. `status` is waitpid's. Fails with ERR_ABSENT if there is no such program,
 * and with ERR_USAGE if a word did not fit. */
enum err compiler_run(const struct compiler_command *c, char **log, int *status);

#endif
