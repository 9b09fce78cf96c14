/* Finds round ends of the colour scale for all records. */
#include "plots/render/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/decimal.h"
#include "core/picture/round_numbers.h"

/* Sizes of values are counted in bins of equal ratio. */
enum { BINS = 4096 };
static const double LEAST = 1e-9, MOST = 1e9;

struct spread {
    double low, high;
    size_t all, bin[BINS];
};

static void take_values(struct spread *s, const float *value, size_t n)
{
    const double ratio = log(MOST / LEAST) / BINS;
    for (size_t k = 0; k < n; k++) {
        const double x = (double)value[k];
        if (isnan(x))
            continue;
        s->low = fmin(s->low, x);
        s->high = fmax(s->high, x);
        const double bin = log(fabs(x) / LEAST) / ratio;
        s->bin[!(bin > 0) ? 0 : bin < BINS ? (int)bin : BINS - 1]++;
        s->all++;
    }
}

/* The size that all but one in a thousand values do not exceed. */
static double usual_size(const struct spread *s)
{
    size_t beyond = 0;
    int k = BINS;
    while (k > 0 && (beyond + s->bin[k - 1]) * 1000 <= s->all)
        beyond += s->bin[--k];
    return LEAST * exp(k * log(MOST / LEAST) / BINS);
}

/* Rounds the ends. */
static void round_ends(struct scale *s)
{
    const double range = s->high - s->low;
    const double size = fmax(fabs(s->low), fabs(s->high));
    if (!(range > 1e-6 * size)) { /* the same everywhere */
        const double half = size > 0 ? 0.05 * size : 0.5;
        s->low -= half;
        s->high += half;
        return;
    }
    const double step = round_up(range / 8);
    s->low = step * floor(s->low / step + 1e-6);
    s->high = step * ceil(s->high / step - 1e-6);
}

static void find_ends(struct scale *s, const struct shown *shown, const struct spread *spread)
{
    *s = (struct scale){spread->low, spread->high, 0};
    if (!spread->all) {
        s->low = 0;
        s->high = 1;
        return;
    }
    const double size = fmax(fabs(s->low), fabs(s->high)),
                 usual = shown->peaks ? fmin(usual_size(spread), size) : size;
    if (shown->map == MAP_SIGNED) {
        s->high = usual > 0 ? round_up(usual) : 1;
        s->low = -s->high;
    } else if (shown->from_zero && s->low >= 0) {
        s->low = 0;
        s->high = usual > 0 ? round_up(usual) : 1;
    } else {
        round_ends(s);
    }
    if (size > s->high)
        s->above = size;
}

enum err scale_find(struct scale *s, const struct planes *p, const struct chosen *c, float *value,
                    float *depth)
{
    static struct spread spread;
    spread = (struct spread){.low = (double)INFINITY, .high = -(double)INFINITY};
    const int count = p->shown->timed ? c->count : 1;
    for (int k = 0; k < count; k++) {
        TRY(planes_read(p, p->shown->timed ? c->record[k] : 0, value, depth));
        take_values(&spread, value, (size_t)p->nx * (size_t)p->ny);
    }
    find_ends(s, p->shown, &spread);
    return ERR_OK;
}

enum err scale_read(struct scale *s, const char *text)
{
    char word[256], *comma;
    snprintf(word, sizeof word, "%s", text);
    comma = strchr(word, ',');
    if (comma)
        *comma++ = '\0';
    *s = (struct scale){decimal_read(word), comma ? decimal_read(comma) : (double)NAN, 0};
    if (isnan(s->low) || isnan(s->high) || !(s->low < s->high))
        FAIL(USAGE, "--range: expected LOW,HIGH with LOW below HIGH, got '%s'", text);
    return ERR_OK;
}
