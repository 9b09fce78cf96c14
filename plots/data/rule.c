/* Dates a claim's rule. */
#include "plots/data/rule.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/sha256.h"

/* Blanks between words are one, elsewhere none: how a query is laid out is no change. */
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

/* Does a text name a fact, as :name? */
static int names(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *c = text; (c = strchr(c, ':')) != NULL; c++)
        if (strncmp(c + 1, name, n) == 0 && !isalnum((unsigned char)c[1 + n]) && c[1 + n] != '_')
            return 1;
    return 0;
}

void rule_digest(const struct experiment *x, const struct section *claim,
                 char digest[RULE_DIGITS + 1])
{
    static const char *const keys[] = {"holds", "partly"};
    enum { MOST_TEXTS = 512 };
    const struct section *facts = experiment_section(x, "facts", 0);
    const char *text[MOST_TEXTS];
    char hex[SHA256_DIGITS + 1];
    struct sha256 s;
    int count = 0;
    sha256_init(&s);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        text[count] = experiment_value(x, claim, keys[k]);
        digest_text(&s, text[count] ? text[count] : "");
        count += text[count] != NULL;
    }
    for (int k = facts ? facts->count - 1 : -1; k >= 0 && count < MOST_TEXTS; k--) {
        const struct setting *fact = &x->file.setting[facts->first + k];
        for (int m = 0, n = count; m < n; m++)
            if (names(text[m], fact->key)) {
                digest_text(&s, fact->key);
                digest_text(&s, fact->value);
                text[count++] = fact->value;
                break;
            }
    }
    sha256_final(&s, hex);
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
        snprintf(fault, n, "expected when the rule was written; write 'since = %s %s'", now,
                 digest);
    else
        snprintf(
            fault, n,
            "the rule, or a fact that it stands on, is no longer that of %s; write 'since = %s "
            "%s', or keep the time before %s if its meaning is the same",
            time_of, now, digest, digest);
    *time_of = '\0';
}
