/* Where plain numbers lie while a program of GDAL's writes or reads them. */
#ifndef SHOAL_GDAL_FOLDER_H
#define SHOAL_GDAL_FOLDER_H

#include "core/base/err.h"
#include "core/base/paths.h"

#define GDAL_PACKAGE "gdal-bin"

/* A folder for this user alone, and in it numbers in the ENVI format, its header, and what GDAL notes beside
 * them. */
enum { GDAL_FOLDER = PATH_LENGTH - 32, GDAL_FILES = 3 };
enum { GDAL_NUMBERS, GDAL_HEADER };
struct gdal_folder {
    char folder[GDAL_FOLDER], file[GDAL_FILES][PATH_LENGTH];
};

/* All of it goes when the process ends, by a signal, too. `path`: what the numbers are of, for messages. */
enum err gdal_folder_make(const char *path, struct gdal_folder *t);
void gdal_folder_remove(const struct gdal_folder *t);

#endif
