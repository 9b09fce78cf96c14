/* Parses well-known text of coordinate systems: KEYWORD["name",number,KEYWORD[...],...], of 2001
 * and 2019. */
#include "core/mesh/crs.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST = 16, WORD = 32 };

/* The parser's state: the open keywords, and the current argument of the innermost one. */
struct open_node {
    char keyword[WORD];
    int argument;
};

struct reading {
    struct crs *c;
    struct open_node node[DEEPEST];
    int depth;
    char parameter[CRS_NAME]; /* the name of the parameter whose value comes next */
};

/* Keeps lower case, letters and digits only: names by GDAL, ESRI and the EPSG differ in little
 * else. */
static void simplify(const char *from, char to[CRS_NAME])
{
    size_t n = 0;
    for (; *from && n < CRS_NAME - 1; from++)
        if (isalnum((unsigned char)*from))
            to[n++] = (char)tolower((unsigned char)*from);
    to[n] = '\0';
}

static enum crs_method find_method(const char *name)
{
    static const struct {
        const char *name;
        enum crs_method method;
    } methods[] = {
        {"transversemercator", CRS_TRANSVERSE_MERCATOR},
        {"gausskruger", CRS_TRANSVERSE_MERCATOR},
        {"lambertconformalconic", CRS_LAMBERT_CONFORMAL},
        {"lambertconformalconic1sp", CRS_LAMBERT_CONFORMAL},
        {"lambertconformalconic2sp", CRS_LAMBERT_CONFORMAL},
        {"lambertconicconformal1sp", CRS_LAMBERT_CONFORMAL},
        {"lambertconicconformal2sp", CRS_LAMBERT_CONFORMAL},
        {"albersconicequalarea", CRS_ALBERS},
        {"albersequalarea", CRS_ALBERS},
        {"albers", CRS_ALBERS},
        {"lambertazimuthalequalarea", CRS_LAMBERT_AZIMUTHAL},
        {"polarstereographic", CRS_POLAR_STEREOGRAPHIC},
        {"polarstereographicvarianta", CRS_POLAR_STEREOGRAPHIC},
        {"polarstereographicvariantb", CRS_POLAR_STEREOGRAPHIC},
        {"stereographicnorthpole", CRS_POLAR_STEREOGRAPHIC},
        {"stereographicsouthpole", CRS_POLAR_STEREOGRAPHIC},
        {"obliquestereographic", CRS_OBLIQUE_STEREOGRAPHIC},
        {"doublestereographic", CRS_OBLIQUE_STEREOGRAPHIC},
        {"mercator", CRS_MERCATOR},
        {"mercator1sp", CRS_MERCATOR},
        {"mercator2sp", CRS_MERCATOR},
        {"mercatorvarianta", CRS_MERCATOR},
        {"mercatorvariantb", CRS_MERCATOR},
        {"mercatorauxiliarysphere", CRS_WEB_MERCATOR},
        {"popularvisualisationpseudomercator", CRS_WEB_MERCATOR},
    };
    char simple[CRS_NAME];
    simplify(name, simple);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        if (strcmp(methods[k].name, simple) == 0)
            return methods[k].method;
    return CRS_UNKNOWN;
}

static enum crs_number find_number(const char *name)
{
    static const struct {
        const char *name;
        enum crs_number number;
    } numbers[] = {
        {"latitudeoforigin", CRS_LATITUDE},
        {"latitudeofcenter", CRS_LATITUDE},
        {"latitudeofnaturalorigin", CRS_LATITUDE},
        {"latitudeoffalseorigin", CRS_LATITUDE},
        {"centralmeridian", CRS_LONGITUDE},
        {"longitudeofcenter", CRS_LONGITUDE},
        {"longitudeoforigin", CRS_LONGITUDE},
        {"longitudeofnaturalorigin", CRS_LONGITUDE},
        {"longitudeoffalseorigin", CRS_LONGITUDE},
        {"standardparallel1", CRS_PARALLEL_1},
        {"latitudeofstandardparallel", CRS_PARALLEL_1},
        {"latitudeof1ststandardparallel", CRS_PARALLEL_1},
        {"standardparallel2", CRS_PARALLEL_2},
        {"latitudeof2ndstandardparallel", CRS_PARALLEL_2},
        {"scalefactor", CRS_SCALE},
        {"scalefactoratnaturalorigin", CRS_SCALE},
        {"falseeasting", CRS_EASTING},
        {"eastingatfalseorigin", CRS_EASTING},
        {"falsenorthing", CRS_NORTHING},
        {"northingatfalseorigin", CRS_NORTHING},
    };
    char simple[CRS_NAME];
    simplify(name, simple);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (strcmp(numbers[k].name, simple) == 0)
            return numbers[k].number;
    return CRS_NUMBERS;
}

