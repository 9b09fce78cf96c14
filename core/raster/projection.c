/* Coordinate systems of rasters: which are usable, what Shoal keeps of them, whether two agree. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/input_files.h"
#include "core/base/log.h"
#include "core/base/printable.h"
#include "core/base/whole_file.h"
#include "core/mesh/crs.h"
#include "core/raster/readers.h"

enum err raster_in_degrees(const char *path, int known, double longitude, double latitude)
{
    if (!(fabs(longitude) <= 360 && fabs(latitude) <= 90))
        FAIL(INPUT,
             "%s: declares its coordinates as degrees, but (%.9g, %.9g) are not: write it again "
             "with the right system, such as by `gdal_translate -a_srs EPSG:32632 ...`",
             path, longitude, latitude);
    const double west = fmod(longitude + 540, 360); /* from 180 W on */
    const int zone = west >= 0 && west < 360 ? (int)(west / 6) + 1 : 1;
    FAIL(INPUT,
         "%s: its coordinates are degrees, but a run needs metres: project it first, such as by "
         "`gdalwarp %s-t_srs EPSG:%d -r bilinear %s projected.tif` (UTM zone %d; gdalwarp comes "
         "with the package gdal-bin)",
         path, known ? "" : "-s_srs EPSG:4326 ", (latitude < 0 ? 32700 : 32600) + zone, path, zone);
}

/* The text of the coordinates' unit, the last before anything of heights; null if there is none. */
static const char *find_unit(const char *wkt)
{
    const char *unit = NULL, *vertical = strstr(wkt, "VERT");
    for (const char *u = wkt; (u = strstr(u, "UNIT[\"")) && !(vertical && u > vertical);)
        unit = u += strlen("UNIT[\"");
    return unit;
}

enum err raster_check_reference(const char *path, const char *wkt, double x, double y)
{
    if (strstr(wkt, "GEOG") && !strstr(wkt, "PROJC") && !strstr(wkt, "LOCAL_CS"))
        return raster_in_degrees(path, 1, x, y);
    const char *unit = find_unit(wkt), *end = unit ? strchr(unit, '"') : NULL;
    if (!end || end[1] != ',' || fabs(strtod(end + 2, NULL) - 1) <= 1e-9)
        return ERR_OK;
    FAIL(INPUT,
         "%s: its coordinates are in '%.*s', but a run needs metres: project it to a system in "
         "metres, such as by `gdalwarp -t_srs EPSG:... %s projected.tif`",
         path, (int)(end - unit), unit, path);
}

/* Removes line ends and blanks between words, and what a terminal would not show. */
static void make_one_line(char *wkt)
{
    int quoted = 0;
    char *to = wkt;
    for (const char *from = wkt; *from; from++) {
        quoted ^= *from == '"';
        if (quoted || !isspace((unsigned char)*from))
            *to++ = (char)(*from == '\n' ? ' ' : *from);
    }
    *to = '\0';
    printable(wkt);
}

enum err raster_keep_reference(const char *path, const char *wkt, struct raster *r)
{
    static const char *const begins[] = {"PROJCS", "PROJCRS", "COMPD_CS", "COMPOUNDCRS",
                                         "BOUNDCRS"};
    while (isspace((unsigned char)*wkt))
        wkt++;
    int known = 0;
    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
        known |= strncmp(wkt, begins[k], strlen(begins[k])) == 0;
    if (!known || r->wkt)
        return ERR_OK;
    r->wkt = strdup(wkt);
    if (!r->wkt)
        FAIL(MEMORY, "%s: no memory for its coordinate system", path);
    make_one_line(r->wkt);
    return ERR_OK;
}

/* Reads the .prj file beside a raster: PATH without its extension, and .prj. False if there is none. */
static int read_prj(const char *path, char prj[4096], char **text)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    if ((size_t)snprintf(prj, 4096, "%.*s.prj", (int)stem, path) >= 4096)
        return 0;
    if (whole_file_read(prj, WHOLE_TEXT, text, NULL))
        return 0;
    input_files_note(prj);
    return 1;
}

enum err raster_read_projection(const char *path, double x, double y, struct raster *r)
{
    char prj[4096], *text;
    if (!read_prj(path, prj, &text))
        return ERR_OK;
    const int degrees = strncasecmp(text, "projection", 10) == 0 && strcasestr(text, "geographic");
    enum err e =
        degrees ? raster_in_degrees(path, 1, x, y) : raster_check_reference(path, text, x, y);
    if (!e)
        e = raster_keep_reference(prj, text, r);
    const char *const first = text + strspn(text, " \t\r\n");
    if (!e && !r->wkt && *first)
        log_warning("%s is ignored: expected a coordinate system as WKT, such as PROJCS[...], got "
                    "'%.*s': results will have none; write it by `gdalsrsinfo -o wkt1_esri "
                    "EPSG:CODE >%s`",
                    prj, (int)strcspn(first, "\r\n"), first, prj);
    free(text);
    return e;
}

enum err raster_compare_projection(const char *path, const struct raster *r)
{
    struct raster beside = {0};
    char prj[4096], *text, own[CRS_LABEL], other[CRS_LABEL];
    if (!r->wkt || !read_prj(path, prj, &text))
        return ERR_OK;
    const enum err e = raster_keep_reference(prj, text, &beside);
    free(text);
    if (beside.wkt && crs_compare(beside.wkt, r->wkt) == CRS_DIFFERENT) {
        crs_label(r->wkt, own);
        crs_label(beside.wkt, other);
        log_warning("%s: its coordinate system is %s, but %s beside it says %s: Shoal uses the "
                    "first; if that is wrong, correct it, such as by `gdal_translate -a_srs %s %s "
                    "corrected.tif`",
                    path, own, prj, other, prj, path);
    }
    free(beside.wkt);
    return e;
}

enum err raster_check_system(const char *path, const struct raster *r, const char *wkt,
                             const char *of)
{
    char own[CRS_LABEL], other[CRS_LABEL];
    if (!r->wkt || !wkt)
        return ERR_OK;
    const enum crs_verdict verdict = crs_compare(r->wkt, wkt);
    crs_label(r->wkt, own);
    crs_label(wkt, other);
    if (verdict == CRS_UNDECIDED)
        log_warning("%s: its coordinate system, %s, may differ from that of %s, %s: the files do "
                    "not say enough to tell",
                    path, own, of, other);
    if (verdict != CRS_DIFFERENT)
        return ERR_OK;
    struct crs c;
    char command[2 * CRS_NAME + 4096];
    crs_read(wkt, &c);
    if (strchr(c.authority, ':'))
        snprintf(command, sizeof command, "%s", c.authority);
    else
        snprintf(command, sizeof command, "\"$(gdalsrsinfo -o wkt1 %s)\"", of);
    FAIL(INPUT,
         "%s: its coordinate system is %s, but that of %s is %s: project it, such as by "
         "`gdalwarp -t_srs %s -r bilinear %s projected.tif` (gdalwarp comes with the package "
         "gdal-bin)",
         path, own, of, other, command, path);
}
