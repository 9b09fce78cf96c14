/* The place of plain numbers while one of GDAL's programs writes or reads them. */
#ifndef SHOAL_GDAL_FOLDER_H
#define SHOAL_GDAL_FOLDER_H

#include "core/base/err.h"
#include "core/base/paths.h"

#define GDAL_PACKAGE "gdal-bin"

/* A folder for this user alone, with numbers in the ENVI format, its header, and GDAL's notes. */
enum { GDAL_FOLDER = PATH_LENGTH - 32, GDAL_FILES = 3 };
enum { GDAL_NUMBERS, GDAL_HEADER };
struct gdal_folder {
    char folder[GDAL_FOLDER], file[GDAL_FILES][PATH_LENGTH];
};

/* Deleted when the process ends, also by a signal. `path`: the numbers' origin, for messages. */
enum err gdal_folder_make(const char *path, struct gdal_folder *t);
void gdal_folder_remove(const struct gdal_folder *t);

#endif