static int is_any(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcasecmp(word, *list) == 0)
            return 1;
    return 0;
}

static int is_projected(const char *keyword)
{
    static const char *const words[] = {"PROJCS", "PROJCRS", "PROJECTEDCRS", NULL};
    return is_any(keyword, words);
}

/* The first of several counts: a bound system has a second one after it. */
static void keep_text(char to[CRS_NAME], const char *text)
{
    if (!*to)
        snprintf(to, CRS_NAME, "%s", text);
}

static void keep_number(double *to, const char *text)
{
    if (isnan(*to))
        *to = strtod(text, NULL);
}

static void take_authority(struct crs *c, int argument, const char *text)
{
    const size_t used = strlen(c->authority);
    if (argument == 0)
        keep_text(c->authority, text);
    else if (argument == 1 && used && !strchr(c->authority, ':'))
        snprintf(c->authority + used, CRS_NAME - used, ":%s", text);
}

static void take_parameter(struct reading *r, int argument, const char *text)
{
    if (argument == 0)
        snprintf(r->parameter, sizeof r->parameter, "%s", text);
    if (argument != 1)
        return;
    const enum crs_number n = find_number(r->parameter);
    if (n < CRS_NUMBERS)
        keep_number(&r->c->number[n], text);
    else
        r->c->others |= strtod(text, NULL) != 0;
}

/* Angles of parameters may be in grads if a text uses these for its degrees: writers disagree. */
static void take_angle(struct crs *c, const char *text)
{
    c->others |= fabs(strtod(text, NULL) - 0.017453292519943295) > 1e-12;
}

static void take_method(struct crs *c, const char *text)
{
    if (c->method == CRS_UNKNOWN)
        c->method = find_method(text);
    c->others |= c->method == CRS_UNKNOWN;
}

/* An argument that is a text, a number or a word. */
static void take_token(struct reading *r, const char *text)
{
    static const char *const datums[] = {"DATUM",    "GEODETICDATUM",          "TRF",
                                         "ENSEMBLE", "GEODETICREFERENCEFRAME", NULL};
    static const char *const units[] = {"UNIT", "LENGTHUNIT", NULL};
    static const char *const spheroids[] = {"SPHEROID", "ELLIPSOID", NULL};
    static const char *const primes[] = {"PRIMEM", "PRIMEMERIDIAN", NULL};
    static const char *const authorities[] = {"AUTHORITY", "ID", NULL};
    static const char *const methods[] = {"PROJECTION", "METHOD", NULL};
    const struct open_node *at = &r->node[r->depth - 1];
    const char *in = r->depth > 1 ? at[-1].keyword : "";
    const int k = at->argument;
    struct crs *c = r->c;
    if (is_projected(at->keyword) && k == 0)
        keep_text(c->name, text);
    else if (is_any(at->keyword, authorities) && is_projected(in))
        take_authority(c, k, text);
    else if (is_any(at->keyword, methods) && k == 0)
        take_method(c, text);
    else if (strcasecmp(at->keyword, "PARAMETER") == 0 &&
             (is_projected(in) || strcasecmp(in, "CONVERSION") == 0))
        take_parameter(r, k, text);
    else if (strcasecmp(at->keyword, "EXTENSION") == 0) /* GDAL's: contradicts the rest */
        c->others = 1;
    else if (is_any(at->keyword, datums) && k == 0)
        keep_text(c->datum, text);
    else if (is_any(at->keyword, spheroids) && k > 0 && k < 3)
        keep_number(k == 1 ? &c->semi_major : &c->inverse_flattening, text);
    else if (is_any(at->keyword, primes) && k == 1)
        keep_number(&c->prime_meridian, text);
    else if (is_any(at->keyword, units) && k == 1 && is_projected(in))
        keep_number(&c->metres, text);
    else if (strcasecmp(at->keyword, "UNIT") == 0 && k == 1 && strcasecmp(in, "GEOGCS") == 0)
        take_angle(c, text);
}

