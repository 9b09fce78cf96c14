/* Finds paths, host names, addresses and serial numbers in text. */
#include "core/db/private_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define DIGITS "0123456789"

static int accuse(char what[PRIVATE_ROOM], const char *kind, int length, const char *text)
{
    snprintf(what, PRIVATE_ROOM,
             "'%.*s' looks like %s, which must not be in a database that others read: remove it",
             length, text, kind);
    return 1;
}

/* "/usr/bin/cc": a slash that begins a word. */
static int has_path(const char *line, char what[PRIVATE_ROOM])
{
    for (const char *c = strchr(line, '/'); c; c = strchr(c + 1, '/')) {
        const int begins = c == line || strchr(" \t\"'=:(,", c[-1]) != NULL;
        if (begins && (isalpha((unsigned char)c[1]) || c[1] == '.' || c[1] == '_'))
            return accuse(what, "a path", (int)strcspn(c, " \t\"',)"), c);
    }
    return 0;
}

/* "node7.cluster.example": labels that begin with a letter, at least three, the last all letters;
 * or two where the last is one of those used for local networks. */
static int is_domain(const char *word)
{
    static const char *const local[] = {"local", "localdomain", "lan", "internal", "intra"};
    const char *last = strrchr(word, '.');
    int labels = 1;
    if (!last || strlen(last + 1) < 2 || !isalpha((unsigned char)*word))
        return 0;
    for (const char *c = last + 1; *c; c++)
        if (!isalpha((unsigned char)*c))
            return 0;
    for (const char *c = word; *c; c++) {
        labels += *c == '.';
        if (*c == '.' && !isalnum((unsigned char)c[1]))
            return 0;
    }
    for (size_t k = 0; k < sizeof local / sizeof local[0]; k++)
        if (strcasecmp(last + 1, local[k]) == 0)
            return 1;
    return labels >= 3;
}

/* "10.0.0.7" */
static int is_address(const char *word)
{
    for (int k = 0; k < 4; k++) {
        const size_t n = strspn(word, DIGITS);
        if (n < 1 || n > 3 || strtol(word, NULL, 10) > 255 || word[n] != (k < 3 ? '.' : '\0'))
            return 0;
        word += n + 1;
    }
    return 1;
}

/* "GPU-01234567-89ab-cdef-0123-456789abcdef", with or without the first part. */
static int is_uuid(const char *word)
{
    static const size_t parts[] = {8, 4, 4, 4, 12};
    const char *c =
        strncmp(word, "GPU-", 4) == 0 || strncmp(word, "MIG-", 4) == 0 ? word + 4 : word;
    for (int k = 0; k < 5; k++) {
        size_t n = 0;
        while (isxdigit((unsigned char)c[n]))
            n++;
        if (n != parts[k])
            return 0;
        c += n;
        if (k < 4 && *c++ != '-')
            return 0;
    }
    return *c == '\0';
}

/* "user@host" */
static int is_user(const char *word)
{
    const char *at = strchr(word, '@');
    return at && at > word && at[1];
}

/* This machine's own name. A plain word proves nothing: hosts have names such as gauss, too. */
static int is_this_host(const char *word)
{
    static _Thread_local char host[256]; /* asked for once: each word of a database is compared */
    if (!*host && gethostname(host, sizeof host - 1) != 0)
        return 0;
    return strlen(host) >= 5 && strpbrk(host, DIGITS "-.") && strcmp(word, host) == 0;
}

static int is_private(const char *word, char what[PRIVATE_ROOM])
{
    static const struct {
        int (*test)(const char *word);
        const char *kind;
    } tests[] = {{is_domain, "the name of a host"},
                 {is_this_host, "the name of this host"},
                 {is_address, "a network address"},
                 {is_uuid, "a serial number"},
                 {is_user, "a user or mail address"}};
    for (size_t k = 0; k < sizeof tests / sizeof tests[0]; k++)
        if (tests[k].test(word))
            return accuse(what, tests[k].kind, (int)strlen(word), word);
    return 0;
}

/* Not strspn, which lists so long a set anew at each call: a database has millions of words. */
static size_t word_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || (text[n] && strchr("-._@", text[n])))
        n++;
    return n;
}

int db_private(const char *line, char what[PRIVATE_ROOM])
{
    char word[256];
    size_t n;
    if (has_path(line, what))
        return 1;
    for (const char *c = line; *c; c += n ? n : 1) {
        n = word_length(c);
        if (n && n < sizeof word) {
            memcpy(word, c, n);
            word[n] = '\0';
            /* The full stop of a sentence is not part of the word. */
            for (size_t k = n; k > 0 && word[k - 1] == '.'; k--)
                word[k - 1] = '\0';
            if (is_private(word, what))
                return 1;
        }
    }
    return 0;
}
