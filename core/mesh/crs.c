/* Are two coordinate systems the same? */
#include "core/mesh/crs.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A millimetre on the earth, in degrees, metres and factors alike. */
static int near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* Equal texts, ignoring blanks. */
static int is_same_text(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* The common part of a datum's names: letters and digits, without ESRI's "D_". */
static void simplify_datum(const char *name, char simple[CRS_NAME])
{
    size_t n = 0;
    if (strncasecmp(name, "D_", 2) == 0)
        name += 2;
    for (; *name && n < CRS_NAME - 1; name++)
        if (isalnum((unsigned char)*name))
            simple[n++] = (char)tolower((unsigned char)*name);
    simple[n] = '\0';
}

/* Which of the datums with several common names this name begins with; 0: another. */
static int find_datum(const char *simple)
{
    static const struct {
        const char *begins;
        int datum;
    } known[] = {{"wgs84", 1},
                 {"wgs1984", 1},
                 {"worldgeodeticsystem1984", 1},
                 {"etrs1989", 2},
                 {"etrs89", 2},
                 {"europeanterrestrialreferencesystem1989", 2},
                 {"nad83", 3},
                 {"northamerican1983", 3},
                 {"northamericandatum1983", 3},
                 {"nad27", 4},
                 {"northamerican1927", 4},
                 {"northamericandatum1927", 4},
                 {"osgb1936", 5},
                 {"osgb36", 5},
                 {"ordnancesurveyofgreatbritain1936", 5},
                 {"rgf1993", 6},
                 {"rgf93", 6},
                 {"reseaugeodesiquefrancais1993", 6}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strncmp(simple, known[k].begins, strlen(known[k].begins)) == 0)
            return known[k].datum;
    return 0;
}

static int is_same_ellipsoid(const struct crs *a, const struct crs *b)
{
    return near(a->semi_major, b->semi_major) &&
           near(a->inverse_flattening, b->inverse_flattening) &&
           near(a->prime_meridian, b->prime_meridian);
}

static enum crs_verdict compare_datums(const struct crs *a, const struct crs *b)
{
    char simple[CRS_NAME], other[CRS_NAME];
    if (isnan(a->semi_major) || isnan(b->semi_major) || isnan(a->inverse_flattening) ||
        isnan(b->inverse_flattening))
        return CRS_UNDECIDED;
    if (!is_same_ellipsoid(a, b))
        return CRS_DIFFERENT;
    simplify_datum(a->datum, simple);
    simplify_datum(b->datum, other);
    if (find_datum(simple) && find_datum(other))
        return find_datum(simple) == find_datum(other) ? CRS_SAME : CRS_DIFFERENT;
    return strcmp(simple, other) == 0 ? CRS_SAME : CRS_UNDECIDED;
}

static enum crs_verdict compare_parameters(const struct crs *a, const struct crs *b)
{
    if (!a->method || !b->method || a->others || b->others)
        return CRS_UNDECIDED;
    if (a->method != b->method)
        return CRS_DIFFERENT;
    for (int k = 0; k < CRS_NUMBERS; k++)
        if (!near(a->number[k], b->number[k]))
            return CRS_DIFFERENT;
    return compare_datums(a, b);
}

enum crs_verdict crs_compare(const char *wkt, const char *other)
{
    struct crs a, b;
    crs_read(wkt, &a);
    crs_read(other, &b);
    const int coded = strchr(a.authority, ':') && strchr(b.authority, ':');
    if ((coded && strcasecmp(a.authority, b.authority) == 0) || is_same_text(wkt, other))
        return CRS_SAME;
    if (!isnan(a.metres) && !isnan(b.metres) && !near(a.metres, b.metres))
        return CRS_DIFFERENT;
    const enum crs_verdict verdict = compare_parameters(&a, &b);
    const int codes_of_one = coded && strcspn(a.authority, ":") == strcspn(b.authority, ":") &&
                             strncasecmp(a.authority, b.authority, strcspn(a.authority, ":")) == 0;
    return verdict == CRS_UNDECIDED && codes_of_one ? CRS_DIFFERENT : verdict;
}

void crs_label(const char *wkt, char text[CRS_LABEL])
{
    struct crs c;
    crs_read(wkt, &c);
    const char *name = *c.name ? c.name : "an unnamed system";
    if (strchr(c.authority, ':'))
        snprintf(text, CRS_LABEL, "%s (%s)", c.authority, name);
    else
        snprintf(text, CRS_LABEL, "%s", name);
}
