/* GDAL, opened at run time: no header or library of it is needed to build Shoal. Names and types are
 * those of its C interface (gdal.h, ogr_srs_api.h, cpl_error.h); only what is used is here. */
#ifndef SHOAL_GDAL_API_H
#define SHOAL_GDAL_API_H

#include <stddef.h>

typedef struct gdal_dataset *GDALDatasetH;
typedef struct gdal_band *GDALRasterBandH;
typedef struct gdal_reference *OGRSpatialReferenceH;
typedef void (*CPLErrorHandler)(int class, int number, const char *message);

enum {
    GA_READONLY = 0,
    GF_READ = 0,
    CE_NONE = 0,
    GDT_BYTE = 1,
    GDT_FLOAT64 = 7,
    GMF_ALL_VALID = 1
};

/* result, name, parameters */
#define GDAL_FUNCTIONS(X)                                                                          \
    X(void, GDALAllRegister, (void))                                                               \
    X(const char *, GDALVersionInfo, (const char *request))                                        \
    X(GDALDatasetH, GDALOpen, (const char *path, int access))                                      \
    X(void, GDALClose, (GDALDatasetH set))                                                         \
    X(char **, GDALGetFileList, (GDALDatasetH set))                                                \
    X(void, CSLDestroy, (char **list))                                                             \
    X(int, GDALGetGeoTransform, (GDALDatasetH set, double *six))                                   \
    X(OGRSpatialReferenceH, GDALGetSpatialRef, (GDALDatasetH set))                                 \
    X(int, GDALGetRasterXSize, (GDALDatasetH set))                                                 \
    X(int, GDALGetRasterYSize, (GDALDatasetH set))                                                 \
    X(int, GDALGetRasterCount, (GDALDatasetH set))                                                 \
    X(GDALRasterBandH, GDALGetRasterBand, (GDALDatasetH set, int number))                          \
    X(int, GDALGetRasterDataType, (GDALRasterBandH band))                                          \
    X(int, GDALDataTypeIsComplex, (int type))                                                      \
    X(const char *, GDALGetRasterUnitType, (GDALRasterBandH band))                                 \
    X(double, GDALGetRasterScale, (GDALRasterBandH band, int *given))                              \
    X(double, GDALGetRasterOffset, (GDALRasterBandH band, int *given))                             \
    X(int, GDALGetMaskFlags, (GDALRasterBandH band))                                               \
    X(GDALRasterBandH, GDALGetMaskBand, (GDALRasterBandH band))                                    \
    X(int, GDALRasterIO,                                                                           \
      (GDALRasterBandH band, int what, int x, int y, int nx, int ny, void *to, int to_x, int to_y, \
       int type, int pixel_bytes, int line_bytes))                                                 \
    X(int, OSRIsGeographic, (OGRSpatialReferenceH reference))                                      \
    X(double, OSRGetLinearUnits, (OGRSpatialReferenceH reference, char **name))                    \
    X(void, CPLPushErrorHandler, (CPLErrorHandler handler))                                        \
    X(void, CPLPopErrorHandler, (void))                                                            \
    X(void, CPLQuietErrorHandler, (int class, int number, const char *message))                    \
    X(void, CPLErrorReset, (void))                                                                 \
    X(const char *, CPLGetLastErrorMsg, (void))

struct gdal_api {
#define GDAL_MEMBER(result, name, parameters) result(*name) parameters;
    GDAL_FUNCTIONS(GDAL_MEMBER)
#undef GDAL_MEMBER
};

/* One process has one GDAL. Usable once gdal_api_open has returned true; it stays open. */
extern struct gdal_api gdal_api;

/* Opens the library once, the newest there is; the variable SHOAL_LIBGDAL names another. False if it
 * cannot be used; then `why` says why not and what would help. */
int gdal_api_open(char *why, size_t n);

#endif
