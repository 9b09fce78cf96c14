/* The ends of a panel's axes, and the numbers at them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plots/figures/script.h"

enum { LETTER = 7, APART = 8, NUMBER = 46 /* pixels */ };

/* 1, 2 or 5 times a power of ten: about as long as `room` pixels. */
static double even_step(double span, int pixels, int room)
{
    const double rough = span * room / pixels, unit = pow(10, floor(log10(rough)));
    return rough < 1.5 * unit   ? unit
           : rough < 3.5 * unit ? 2 * unit
           : rough < 7.5 * unit ? 5 * unit
                                : 10 * unit;
}

/* Extends an axis so that it ends at labelled numbers. */
static void round_ends(const struct axis *a, double *low, double *high)
{
    const double least = isnan(a->low) ? a->least : a->low,
                 most = isnan(a->high) ? a->most : a->high;
    const int begins_at_zero = isnan(a->low) && least >= 0 && (a->zero || least < 0.4 * most);
    const double room = most > least ? 0 : fmax(fabs(most) * 0.05, 1e-9);
    const double from = begins_at_zero ? 0 : least - room, to = most + room;
    const double step = even_step(to - from, a->pixels, NUMBER);
    *low = isnan(a->low) ? step * floor(from / step + 1e-9) : a->low;
    *high = isnan(a->high) ? step * ceil(to / step - 1e-9) : a->high;
}

/* From a to b, with a margin around the data if the file sets no ends. */
static void find_ends(const struct axis *a, double *low, double *high)
{
    const double least = isnan(a->low) ? a->least : a->low,
                 most = isnan(a->high) ? a->most : a->high;
    *low = a->low;
    *high = a->high;
    if (a->names) {
        *low = 0.4;
        *high = a->names + 0.6;
    } else if (a->log) {
        const double room = fmax(pow(most / least, 0.04), 1.08);
        *low = isnan(*low) ? least / room : *low;
        *high = isnan(*high) ? most * room : *high;
    } else if (a->name == 'x') {
        const double room = most > least ? 0.02 * (most - least) : fmax(fabs(most) * 0.05, 1e-9);
        *low = isnan(*low) ? least - room : *low;
        *high = isnan(*high) ? most + room : *high;
    } else {
        round_ends(a, low, high);
    }
}

/* A number at an axis: in full where all of them are short. */
static void label_of(double x, int is_short, char label[64])
{
    if (is_short)
        snprintf(label, 64, "%.6g", x);
    else if (fabs(x / pow(10, floor(log10(x) + 1e-9)) - 1) < 1e-9)
        snprintf(label, 64, "10^{%.0f}", log10(x));
    else
        snprintf(label, 64, "%.0fx10^{%.0f}", x / pow(10, floor(log10(x) + 1e-9)),
                 floor(log10(x) + 1e-9));
}

/* Decades; more numbers if there is room, or if there is only one of them (`alone`): `decade` is the pixels of
 * one, `number` those of a number. */
static int is_labelled(int digit, double decade, double number, int alone)
{
    const double need = number / log10(2); /* from 1 to 2, and from 5 to 10 */
    return digit == 1 || (decade > need && (digit == 2 || digit == 5)) ||
           (decade > 5 * need && (digit == 3 || digit == 7)) ||
           (alone && decade <= need && digit == 3);
}

/* What the longest number takes along an axis, with the gap to the next one. */
static double number_room(const struct axis *a, double low, double high, int is_short)
{
    enum { HEIGHT = 14, OF_POWER = 5 };
    size_t longest = is_short ? 1 : OF_POWER;
    if (a->name != 'x')
        return HEIGHT;
    for (int e = (int)floor(log10(low)); is_short && e <= (int)ceil(log10(high)); e++)
        for (int digit = 1; digit <= 5; digit++) {
            const double x = digit * pow(10, e);
            char label[64];
            label_of(x, is_short, label);
            if (x > low && x < high && strlen(label) > longest)
                longest = strlen(label);
        }
    return (double)longest * LETTER + APART;
}

