/* One row of the tuning database: its columns, text format and plausibility. */
#include "core/db/tuning_db.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/tab_cells.h"
#include "core/options/run_config.h"

#define HEX          "0123456789abcdef"
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-"

/* Quartiles of fewer timings are meaningless. */
enum { FEWEST_TIMINGS = 5, TEXTS = 9, COLUMNS = TEXTS + DB_NUMBERS };

static const char *const text_columns[TEXTS] = {"flags",  "source",  "width",  "height", "session",
                                                "binary", "outcome", "reason", "method"};

const char *const db_outcomes[DB_OUTCOMES] = {
#define OUTCOME_NAME(id, name) name,
    DB_OUTCOME_TABLE(OUTCOME_NAME)
#undef OUTCOME_NAME
};

const struct db_column db_columns[DB_NUMBERS] = {
#define NUMBER_ROW(id, name, decimals, low, high, always) {name, decimals, low, high, always},
    DB_NUMBER_TABLE(NUMBER_ROW)
#undef NUMBER_ROW
};

static const char *const methods[] = {"cupti", "events", "clock"};

void db_header(char line[DB_LINE + 1])
{
    int n = 0;
    for (int k = 0; k < TEXTS; k++)
        n += snprintf(line + n, (size_t)(DB_LINE + 1 - n), "%s%s", k ? "\t" : "", text_columns[k]);
    for (int k = 0; k < DB_NUMBERS; k++)
        n += snprintf(line + n, (size_t)(DB_LINE + 1 - n), "\t%s", db_columns[k].name);
}

void db_row_format(const struct db_row *row, char line[DB_LINE + 1])
{
    int n = snprintf(line, DB_LINE + 1, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s", row->flags,
                     row->source, row->block.w, row->block.h, row->session, row->binary,
                     db_outcomes[row->outcome], row->reason, row->method);
    for (int k = 0; k < DB_NUMBERS && n <= DB_LINE; k++) {
        const size_t room = (size_t)(DB_LINE + 1 - n);
        if (isnan(row->number[k]))
            n += snprintf(line + n, room, "\t-");
        else
            n += snprintf(line + n, room, "\t%.*f", db_columns[k].decimals, row->number[k]);
    }
}

static int is_hex(const char *text, size_t digits)
{
    return strlen(text) == digits && strspn(text, HEX) == digits;
}

/* Most numbers are as db_row_format writes them, with digits that fit into a double: they skip
 * strtod and the check of their format, which take most of the time of reading a table. False for
 * other numbers or text. */
static int plain_number(const char *text, int decimals, double *number)
{
    static const double power[] = {1, 10, 100, 1000};
    const char *p = text;
    long digits = 0;
    int point = 0;
    if (*p == '0' && p[1] && p[1] != '.')
        return 0;
    for (; isdigit((unsigned char)*p) || (*p == '.' && p > text && !point); p++) {
        if (*p == '.')
            point = (int)(p - text);
        else
            digits = 10 * digits + (*p - '0');
        if (p - text == 15)
            return 0;
    }
    const long after = point ? p - text - point - 1 : 0;
    if (*p || p == text || after != decimals || (decimals == 0 && point))
        return 0;
    *number = (double)digits / power[decimals];
    return 1;
}

static enum err parse_side(const char *column, const char *text, int *side)
{
    char *end;
    const long n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > LARGEST_SIDE)
        FAIL(INPUT, "%s '%s': expected a number from 1 to %d", column, text, LARGEST_SIDE);
    *side = (int)n;
    return ERR_OK;
}

/* Sets `doubtful` if the number's format may differ from Shoal's. */
static enum err parse_number(int k, const char *text, double *number, int *doubtful)
{
    char *end;
    *number = (double)NAN;
    if (strcmp(text, "-") == 0)
        return ERR_OK;
    if (!plain_number(text, db_columns[k].decimals, number)) {
        *doubtful = 1;
        *number = strtod(text, &end);
        if (end == text || *end || !isfinite(*number))
            FAIL(INPUT, "%s '%s': expected a number, or - for none", db_columns[k].name, text);
    }
    if (*number < db_columns[k].low || *number > db_columns[k].high)
        FAIL(INPUT, "%s %s: implausible, it should lie between %g and %g; is the unit right?",
             db_columns[k].name, text, db_columns[k].low, db_columns[k].high);
    return ERR_OK;
}

static enum err parse_outcome(char *const *text, struct db_row *row)
{
    int k = 0;
    while (k < DB_OUTCOMES && strcmp(text[6], db_outcomes[k]) != 0)
        k++;
    if (k == DB_OUTCOMES)
        FAIL(INPUT,
             "outcome '%s': expected ok, constraint, compile, launch, wrong-answer or time-out",
             text[6]);
    row->outcome = (enum db_outcome)k;
    if (strlen(text[7]) > DB_REASON)
        FAIL(INPUT, "reason: at most %d characters", DB_REASON);
    if (row->outcome != DB_OK && (!*text[7] || strcmp(text[7], "-") == 0))
        FAIL(INPUT, "reason: outcome %s needs one; say what failed, or delete the row", text[6]);
    if (row->outcome == DB_OK && strcmp(text[7], "-") != 0)
        FAIL(INPUT, "reason '%s': expected - in a row that is ok", text[7]);
    strcpy(row->reason, text[7]);
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
        if (strcmp(text[8], methods[m]) == 0)
            strcpy(row->method, text[8]);
    if (!*row->method && (strcmp(text[8], "-") != 0 || row->outcome == DB_OK))
        FAIL(INPUT, "method '%s': expected cupti, events or clock, or - if nothing was timed",
             text[8]);
    if (!*row->method)
        strcpy(row->method, "-");
    return ERR_OK;
}

