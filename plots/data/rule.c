/* Checks the date of a claim's rule. */
#include "plots/data/rule.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/sha256.h"

/* Blanks between words become one, elsewhere none: the layout of a query does not matter. */
static void digest_text(struct sha256 *s, const char *text)
{
    char before = ' ';
    for (const char *c = text; *c; c++) {
        if (isspace((unsigned char)*c)) {
            const char after = c[strspn(c, " \t\n")];
            if ((isalnum((unsigned char)before) || before == '_') &&
                (isalnum((unsigned char)after) || after == '_'))
                sha256_update(s, " ", 1);
            c += strspn(c, " \t\n") - 1;
        } else {
            sha256_update(s, c, 1);
            before = *c;
        }
    }
    sha256_update(s, "\n", 1);
}

/* The texts on which a rule depends, each after those that name it. */
enum { MOST_TEXTS = 512 };
struct texts {
    struct sha256 digest;
    const char *text[MOST_TEXTS];
    int count;
};

static void add_text(struct texts *t, const char *name, const char *text)
{
    digest_text(&t->digest, name);
    digest_text(&t->digest, text ? text : "");
    if (text && t->count < MOST_TEXTS)
        t->text[t->count++] = text;
}

static int in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does one of them contain a word; for a fact after a ':'? */
static int are_told(const struct texts *t, const char *word, int fact)
{
    const size_t n = strlen(word);
    for (int k = 0; k < t->count; k++)
        for (const char *c = t->text[k]; (c = strstr(c, word)) != NULL; c++) {
            const char *before = c == t->text[k] ? " " : c - 1;
            if (!in_word(c[n]) && (fact ? *before == ':' : *before != ':' && !in_word(*before)))
                return 1;
        }
    return 0;
}

static void add_facts(struct texts *t, const struct experiment *x)
{
    const struct section *facts = experiment_section(x, "facts", 0);
    for (int k = facts ? facts->count - 1 : -1; k >= 0; k--) {
        const struct setting *fact = &x->file.setting[facts->first + k];
        if (are_told(t, fact->key, 1))
            add_text(t, fact->key, fact->value);
    }
}

static void add_tables(struct texts *t, const struct experiment *x)
{
    int count = 0;
    while (experiment_section(x, "data", count))
        count++;
    for (int k = count - 1; k >= 0; k--) {
        const struct section *data = experiment_section(x, "data", k);
        const char *name = experiment_value(x, data, "name");
        if (!are_told(t, name ? name : "data", 0))
            continue;
        for (int m = 0; m < data->count; m++)
            if (strncmp(x->file.setting[data->first + m].key, "sql", 3) == 0)
                add_text(t, name ? name : "data", x->file.setting[data->first + m].value);
    }
}

void rule_digest(const struct experiment *x, const struct section *claim,
                 char digest[RULE_DIGITS + 1])
{
    char hex[SHA256_DIGITS + 1];
    struct texts t = {.count = 0};
    sha256_init(&t.digest);
    add_text(&t, "holds", experiment_value(x, claim, "holds"));
    add_text(&t, "partly", experiment_value(x, claim, "partly"));
    add_facts(&t, x);
    add_tables(&t, x);
    sha256_final(&t.digest, hex);
    snprintf(digest, RULE_DIGITS + 1, "%.*s", RULE_DIGITS, hex);
}

static int is_time(const char *text)
{
    static const char form[] = "0000-00-00T00:00Z";
    size_t k = 0;
    for (; k < sizeof form - 1 && text[k]; k++)
        if (form[k] == '0' ? !isdigit((unsigned char)text[k]) : text[k] != form[k])
            return 0;
    return k == sizeof form - 1 && !text[k];
}

void rule_since(const struct experiment *x, const struct section *claim, char time_of[RULE_TIME],
                char *fault, size_t n)
{
    const char *since = experiment_value(x, claim, "since");
    char digest[RULE_DIGITS + 1], written[64] = "", now[RULE_TIME];
    const time_t t = time(NULL);
    struct tm utc;
    *time_of = *fault = '\0';
    rule_digest(x, claim, digest);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%MZ", gmtime_r(&t, &utc));
    if (since && sscanf(since, "%31s %63s", time_of, written) == 2 && is_time(time_of) &&
        strcmp(written, digest) == 0)
        return;
    if (!since || !is_time(time_of))
        snprintf(fault, n, "expected the time when the rule was written; write 'since = %s %s'",
                 now, digest);
    else
        snprintf(fault, n,
                 "the rule, or a fact or query on which it depends, is no longer that of %s; write "
                 "'since = %s %s', or keep the time before %s if its meaning is the same",
                 time_of, now, digest, digest);
    *time_of = '\0';
}
