/* Coordinate systems: parses their text (WKT of either kind, ESRI's included), and compares two. */
#ifndef SHOAL_CRS_H
#define SHOAL_CRS_H

enum crs_method {
    CRS_UNKNOWN,
    CRS_TRANSVERSE_MERCATOR,
    CRS_LAMBERT_CONFORMAL,
    CRS_ALBERS,
    CRS_LAMBERT_AZIMUTHAL,
    CRS_POLAR_STEREOGRAPHIC,
    CRS_OBLIQUE_STEREOGRAPHIC,
    CRS_MERCATOR,
    CRS_WEB_MERCATOR,
    CRS_METHODS
};

/* Degrees, but for the last three: a factor, and metres. */
enum crs_number {
    CRS_LATITUDE,
    CRS_LONGITUDE,
    CRS_PARALLEL_1,
    CRS_PARALLEL_2,
    CRS_SCALE,
    CRS_EASTING,
    CRS_NORTHING,
    CRS_NUMBERS
};

enum { CRS_NAME = 128 };

/* Texts are "" and numbers NAN where unspecified. */
struct crs {
    int projected; /* it begins with a projected system, possibly combined with one of heights */
    char name[CRS_NAME], authority[CRS_NAME]; /* "EPSG:32632" */
    enum crs_method method;
    double number[CRS_NUMBERS];
    char datum[CRS_NAME];
    double semi_major, inverse_flattening, prime_meridian; /* m, 1, degrees */
    double metres;                                         /* in a unit of the coordinates */
    int others; /* it has a method or parameters other than these */
};

/* Parses a text; sets `others` for what it does not understand. */
void crs_read(const char *wkt, struct crs *c);

enum crs_verdict { CRS_SAME, CRS_DIFFERENT, CRS_UNDECIDED };

/* Systems are equal if authority and code are equal, or the parameters are, whatever their names. */
enum crs_verdict crs_compare(const char *wkt, const char *other);

/* "EPSG:32632 (WGS 84 / UTM zone 32N)", for messages. */
enum { CRS_LABEL = 2 * CRS_NAME + 8 };
void crs_label(const char *wkt, char text[CRS_LABEL]);

#endif