static enum err parse_texts(char *const *text, struct db_row *row)
{
    if (!*text[0] || strlen(text[0]) > DB_FLAGS || text[0][strspn(text[0], NAME_LETTERS)])
        FAIL(INPUT,
             "flags '%s': expected a name in the manifest, of lower-case letters, digits and "
             "hyphens",
             text[0]);
    if (!is_hex(text[1], DB_HASH))
        FAIL(INPUT, "source '%s': expected %d hexadecimal digits", text[1], DB_HASH);
    TRY(parse_side("width", text[2], &row->block.w));
    TRY(parse_side("height", text[3], &row->block.h));
    if (!is_hex(text[4], DB_SESSION))
        FAIL(INPUT, "session '%s': expected %d hexadecimal digits", text[4], DB_SESSION);
    TRY(parse_outcome(text, row));
    const int never_built = row->outcome == DB_CONSTRAINT || row->outcome == DB_COMPILE;
    if (!is_hex(text[5], DB_HASH) && !(never_built && strcmp(text[5], "-") == 0))
        FAIL(INPUT, "binary '%s': expected %d hexadecimal digits, or - if nothing was built",
             text[5], DB_HASH);
    strcpy(row->flags, text[0]);
    strcpy(row->source, text[1]);
    strcpy(row->session, text[4]);
    strcpy(row->binary, text[5]);
    return ERR_OK;
}

/* Constraints on the times. */
static enum err check_times(const struct db_row *row)
{
    const double *x = row->number;
    if (row->outcome != DB_OK) {
        if (row->outcome != DB_TIME_OUT && !isnan(x[DB_MEDIAN]))
            FAIL(INPUT, "median_us: outcome %s must have no times", db_outcomes[row->outcome]);
        return ERR_OK;
    }
    for (int k = 0; k < DB_NUMBERS; k++)
        if (db_columns[k].always && isnan(x[k]))
            FAIL(INPUT, "%s: missing; a row that is ok has it", db_columns[k].name);
    if (x[DB_KEPT] < FEWEST_TIMINGS)
        FAIL(INPUT, "kept %g: expected at least %d timings in a row that is ok", x[DB_KEPT],
             FEWEST_TIMINGS);
    for (int k = DB_MIN; k < DB_MAX; k++)
        if (x[k] > x[k + 1])
            FAIL(INPUT, "%s %.3f is more than %s %.3f", db_columns[k].name, x[k],
                 db_columns[k + 1].name, x[k + 1]);
    if (x[DB_MEAN] < x[DB_MIN] || x[DB_MEAN] > x[DB_MAX])
        FAIL(INPUT, "mean_us %.3f does not lie between min_us and max_us", x[DB_MEAN]);
    if (x[DB_SPREAD] > x[DB_MAX] - x[DB_MIN] + 0.001)
        FAIL(INPUT, "spread_us %.3f is more than max_us - min_us", x[DB_SPREAD]);
    return ERR_OK;
}

enum err db_row_parse(const char *line, struct db_row *row)
{
    char copy[DB_LINE + 1], again[DB_LINE + 1];
    char *field[COLUMNS];
    if (strlen(line) > DB_LINE)
        FAIL(INPUT, "a row has at most %d characters", DB_LINE);
    for (const char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' && *c != '\t')
            FAIL(INPUT,
                 "control character %d: only tabs separate columns, and lines end with a "
                 "newline alone",
                 *c);
    strcpy(copy, line);
    const int count = tab_cells(copy, field, COLUMNS);
    if (count != COLUMNS)
        FAIL(INPUT, "expected %d columns, separated by tabs, got %d", COLUMNS, count);
    *row = (struct db_row){0};
    TRY(parse_texts(field, row));
    double side;
    int doubtful = !plain_number(field[2], 0, &side) || !plain_number(field[3], 0, &side);
    for (int k = 0; k < DB_NUMBERS; k++)
        TRY(parse_number(k, field[TEXTS + k], &row->number[k], &doubtful));
    TRY(check_times(row));
    if (!doubtful)
        return ERR_OK;
    db_row_format(row, again);
    if (strcmp(line, again) != 0)
        FAIL(INPUT, "not written as Shoal writes it (decimals, leading zeros or signs); write: %s",
             again);
    return ERR_OK;
}

int db_row_order(const struct db_row *a, const struct db_row *b)
{
    int order = strcmp(a->flags, b->flags);
    if (!order)
        order = strcmp(a->source, b->source);
    if (!order)
        order = (a->block.w > b->block.w) - (a->block.w < b->block.w);
    if (!order)
        order = (a->block.h > b->block.h) - (a->block.h < b->block.h);
    return order ? order : strcmp(a->session, b->session);
}

static int standing(enum db_outcome outcome)
{
    return outcome == DB_TIME_OUT ? 0 : outcome == DB_OK ? 1 : 2;
}

int db_row_weight(const struct db_row *a, const struct db_row *b)
{
    char first[DB_LINE + 1], second[DB_LINE + 1];
    const int order = standing(a->outcome) - standing(b->outcome);
    if (order)
        return order;
    if (a->outcome == DB_OK) {
        const double n = a->number[DB_KEPT] + a->number[DB_DROPPED];
        const double m = b->number[DB_KEPT] + b->number[DB_DROPPED];
        if (n != m)
            return n > m ? 1 : -1;
        if (a->number[DB_MEDIAN] != b->number[DB_MEDIAN])
            return a->number[DB_MEDIAN] > b->number[DB_MEDIAN] ? 1 : -1;
    }
    db_row_format(a, first);
    db_row_format(b, second);
    return strcmp(first, second);
}