/* Even steps of 1, 2 or 5, if an axis is too short for decades. */
static void write_even_tics(FILE *script, const struct axis *a, double low, double high)
{
    const double step =
        even_step(high - low, a->pixels, a->name == 'x' ? 3 * LETTER + NUMBER : NUMBER);
    const int first = (int)ceil(low / step - 1e-9), last = (int)floor(high / step + 1e-9);
    for (int k = first; k <= last; k++)
        fprintf(script, "%s\"%.6g\" %.9g", k > first ? ", " : "", k * step, k * step);
}

static void write_log_tics(FILE *script, const struct axis *a, double low, double high)
{
    const double decades = log10(high / low);
    const int is_short = low > 0.9e-4 && high < 3e5;
    const double number = number_room(a, low, high, is_short);
    const int alone = floor(log10(high)) - ceil(log10(low)) < 1;
    int any = 0;
    if (decades < 0.6) {
        write_even_tics(script, a, low, high);
        return;
    }
    for (int e = (int)floor(log10(low)); e <= (int)ceil(log10(high)); e++)
        for (int digit = 1; digit < 10; digit++) {
            const double x = digit * pow(10, e);
            char label[64] = "";
            if (x < low * (1 - 1e-9) || x > high * (1 + 1e-9))
                continue;
            if (is_labelled(digit, a->pixels / decades, number, alone))
                label_of(x, is_short, label);
            fprintf(script, "%s\"%s\" %.9g %d", any++ ? ", " : "", label, x, !*label);
        }
}

/* Do all values have few digits? Otherwise round numbers are better. */
static int are_short(const struct axis *a)
{
    enum { SHORT = 5 };
    char label[64];
    for (int k = 0; k < a->values; k++)
        if (snprintf(label, sizeof label, "%.6g", a->value[k]) > SHORT)
            return 0;
    return 1;
}

/* The values of the data, without those too close to the last one. */
static void write_values(FILE *script, const struct axis *a, double low, double high)
{
    double last = -1e9;
    int any = 0;
    for (int k = 0; k < a->values; k++) {
        const double x = a->value[k];
        const double place =
            a->pixels * (a->log ? log(x / low) / log(high / low) : (x - low) / (high - low));
        char label[64];
        const int length = snprintf(label, sizeof label, "%.6g", x);
        const int fits = place - last >= (a->name == 'x' ? LETTER * length + APART : 2 * LETTER);
        if (fits)
            last = place;
        fprintf(script, "%s\"%s\" %.9g %d", any++ ? ", " : "", fits ? label : "", x, !fits);
    }
}

/* The file's own list: "1 2 5". */
static void write_list(FILE *script, const char *s)
{
    char *end;
    for (int any = 0;; any = 1) {
        const double x = strtod(s, &end);
        if (end == s)
            return;
        fprintf(script, "%s%.9g", any ? ", " : "", x);
        s = end;
    }
}

/* By their variables: what they say is no part of the command. */
static void write_names(FILE *script, const struct axis *a)
{
    for (int k = 1; k <= a->names; k++)
        fprintf(script, "%s%c_title[%d] %d", k > 1 ? ", " : "", a->name, k, k);
}

void script_axis(FILE *script, int panel, const struct axis *a)
{
    double low, high;
    find_ends(a, &low, &high);
    fprintf(script, "%c_range[%d] = '[", a->name, panel);
    fprintf(script, "%.9g:%.9g]'\n%c_tics[%d] = '", low, high, a->name, panel);
    if (a->name == 'y' && !a->names && !a->log && !*a->tics) {
        fprintf(script, "set ytics %.9g", even_step(high - low, a->pixels, NUMBER));
    } else if (a->names || a->log || *a->tics) {
        fprintf(script, "set %ctics %s(", a->name, a->names ? "noenhanced " : "");
        if (a->names)
            write_names(script, a);
        else if (strcmp(a->tics, "values") == 0 && (!a->log || are_short(a)))
            write_values(script, a, low, high);
        else if (*a->tics && strcmp(a->tics, "values") != 0)
            write_list(script, a->tics);
        else
            write_log_tics(script, a, low, high);
        fputc(')', script);
    }
    fputs("'\n", script);
    fprintf(script, "%c_", a->name);
    script_entry_number(script, "low", panel, low);
    fprintf(script, "%c_", a->name);
    script_entry_number(script, "high", panel, high);
}