/* A quoted text, in which a doubled quote stands for one; returns the end. */
static const char *read_quoted(const char *s, char text[CRS_NAME])
{
    size_t n = 0;
    for (s++; *s && (*s != '"' || s[1] == '"'); s++) {
        s += *s == '"';
        if (n < CRS_NAME - 1)
            text[n++] = *s;
    }
    text[n] = '\0';
    return s + (*s == '"');
}

/* A word or a number: up to its delimiter. */
static const char *read_word(const char *s, char text[CRS_NAME])
{
    const size_t n = strcspn(s, "[](),\" \t\r\n");
    snprintf(text, CRS_NAME, "%.*s", (int)(n < CRS_NAME ? n : CRS_NAME - 1), s);
    return s + n;
}

static void open_node(struct reading *r, const char *keyword)
{
    if (r->depth < DEEPEST) {
        r->node[r->depth] = (struct open_node){.argument = 0};
        snprintf(r->node[r->depth].keyword, WORD, "%.*s", WORD - 1, keyword);
    }
    r->c->projected |= is_projected(keyword);
    r->depth++;
}

static void walk(struct reading *r, const char *s)
{
    char text[CRS_NAME];
    while (*s) {
        if (*s == ']' || *s == ')')
            r->depth -= r->depth > 0;
        if (*s == ',' && r->depth > 0 && r->depth <= DEEPEST)
            r->node[r->depth - 1].argument++;
        if (strchr("]),[( \t\r\n", *s)) {
            s++;
            continue;
        }
        s = *s == '"' ? read_quoted(s, text) : read_word(s, text);
        if (*s == '[' || *s == '(')
            open_node(r, text);
        else if (r->depth > 0 && r->depth <= DEEPEST)
            take_token(r, text);
    }
}

/* Texts differ in which of equal numbers they give. */
static void complete(struct crs *c)
{
    static const double usual[CRS_NUMBERS] = {[CRS_SCALE] = 1};
    double *n = c->number;
    if (c->method == CRS_POLAR_STEREOGRAPHIC && !isnan(n[CRS_PARALLEL_1]))
        n[CRS_LATITUDE] = n[CRS_PARALLEL_1];
    if (c->method == CRS_LAMBERT_CONFORMAL && isnan(n[CRS_PARALLEL_1]))
        n[CRS_PARALLEL_1] = n[CRS_LATITUDE];
    if (c->method == CRS_LAMBERT_CONFORMAL && isnan(n[CRS_PARALLEL_2]))
        n[CRS_PARALLEL_2] = n[CRS_PARALLEL_1];
    if (c->method == CRS_POLAR_STEREOGRAPHIC)
        n[CRS_PARALLEL_1] = n[CRS_LATITUDE];
    for (int k = 0; c->method && k < CRS_NUMBERS; k++)
        n[k] = isnan(n[k]) ? usual[k] : n[k];
    if (isnan(c->prime_meridian))
        c->prime_meridian = 0;
}

void crs_read(const char *wkt, struct crs *c)
{
    struct reading r = {.c = c};
    const double none = (double)NAN;
    *c = (struct crs){
        .semi_major = none, .inverse_flattening = none, .prime_meridian = none, .metres = none};
    for (int k = 0; k < CRS_NUMBERS; k++)
        c->number[k] = none;
    walk(&r, wkt);
    complete(c);
}
